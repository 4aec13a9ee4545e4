import { plural, t } from '@lingui/core/macro';
import CircleCheck from 'lucide-react/icons/circle-check';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { DeskPerformers } from '#domain/admin/desk/performers.ts';
import type { ReviewObstacle } from '#domain/admin/desk/reviews.ts';
import { formatDate } from '#formats/times.ts';
import { PerformerFacts } from '#web/workshop/performers/performer-facts.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { Pane } from '#web/workshop/pane.tsx';

/** Performers with their consents, which decide most cases. */
export function PerformersPane({ performers }: { performers: DeskPerformers }) {
  const { owner, items } = performers;
  return (
    <Pane title={t`Performers and consents`}>
      {owner === null && items.length === 0 && <p className="text-14 text-muted">{t`Nobody is named.`}</p>}
      {owner !== null && (
        <div className="performer">
          <Cover imageUrl={owner.imageUrl} shape="circle" size={40} />
          <div>
            <b dir="auto">{owner.name}</b>
            <p>{ownerText(performers)}</p>
          </div>
        </div>
      )}
      {items.map((performer) => (
        <PerformerFacts key={performer.id} performer={performer} />
      ))}
    </Pane>
  );
}

const isVerified = ({ verification: { state } }: DeskPerformers) => state === 'verified' || state === 'ends-soon';

function ownerText(performers: DeskPerformers): string {
  const { verification, agreement: version } = performers;
  const { until } = verification;
  return [
    isVerified(performers) && until !== null ? t`Verified until ${{ day: formatDate(until) }}.` : t`Not verified.`,
    version !== null && t`Covered by the agreement, version ${version}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Lines of “At a glance”: records that the site asks for, or has. */
export function PerformerChecks({ performers }: { performers: DeskPerformers }) {
  const { verification, agreement: version, agreementWaits, needs, complete, total, items } = performers;
  const { until } = verification;
  const missing = items.filter(({ isComplete }) => !isComplete).length;
  return (
    <>
      {(needs.creators || verification.state !== 'none') && (
        <Check
          isGood={isVerified(performers)}
          name={t`Creator verified`}
          value={isVerified(performers) && until !== null ? t`until ${{ year: until.slice(0, 4) }}` : t`no`}
        />
      )}
      {(version !== null || agreementWaits) && (
        <Check
          isGood={!agreementWaits}
          name={t`Agreement`}
          value={version === null ? t`none` : t`version ${version}`}
        />
      )}
      <Check isGood={total > 0 && complete === total} name={t`Performers`} value={t`${complete} of ${total}`} />
      {items.length > 0 && (
        <Check
          isGood={missing === 0}
          name={t`Consents`}
          value={missing === 0 ? t`complete` : plural(missing, { one: '# missing', other: '# missing' })}
        />
      )}
    </>
  );
}

/** Why an audio cannot be approved. */
export function obstacleText(obstacle: ReviewObstacle): string {
  if (obstacle.reason === 'missing-facet') {
    const facets = obstacle.facets.join(', ');
    return t`It cannot be approved yet: it needs a tag of ${facets}.`;
  }
  const { gap } = obstacle;
  if (gap === 'consent-missing' || gap === 'consent-against')
    return t`It cannot be approved yet: a consent is missing.`;
  return t`It cannot be approved yet: something it needs is missing.`;
}

export function Check({ isGood, name, value }: { isGood: boolean; name: string; value: string }) {
  return (
    <li className="grid grid-cols-[20px_minmax(0,1fr)_auto] items-center gap-x-2.5 border-b border-line py-2.25 text-14 last:border-b-0">
      <Icon
        of={isGood ? CircleCheck : TriangleAlert}
        size={18}
        className={isGood ? 'text-success' : 'text-accent-text'}
      />
      <b className="font-medium">{name}</b>
      <span className="text-end text-13 text-muted wrap-anywhere">{value}</span>
    </li>
  );
}
