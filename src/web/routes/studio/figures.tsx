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
import { countText, deltaOf, underTen, underTenListeners } from '../../workshop/charts/figure-text.ts';
import { LineChart } from '../../workshop/charts/line-chart.tsx';
import { StatTiles } from '../../workshop/charts/stat-tiles.tsx';
import { WorkshopHead } from '../../workshop/workshop-head.tsx';
import type { Route } from './+types/figures';
import { formatDateRange } from '#formats/moments.ts';
import { formatShortDate } from '#formats/times.ts';
import { countOf } from '#formats/numbers.ts';

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

export const meta = metaOf({ title: 'Figures', description: 'How your audios are doing', index: 'no' });

export default function StudioFigures({ loaderData: { figures, days, daysBefore, one, peaks } }: Route.ComponentProps) {
  const { voice } = useStudio();
  const { search } = useLocation();
  const { period } = figures;
  return (
    <>
      <WorkshopHead
        title="Figures"
        facts="A play counts once per listener in the time the audio lasts. Nobody sees who listened."
      >
        {one !== undefined && (
          <>
            <PeriodLinks period={period} audio={one.audio.slug} />
            <FiguresDownload
              voice={voice.slug}
              search={search}
              label={`Download figures per day as CSV, ${formatDateRange(period.from, period.to)}`}
            />
          </>
        )}
      </WorkshopHead>
      {one === undefined ? (
        <EmptyState title="No published audios yet" text="Plays and listeners are counted from the first one on.">
          <Button variant="primary" render={<Link to={href('/studio/:voice/upload', { voice: voice.slug })} />}>
            <Icon of={Upload} size={18} />
            Upload
          </Button>
        </EmptyState>
      ) : (
        <>
          {period.offered === undefined && (
            <PeriodForm key={`${period.from} ${period.to}`} period={period} audio={one.audio.slug} />
          )}
          <section aria-label={`All audios of ${voice.name}`}>
            <StatTiles isRow>
              {(['plays', 'listeners', 'heardMs', 'newFavorites'] as const).map((of) => (
                <FigureTile key={of} of={of} figures={figures} />
              ))}
            </StatTiles>
            <PlaysChart figures={figures} days={days} daysBefore={daysBefore} />
            <p className="text-muted text-13 mt-3">
              Days are in UTC; choose dates to see today. Fewer than ten listeners read “{underTen()}”; days with fewer
              are counted together with the days that follow. Hours are of listeners with an account.
            </p>
          </section>
          <AudioFigures one={one} audios={figures.audios} period={period} peaks={peaks} />
        </>
      )}
    </>
  );
}

type PlaysChartProps = Pick<Route.ComponentProps['loaderData'], 'figures' | 'days' | 'daysBefore'>;

function PlaysChart({ figures: { period, periodBefore, now, before }, days, daysBefore }: PlaysChartProps) {
  const earlier = `${countOf(period.days, 'day')} before`;
  const change = deltaOf(now.plays, before.plays);
  const shownPlays = days.flatMap(({ plays }) => plays ?? []);
  const summary = [
    `Plays per day, ${formatDateRange(period.from, period.to)}.`,
    shownPlays.length === 0
      ? 'Under 10 listeners.'
      : `Between ${countText(Math.min(...shownPlays))} and ${countText(Math.max(...shownPlays))}, ${countText(now.plays)} together${
          change === undefined || change.direction === 'same'
            ? '.'
            : `, ${change.text} ${change.direction === 'up' ? 'more' : 'fewer'} than in the ${earlier}.`
        }`,
  ].join(' ');

  function describe(index: number) {
    const [day, was] = [days[index], daysBefore[index]];
    const plays = day?.plays ?? null;
    const figure = plays === null ? underTenListeners() : countOf(plays, 'play');
    return { figure, when: `${formatShortDate(day?.day ?? '')}, before: ${countText(was?.plays ?? null)}` };
  }

  return (
    <LineChart
      title="Plays per day"
      keys={{ now: formatDateRange(period.from, period.to), before: earlier }}
      values={days.map(({ plays }) => plays)}
      before={daysBefore.map(({ plays }) => plays)}
      marks={marksOf(days)}
      summary={summary}
      describe={describe}
    >
      <DataTable
        caption={`Plays, and plays in the ${earlier} (${formatDateRange(periodBefore.from, periodBefore.to)})`}
        heads={['Days', 'Plays', earlier]}
        rows={rowsOf(days, daysBefore)}
        foot={['Total', countText(now.plays), countText(before.plays)]}
      />
    </LineChart>
  );
}
