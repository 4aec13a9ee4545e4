import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { LocalTime } from '../../workshop/local-time.tsx';
import ChevronRight from 'lucide-react/icons/chevron-right';
import CircleAlert from 'lucide-react/icons/circle-alert';
import FileAudio from 'lucide-react/icons/file-headphone';
import Pencil from 'lucide-react/icons/pencil';
import Upload from 'lucide-react/icons/upload';
import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import { formatCount } from '#formats/numbers.ts';
import { formatTime } from '#formats/durations.ts';
import { formatDateRange } from '#formats/moments.ts';
import type { DayFigures } from '#domain/studio/figures/figure-history.ts';
import type { StudioOverview as Overview } from '#domain/studio/figures/overview.ts';
import { metaOf } from '../../page-meta.ts';
import { orNotFound } from '../../route-errors.ts';
import { useGreeting } from '../../shell/greeting.ts';
import { BestAudios } from '../../studio/figures/best-audios.tsx';
import { FigureTile, fromText } from '../../studio/figures/figure-tile.tsx';
import { managedVoice } from '../../studio/managed-voice.ts';
import { NewestComments } from '../../studio/comments/newest-comments.tsx';
import { useStudio } from '../../studio/use-studio.ts';
import { Button } from '../../ui/button.tsx';
import { Cover } from '../../ui/images/cover.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { pointsOf, shareOf, shareText } from '../../workshop/charts/figure-text.ts';
import { Sparkline } from '../../workshop/charts/sparkline.tsx';
import { StatTile, StatTiles } from '../../workshop/charts/stat-tiles.tsx';
import { failureTexts } from '../../workshop/upload-failure-texts.ts';
import { WorkshopHead } from '../../workshop/workshop-head.tsx';
import type { Route } from './+types/overview';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer, voice } = await managedVoice(context, params.voice);
  const overview = orNotFound(await site.studio.findStudioOverview(viewer, voice.id));
  return { overview, now: Date.now() };
}

export const meta = metaOf(() => ({
  title: t`Overview`,
  description: t`Your figures, and what needs your attention`,
  index: 'no',
}));

export default function StudioOverview({ loaderData: { overview, now } }: Route.ComponentProps) {
  const { voice } = useStudio();
  const greeting = useGreeting();
  const { period, scheduled, drafts, failed, texts } = overview;
  const [firstName = ''] = voice.name.split(' ', 1);
  const at = { voice: voice.slug };
  return (
    <>
      <WorkshopHead
        title={t`${greeting}, ${firstName}`}
        facts={t`${plural({ count: period.days }, { one: '# day', other: '# days' })} to ${{ date: formatDateRange(period.to, period.to) }}, compared with the period before`}
      >
        <Button variant="primary" render={<Link to={href('/studio/:voice/upload', at)} />}>
          <Icon of={Upload} size={18} />
          <Trans>Upload</Trans>
        </Button>
      </WorkshopHead>
      <Tiles overview={overview} />
      <div className="main-and-aside mt-8">
        <div>
          <BestAudios overview={overview} />
          <NewestComments comments={overview.comments} now={now} />
        </div>
        <aside className="stack">
          {failed.length > 0 && <NeedsAttention failed={failed} />}
          {texts.total > 0 && <Texts {...texts} />}
          <section className="pane" aria-labelledby="scheduled">
            <h2 className="pane-title mb-1.5" id="scheduled">
              <Trans>Scheduled</Trans>
            </h2>
            {scheduled.length === 0 && (
              <p className="text-muted text-14">
                <Trans>Nothing is scheduled.</Trans>
              </p>
            )}
            <ul className="todo">
              {scheduled.map(({ id, title, imageUrl, publishedAt }) => (
                <li key={id} className="todo--cover">
                  <Cover imageUrl={imageUrl} size={40} />
                  <Facts title={title}>
                    <LocalTime at={publishedAt} style="weekday" />
                  </Facts>
                  <Edit id={id} title={title} />
                </li>
              ))}
            </ul>
          </section>
          <section className="pane" aria-labelledby="drafts">
            <div className="pane__head mb-1.5">
              <h2 className="pane-title" id="drafts">
                <Trans>Drafts</Trans>
              </h2>
              <span className="text-muted text-13">{formatCount(drafts.total)}</span>
            </div>
            {drafts.total === 0 && (
              <p className="text-muted text-14">
                <Trans>No drafts. New uploads wait here until you publish them.</Trans>
              </p>
            )}
            <ul className="todo">
              {drafts.items.map(({ id, title, durationMs, needs }) => (
                <li key={id}>
                  <span className="todo__icon">
                    <Icon of={FileAudio} size={18} />
                  </span>
                  <Facts title={title}>
                    {formatTime(durationMs / 1000)}
                    <span className="dot">{needs === undefined ? t`Ready to publish` : needTexts[needs]()}</span>
                  </Facts>
                  <Edit id={id} title={title} />
                </li>
              ))}
            </ul>
            {drafts.total > drafts.items.length && (
              <Link className="more mt-2" to={href('/studio/:voice/audios', at)}>
                <Trans>All audios</Trans>
                <Icon of={ChevronRight} size={16} />
              </Link>
            )}
          </section>
        </aside>
      </div>
    </>
  );
}

