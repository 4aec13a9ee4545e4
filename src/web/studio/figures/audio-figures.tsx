import { href, Link } from 'react-router';
import type { AudioFigures as Figures, FigureAudio } from '#domain/studio/figures/figures.ts';
import type { Period } from '#domain/studio/figures/figure-periods.ts';
import { countOf } from '#formats/numbers.ts';
import { formatTime } from '#formats/durations.ts';
import { Button } from '../../ui/button.tsx';
import { type Bar, BarList } from '../../workshop/charts/bar-list.tsx';
import { QueryForm } from '../../workshop/lists/query-form.tsx';
import { countText, deltaOf, hoursText, shareText, underTenListeners } from '../../workshop/charts/figure-text.ts';
import { fromText } from './figure-tile.tsx';
import { StatTile, StatTiles } from '../../workshop/charts/stat-tiles.tsx';
import { DropOff } from './drop-off.tsx';

export type OneAudio = Omit<Figures, 'days' | 'daysBefore'>;

type AudioFiguresProps = {
  one: OneAudio;
  /** Audios in the menu. */
  audios: FigureAudio[];
  period: Period;
  peaks: string | undefined;
};

/** Figures of one audio: how far people listened, sources of plays, and playlists. */
export function AudioFigures({ one, audios, period, peaks }: AudioFiguresProps) {
  const { audio, now, before } = one;
  return (
    <section className="mt-10 max-md:mt-8" aria-labelledby="one">
      <div className="workshop-section__head">
        <h2 id="one">One audio</h2>
        <AudioChoice audio={audio} audios={audios} period={period} />
      </div>
      <StatTiles label={audio.title} isRow>
        <StatTile
          label="Plays"
          value={countText(now.plays)}
          delta={deltaOf(now.plays, before.plays)}
          detail={now.plays === null ? 'listeners' : fromText(before.plays)}
        />
        <StatTile label="Listeners" value={countText(now.listeners)} detail={eachText(now)} />
        <StatTile label="Hours heard" value={hoursText(now.heardMs)} detail={perPlayText(now, audio.durationMs)} />
        <StatTile
          label="Heard to the end"
          value={shareText(now.ends, now.memberPlays)}
          detail={
            now.ends === null || now.memberPlays === null
              ? 'listeners with an account'
              : `${countText(now.ends)} of ${countOf(now.memberPlays, 'play')} with an account`
          }
        />
      </StatTiles>
      {one.shares === null ? (
        <section className="pane mt-5">
          <h3 className="pane-title">How far people listened</h3>
          <p className="mt-2 text-muted">Shown once ten listeners with an account have played it in this period.</p>
        </section>
      ) : (
        <DropOff shares={one.shares} durationMs={audio.durationMs} peaks={peaks} />
      )}
      <div className="mt-6 grid grid-cols-2 items-start gap-6 *:min-w-0 max-lg:grid-cols-1">
        <section className="pane" aria-labelledby="sources">
          <div className="pane__head">
            <h3 className="pane-title" id="sources">
              Where plays come from
            </h3>
          </div>
          {one.sources.length === 0 ? (
            <p className="text-muted">{underTenListeners()} in this period.</p>
          ) : (
            <BarList bars={barsOf(one)} />
          )}
          {one.sources.some(({ source }) => source === 'other') && (
            <p className="text-muted text-13 mt-2">Sources with fewer than 10 listeners are combined.</p>
          )}
        </section>
        <Carriers one={one} />
      </div>
    </section>
  );
}

function AudioChoice({ audio, audios, period }: { audio: FigureAudio; audios: FigureAudio[]; period: Period }) {
  const choices = audios.some(({ id }) => id === audio.id) ? audios : [audio, ...audios];
  return (
    <QueryForm className="pick" label="Audio to show">
      {period.offered === undefined ? (
        <>
          <input type="hidden" name="from" value={period.from} />
          <input type="hidden" name="to" value={period.to} />
        </>
      ) : (
        <input type="hidden" name="days" value={period.offered} />
      )}
      {/* Remounts after navigation, so that the menu shows the page's audio. */}
      <select
        key={audio.slug}
        className="input input--dense w-[min(380px,100%)] ps-3.5 pe-9"
        name="audio"
        aria-label="Audio"
        defaultValue={audio.slug}
      >
        {choices.map(({ id, slug, title }) => (
          <option key={id} value={slug}>
            {title}
          </option>
        ))}
      </select>
      <Button type="submit" aria-label="Show this audio">
        Show
      </Button>
    </QueryForm>
  );
}

