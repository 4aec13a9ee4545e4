import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Upload from 'lucide-react/icons/upload';
import { href, Link, useLocation } from 'react-router';
import type { VoiceFigures } from '#domain/studio/figures/figures.ts';
import { metaOf } from '../../page-meta.ts';
import { orNotFound } from '../../route-errors.ts';
import { AudioFigures } from '../../studio/figures/audio-figures.tsx';
import { FigureTile } from '../../studio/figures/figure-tile.tsx';
import { type DayPlays, marksOf, rowsOf } from '../../studio/figures/figure-rows.ts';
import { FiguresDownload } from '../../studio/figures/figures-download.tsx';
import { managedVoice } from '../../studio/managed-voice.ts';
import { PeriodForm, PeriodLinks } from '../../studio/figures/period-links.tsx';
import { useStudio } from '../../studio/use-studio.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { DataTable } from '../../workshop/lists/data-table.tsx';
import { type Delta, countText, deltaOf } from '../../workshop/charts/figure-text.ts';
import { KeptPlayingTable } from '../../workshop/charts/kept-playing-table.tsx';
import { LineChart } from '../../workshop/charts/line-chart.tsx';
import { StatTiles } from '../../workshop/charts/stat-tiles.tsx';
import { WorkshopHead } from '../../workshop/workshop-head.tsx';
import type { Route } from './+types/figures';
import { formatDateRange, formatShortDate } from '#formats/moments.ts';

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { site, viewer, voice } = await managedVoice(context, params.voice);
  const asked = new URL(request.url).searchParams;
  const query = { days: asked.get('days'), from: asked.get('from'), to: asked.get('to') };
  const { days, daysBefore, ...figures } = orNotFound(await site.studio.findVoiceFigures(viewer, voice.id, query));
  const idOrSlug = asked.get('audio') ?? figures.audios[0]?.slug;
  if (idOrSlug === undefined) return { figures, days: [], daysBefore: [], one: undefined, peaks: undefined };
  const { period } = figures;
  const audio = orNotFound(await site.studio.findAudioFigures(viewer, { voiceId: voice.id, idOrSlug, period }));
  const { days: _days, daysBefore: _before, ...one } = audio;
  const recording = await site.studio.findRecording(one.audio.id);
  const playsOf = (list: VoiceFigures['days']): DayPlays[] => list.map(({ day, plays }) => ({ day, plays }));
  return { figures, days: playsOf(days), daysBefore: playsOf(daysBefore), one, peaks: recording?.peaks };
}

export const meta = metaOf(() => ({ title: t`Figures`, description: t`How your audios are doing`, index: 'no' }));

export default function StudioFigures({ loaderData: { figures, days, daysBefore, one, peaks } }: Route.ComponentProps) {
  const { voice } = useStudio();
  const { search } = useLocation();
  const { period } = figures;
  return (
    <>
      <WorkshopHead
        title={t`Figures`}
        facts={t`A play counts once per listener in the time the audio lasts. Nobody sees who listened.`}
      >
        {one !== undefined && (
          <>
            <PeriodLinks period={period} audio={one.audio.slug} />
            <FiguresDownload
              voice={voice.slug}
              search={search}
              label={t`Download figures per day as CSV, ${{ dates: formatDateRange(period.from, period.to) }}`}
            />
          </>
        )}
      </WorkshopHead>
      {one === undefined ? (
        <EmptyState title={t`No published audios yet`} text={t`Plays and listeners are counted from the first one on.`}>
          <Button variant="primary" render={<Link to={href('/studio/:voice/upload', { voice: voice.slug })} />}>
            <Icon of={Upload} size={18} />
            <Trans>Upload</Trans>
          </Button>
        </EmptyState>
      ) : (
        <>
          {period.offered === undefined && (
            <PeriodForm key={`${period.from} ${period.to}`} period={period} audio={one.audio.slug} />
          )}
          <section aria-label={t`All audios of ${{ name: voice.name }}`}>
            <StatTiles isRow>
              {(['plays', 'listeners', 'heardMs', 'newFavorites'] as const).map((of) => (
                <FigureTile key={of} of={of} figures={figures} />
              ))}
            </StatTiles>
            <PlaysChart figures={figures} days={days} daysBefore={daysBefore} />
            <p className="text-muted text-13 mt-3">
              <Trans>
                Days are in UTC; choose dates to see today. Fewer than ten listeners are shown as “Under 10”; days with
                fewer are counted together with the days that follow. Hours are of listeners with an account.
              </Trans>
            </p>
          </section>
          <KeptPlayingTable kept={figures.keptPlaying} className="mt-6" />
          <AudioFigures one={one} audios={figures.audios} period={period} peaks={peaks} />
        </>
      )}
    </>
  );
}

type PlaysChartProps = Pick<Route.ComponentProps['loaderData'], 'figures' | 'days' | 'daysBefore'>;

function PlaysChart({ figures: { period, periodBefore, now, before }, days, daysBefore }: PlaysChartProps) {
  const earlier = plural({ count: period.days }, { one: '# day before', other: '# days before' });
  const dates = formatDateRange(period.from, period.to);
  const datesBefore = formatDateRange(periodBefore.from, periodBefore.to);
  const shownPlays = days.flatMap(({ plays }) => plays ?? []);
  const range =
    shownPlays.length === 0
      ? t`Under 10 listeners.`
      : t`Between ${{ min: countText(Math.min(...shownPlays)) }} and ${{ max: countText(Math.max(...shownPlays)) }}, ${{ total: countText(now.plays) }} together.`;
  const summary = [t`Plays per day, ${dates}.`, range, changeText(deltaOf(now.plays, before.plays), period.days)]
    .filter(Boolean)
    .join(' ');

  function describe(index: number) {
    const [day, was] = [days[index], daysBefore[index]];
    const plays = day?.plays ?? null;
    const figure =
      plays === null ? t`Under 10 listeners` : plural({ count: plays }, { one: '# play', other: '# plays' });
    return {
      figure,
      when: t`${{ day: formatShortDate(day?.day ?? '') }}, before: ${{ figure: countText(was?.plays ?? null) }}`,
    };
  }

  return (
    <LineChart
      title={t`Plays per day`}
      keys={{ now: dates, before: earlier }}
      values={days.map(({ plays }) => plays)}
      before={daysBefore.map(({ plays }) => plays)}
      marks={marksOf(days)}
      summary={summary}
      describe={describe}
    >
      <DataTable
        caption={t`Plays, and plays of the period before (${datesBefore})`}
        heads={[t`Days`, t`Plays`, earlier]}
        rows={rowsOf(days, daysBefore)}
        foot={[t`Total`, countText(now.plays), countText(before.plays)]}
      />
    </LineChart>
  );
}

function changeText(change: Delta | undefined, days: number): string | undefined {
  if (change === undefined || change.direction === 'same') return undefined;
  const { text, direction } = change;
  return direction === 'up'
    ? t`That is ${text} more than in the ${plural({ count: days }, { one: '# day', other: '# days' })} before.`
    : t`That is ${text} fewer than in the ${plural({ count: days }, { one: '# day', other: '# days' })} before.`;
}
