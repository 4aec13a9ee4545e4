import type { UserPlaylist } from '#domain/library/user-playlists.ts';
import { playlistBackgrounds, playlistFonts } from '#domain/library/rules.ts';
import { classNames } from '../ui/class-names.ts';
import { playlistBackgroundClass, playlistFontClass } from './user-playlist-cover.tsx';
import '../styles/library.css';

export type PlaylistCover = Pick<UserPlaylist, 'background' | 'font'>;

type CoverPickersProps = { playlist: PlaylistCover; onChoose: (change: Partial<PlaylistCover>) => void };

const option =
  'relative grid w-19 cursor-pointer content-start justify-items-center gap-1.5 text-center text-13 leading-[1.25] text-soft';
const sample =
  'h-10 rounded-cover peer-checked:[box-shadow:0_0_0_2px_var(--bg),0_0_0_4px_var(--accent)] peer-focus-visible:outline-2 peer-focus-visible:outline-offset-5 peer-focus-visible:outline-focus';

/** The five backgrounds and four fonts of spec §3. */
export function CoverPickers({ playlist, onChoose }: CoverPickersProps) {
  return (
    <div className="flex flex-wrap gap-x-7 gap-y-4">
      <fieldset>
        <legend className="mb-2 p-0 text-13 font-semibold text-soft">Background</legend>
        <div className="flex flex-wrap gap-x-2 gap-y-3">
          {playlistBackgrounds.map((background) => (
            <label key={background} className={option}>
              <input
                type="radio"
                className="peer sr-only"
                name="background"
                checked={background === playlist.background}
                onChange={() => onChoose({ background })}
              />
              <span className={classNames(sample, 'w-10', playlistBackgroundClass[background])} />
              {background}
            </label>
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend className="mb-2 p-0 text-13 font-semibold text-soft">Font</legend>
        <div className="flex flex-wrap gap-x-2 gap-y-3">
          {playlistFonts.map((font) => (
            <label key={font} className={option}>
              <input
                type="radio"
                className="peer sr-only"
                name="font"
                checked={font === playlist.font}
                onChange={() => onChoose({ font })}
              />
              <span
                className={classNames(sample, 'grid w-12 place-items-center bg-raised text-18 edge')}
                aria-hidden="true"
              >
                <span className={playlistFontClass(font, 'sample')}>Aa</span>
              </span>
              {font}
            </label>
          ))}
        </div>
      </fieldset>
    </div>
  );
}