/** How many audios can be read. */
function Texts({ total, without }: Overview['texts']) {
  const { voice } = useStudio();
  const [readable, all] = [formatCount(total - without), formatCount(total)];
  return (
    <section className="pane" aria-labelledby="texts">
      <div className="pane__head mb-1.5">
        <h2 className="pane-title" id="texts">
          <Trans>Texts of your audios</Trans>
        </h2>
        <span className="text-muted text-13 tabular-nums">{t`${readable} of ${all}`}</span>
      </div>
      <p className="text-muted text-14">
        <Trans>People who do not hear well find the ones that have a text.</Trans>
      </p>
      {without > 0 && (
        <Link className="more mt-2" to={`${href('/studio/:voice/audios', { voice: voice.slug })}?text=without`}>
          {plural({ count: without }, { one: '# audio without a transcript', other: '# audios without a transcript' })}
          <Icon of={ChevronRight} size={16} />
        </Link>
      )}
    </section>
  );
}

const needTexts = {
  category: () => t`Needs a category`,
  description: () => t`Needs a description`,
};

function Tiles({ overview: { figures, period } }: { overview: Overview }) {
  const { now, before, days, daysBefore } = figures;
  const line = (label: string, read: (day: DayFigures) => number | null) => (
    <Sparkline
      values={days.map(read)}
      before={daysBefore.map(read)}
      label={t`${label} per day for ${plural({ count: period.days }, { one: '# day', other: '# days' })}, dashed the days before`}
    />
  );
  return (
    <StatTiles label={t`Figures`}>
      <FigureTile of="plays" figures={figures}>
        {line(t`Plays`, ({ plays }) => plays)}
      </FigureTile>
      <FigureTile of="listeners" figures={figures}>
        {line(t({ message: 'Listeners', context: 'figure' }), ({ listeners }) => listeners)}
      </FigureTile>
      <FigureTile of="heardMs" figures={figures}>
        {line(t`Hours heard`, ({ heardMs }) => heardMs)}
      </FigureTile>
      <StatTile
        label={t`Heard to the end`}
        value={shareText(now.ends, now.memberPlays)}
        delta={pointsOf(shareOf(now.ends, now.memberPlays), shareOf(before.ends, before.memberPlays))}
        detail={fromText(before.ends, shareText(before.ends, before.memberPlays))}
      >
        {line(t`Share heard to the end`, ({ ends, memberPlays }) => shareOf(ends, memberPlays))}
      </StatTile>
    </StatTiles>
  );
}

function NeedsAttention({ failed }: { failed: Overview['failed'] }) {
  const { voice } = useStudio();
  const upload = href('/studio/:voice/upload', { voice: voice.slug });
  return (
    <section
      className="pane [box-shadow:inset_0_0_0_1px_color-mix(in_srgb,var(--danger)_45%,transparent)]"
      aria-labelledby="attention"
    >
      <h2 className="pane-title mb-1.5" id="attention">
        <Trans>Needs attention</Trans>
      </h2>
      <ul className="todo">
        {failed.map(({ id, title, failure, replaces }) => (
          <li key={id}>
            <span className="todo__icon bg-danger-soft text-danger">
              <Icon of={CircleAlert} size={18} />
            </span>
            <Facts title={title}>{failureTexts()[failure]}</Facts>
            <Button
              size="sm"
              render={
                <Link
                  to={replaces === null ? upload : `${upload}?replaces=${replaces}`}
                  aria-label={t`Replace ${title}`}
                />
              }
            >
              {t`Replace`}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Facts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <b className="block truncate">{title}</b>
      <small className="tabular-nums">{children}</small>
    </div>
  );
}

function Edit({ id, title }: { id: string; title: string }) {
  const { voice } = useStudio();
  return (
    <IconButton
      size={40}
      icon={Pencil}
      label={t`Edit ${title}`}
      render={<Link to={href('/studio/:voice/audios/:id', { voice: voice.slug, id })} />}
    />
  );
}
