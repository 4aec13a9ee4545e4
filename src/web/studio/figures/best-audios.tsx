import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { href, Link } from 'react-router';
import type { Count } from '#formats/numbers.ts';
import type { BestAudio } from '#domain/studio/figures/figures.ts';
import type { StudioOverview as Overview } from '#domain/studio/figures/overview.ts';
import { Cover } from '../../ui/images/cover.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { countText, deltaOf, shareText } from '../../workshop/charts/figure-text.ts';
import { Change } from '../../workshop/charts/stat-tiles.tsx';
import { useStudio } from '../use-studio.ts';

/** Audios with the most plays of the period, if they have at least ten listeners. */
export function BestAudios({ overview: { best, period } }: { overview: Overview }) {
  const { voice } = useStudio();
  const at = { voice: voice.slug };
  const max = best.items[0]?.now.plays ?? 0;
  return (
    <section className="pane pane--flush" aria-labelledby="best">
      <div className="pane__head">
        <h2 className="pane-title" id="best">
          <Trans>Best audios</Trans>
        </h2>
        <Link className="more" to={href('/studio/:voice/figures', at)}>
          <Trans>All figures</Trans>
          <Icon of={ChevronRight} size={16} />
        </Link>
      </div>
      {best.items.length === 0 ? (
        <p className="px-6 pb-6 text-muted">
          {plural(
            { count: period.days },
            {
              one: 'No audio has had ten listeners on this day. Figures are shown from ten on.',
              other: 'No audio has had ten listeners in these # days. Figures are shown from ten on.',
            },
          )}
        </p>
      ) : (
        <table className="data-table data-table--cards">
          <thead>
            <tr>
              <th scope="col">
                <Trans>Audio</Trans>
              </th>
              <th scope="col" className="number">
                <Trans>Plays</Trans>
              </th>
              <th scope="col" className="number">
                <Trans context="difference">Change</Trans>
              </th>
              <th scope="col" className="number">
                <Trans context="figure">Listeners</Trans>
              </th>
              <th scope="col" className="number">
                <Trans>To the end</Trans>
              </th>
            </tr>
          </thead>
          <tbody>
            {best.items.map((audio) => (
              <BestRow key={audio.id} audio={audio} max={max ?? 0} />
            ))}
            {best.others !== undefined && (
              <tr>
                <td className="whole-width text-muted">{othersText(best.others.audios)}</td>
                <td className="number" data-l={t`Plays`}>
                  {countText(best.others.plays)}
                </td>
                <td className="wide-only" colSpan={3}>
                  <span className="sr-only">{t`not shown for several audios`}</span>
                </td>
              </tr>
            )}
          </tbody>
        </table>
      )}
    </section>
  );
}

function othersText({ count, isMore }: Count): string {
  return isMore
    ? t`over ${plural(count, { one: '# other audio', other: '# other audios' })}`
    : plural(count, { one: '# other audio', other: '# other audios' });
}

function BestRow({ audio: { slug, title, imageUrl, now, before }, max }: { audio: BestAudio; max: number }) {
  const { voice } = useStudio();
  const change = deltaOf(now.plays, before.plays);
  const to = `${href('/studio/:voice/figures', { voice: voice.slug })}?${new URLSearchParams({ audio: slug })}`;
  return (
    <tr>
      <td className="whole-width">
        <div className="cell">
          <Cover imageUrl={imageUrl} size={40} />
          <div className="min-w-0">
            <Link className="block max-w-72 truncate" to={to}>
              {title}
            </Link>
            <span className="mini mt-1.5 w-45" aria-hidden="true">
              <i style={{ width: `${max === 0 ? 0 : ((now.plays ?? 0) / max) * 100}%` }} />
            </span>
          </div>
        </div>
      </td>
      <td className="number" data-l={t`Plays`}>
        {countText(now.plays)}
      </td>
      <td className="number" data-l={t({ message: 'Change', context: 'difference' })}>
        {change === undefined ? (
          <span className="text-muted">
            <Trans>Under 10 before</Trans>
          </span>
        ) : (
          <Change of={change} />
        )}
      </td>
      <td className="number" data-l={t({ message: 'Listeners', context: 'figure' })}>
        {countText(now.listeners)}
      </td>
      <td className="number" data-l={t`To the end`}>
        {shareText(now.ends, now.memberPlays)}
      </td>
    </tr>
  );
}
