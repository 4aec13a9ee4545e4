import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { href, Link } from 'react-router';
import type { AudioFigures as Figures, FigureAudio } from '#domain/studio/figures/figures.ts';
import type { Period } from '#domain/studio/figures/figure-periods.ts';
import { formatDecimal } from '#formats/decimals.ts';
import { formatTime } from '#formats/durations.ts';
import { Button } from '../../ui/button.tsx';
import { type Bar, BarList } from '../../workshop/charts/bar-list.tsx';
import { QueryForm } from '../../workshop/lists/query-form.tsx';
import { countText, deltaOf, hoursText, shareText } from '../../workshop/charts/figure-text.ts';
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
        <h2 id="one">
          <Trans>One audio</Trans>
        </h2>
        <AudioChoice audio={audio} audios={audios} period={period} />
      </div>
      <StatTiles label={audio.title} isRow>
        <StatTile
          label={t`Plays`}
          value={countText(now.plays)}
          delta={deltaOf(now.plays, before.plays)}
          detail={now.plays === null ? t`listeners` : fromText(before.plays)}
        />
        <StatTile
          label={t({ message: 'Listeners', context: 'figure' })}
          value={countText(now.listeners)}
          detail={eachText(now)}
        />
        <StatTile label={t`Hours heard`} value={hoursText(now.heardMs)} detail={perPlayText(now, audio.durationMs)} />
        <StatTile
          label={t`Heard to the end`}
          value={shareText(now.ends, now.memberPlays)}
          detail={
            now.ends === null || now.memberPlays === null
              ? t`listeners with an account`
              : t`${{ ends: countText(now.ends) }} of ${plural({ count: now.memberPlays }, { one: '# play', other: '# plays' })} with an account`
          }
        />
      </StatTiles>
      {one.shares === null ? (
        <section className="pane mt-5">
          <h3 className="pane-title">
            <Trans>How far people listened</Trans>
          </h3>
          <p className="mt-2 text-muted">
            <Trans>Shown once ten listeners with an account have played it in this period.</Trans>
          </p>
        </section>
      ) : (
        <DropOff shares={one.shares} durationMs={audio.durationMs} peaks={peaks} />
      )}
      <div className="mt-6 grid grid-cols-2 items-start gap-6 *:min-w-0 max-lg:grid-cols-1">
        <section className="pane" aria-labelledby="sources">
          <div className="pane__head">
            <h3 className="pane-title" id="sources">
              <Trans>Where plays come from</Trans>
            </h3>
          </div>
          {one.sources.length === 0 ? (
            <p className="text-muted">
              <Trans>Under 10 listeners in this period.</Trans>
            </p>
          ) : (
            <BarList bars={barsOf(one)} />
          )}
          {one.sources.some(({ source }) => source === 'other') && (
            <p className="text-muted text-13 mt-2">
              <Trans>Sources with fewer than 10 listeners are combined.</Trans>
            </p>
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
    <QueryForm className="pick" label={t`Audio to show`}>
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
        aria-label={t`Audio`}
        defaultValue={audio.slug}
      >
        {choices.map(({ id, slug, title }) => (
          <option key={id} value={slug}>
            {title}
          </option>
        ))}
      </select>
      <Button type="submit" aria-label={t`Show this audio`}>
        {t`Show`}
      </Button>
    </QueryForm>
  );
}

function Carriers({ one: { playlists, listenerPlaylists, playlistPlays } }: { one: OneAudio }) {
  const isNamed = playlists.some(({ plays }) => plays !== null);
  const unnamed = playlistPlays.others === null ? countText(null) : t`Combined with others`;
  const publicPlaylists = countText(listenerPlaylists);
  return (
    <section className="pane" aria-labelledby="playlists">
      <div className="pane__head">
        <h3 className="pane-title" id="playlists">
          <Trans>Playlists with this audio</Trans>
        </h3>
      </div>
      <table className="data-table data-table--compact tabular-nums [&_:is(td,th):first-child]:ps-0 [&_:is(td,th):last-child]:pe-0">
        <caption className="sr-only">
          <Trans>Plays from playlists</Trans>
        </caption>
        <thead>
          <tr>
            <th scope="col">
              <Trans>Playlist</Trans>
            </th>
            <th scope="col" className="number">
              <Trans>Plays</Trans>
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
              <Trans>
                Playlists of listeners<span className="text-muted">, {publicPlaylists} public</span>
              </Trans>
            </th>
            <td className="number whitespace-nowrap">
              {playlistPlays.listeners === null ? unnamed : countText(playlistPlays.listeners)}
            </td>
          </tr>
          {playlistPlays.others !== null && (
            <tr>
              <th scope="row">{isNamed || playlistPlays.listeners !== null ? t`Others` : t`Not shown separately`}</th>
              <td className="number">{countText(playlistPlays.others)}</td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">
              <Trans>Playlists</Trans>
            </th>
            <td className="number">{countText(playlistPlays.all)}</td>
          </tr>
        </tfoot>
      </table>
      <p className="text-muted text-13 mt-2">
        <Trans>
          Playlists with fewer than 10 listeners are combined. “Others” also has plays that did not name their playlist.
        </Trans>
      </p>
    </section>
  );
}

function eachText({ plays, listeners }: OneAudio['now']): string | undefined {
  if (plays === null || listeners === null) return undefined;
  return t`Played ${{ times: formatDecimal(plays / listeners) }} times each`;
}

/** Hours and these plays count listeners with an account only. */
function perPlayText({ heardMs, memberPlays }: OneAudio['now'], durationMs: number): string | undefined {
  if (heardMs === null || memberPlays === null || memberPlays === 0) return t`listeners with an account`;
  return t`${{ heard: formatTime(heardMs / memberPlays / 1000) }} of ${{ duration: formatTime(durationMs / 1000) }} per play with an account`;
}

const sourceNames: Record<string, () => string> = {
  home: () => t`Home`,
  playlists: () => t`Playlists`,
  search: () => t({ message: 'Search', context: 'page' }),
  voice: () => t`Creator page`,
  shared: () => t`Shared links`,
  categories: () => t`Categories`,
  audio: () => t`Audio page`,
  'kept-playing': () => t`Keep playing`,
  series: () => t({ message: 'Series', context: 'several' }),
  favorites: () => t`Favorites`,
  podcast: () => t`Podcast apps`,
  embed: () => t`Other sites`,
  queue: () => t`Queue`,
  preview: () => t({ message: 'Preview', context: 'audio for visitors' }),
  blog: () => t`Blog`,
  unknown: () => t`Unknown`,
  other: () => t`Others`,
};

function barsOf({ sources }: OneAudio): Bar[] {
  const whole = sources.reduce((sum, { plays }) => sum + (plays ?? 0), 0);
  return sources.map(({ source, plays }) => ({
    label: sourceNames[source]?.() ?? source,
    share: plays === null || whole === 0 ? null : plays / whole,
    text: countText(plays),
    isRest: source === 'other' || source === 'unknown',
  }));
}