function Carriers({ one: { playlists, listenerPlaylists, playlistPlays } }: { one: OneAudio }) {
  const isNamed = playlists.some(({ plays }) => plays !== null);
  const unnamed = playlistPlays.others === null ? countText(null) : 'Combined with others';
  return (
    <section className="pane" aria-labelledby="playlists">
      <div className="pane__head">
        <h3 className="pane-title" id="playlists">
          Playlists with this audio
        </h3>
      </div>
      <table className="data-table data-table--compact tabular-nums [&_:is(td,th):first-child]:pl-0 [&_:is(td,th):last-child]:pr-0">
        <caption className="sr-only">Plays from playlists</caption>
        <thead>
          <tr>
            <th scope="col">Playlist</th>
            <th scope="col" className="number">
              Plays
            </th>
          </tr>
        </thead>
        <tbody>
          {playlists.map(({ slug, title, plays }) => (
            <tr key={slug}>
              <th scope="row">
                <Link className="truncate max-lg:-my-3.5 max-lg:py-3.5" to={href('/playlists/:slug', { slug })}>
                  {title}
                </Link>
              </th>
              <td className="number whitespace-nowrap">{plays === null ? unnamed : countText(plays)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">
              Playlists of listeners
              <span className="text-muted">, {countText(listenerPlaylists)} public</span>
            </th>
            <td className="number whitespace-nowrap">
              {playlistPlays.listeners === null ? unnamed : countText(playlistPlays.listeners)}
            </td>
          </tr>
          {playlistPlays.others !== null && (
            <tr>
              <th scope="row">{isNamed || playlistPlays.listeners !== null ? 'Others' : 'Not shown separately'}</th>
              <td className="number">{countText(playlistPlays.others)}</td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Playlists</th>
            <td className="number">{countText(playlistPlays.all)}</td>
          </tr>
        </tfoot>
      </table>
      <p className="text-muted text-13 mt-2">
        Playlists with fewer than 10 listeners are combined. “Others” also has plays that did not name their playlist.
      </p>
    </section>
  );
}

function eachText({ plays, listeners }: OneAudio['now']): string | undefined {
  if (plays === null || listeners === null) return undefined;
  return `Played ${(plays / listeners).toFixed(1)} times each`;
}

/** Hours and these plays count listeners with an account only. */
function perPlayText({ heardMs, memberPlays }: OneAudio['now'], durationMs: number): string | undefined {
  if (heardMs === null || memberPlays === null || memberPlays === 0) return 'listeners with an account';
  return `${formatTime(heardMs / memberPlays / 1000)} of ${formatTime(durationMs / 1000)} per play with an account`;
}

const sourceNames: Record<string, string> = {
  home: 'Home',
  playlists: 'Playlists',
  search: 'Search',
  voice: 'Creator page',
  shared: 'Shared links',
  categories: 'Categories',
  audio: 'Audio page',
  series: 'Series',
  favorites: 'Favorites',
  podcast: 'Podcast apps',
  queue: 'Queue',
  preview: 'Preview',
  blog: 'Blog',
  unknown: 'Unknown',
  other: 'Others',
};

function barsOf({ sources }: OneAudio): Bar[] {
  const whole = sources.reduce((sum, { plays }) => sum + (plays ?? 0), 0);
  return sources.map(({ source, plays }) => ({
    label: sourceNames[source] ?? source,
    share: plays === null || whole === 0 ? null : plays / whole,
    text: countText(plays),
    isRest: source === 'other' || source === 'unknown',
  }));
}
