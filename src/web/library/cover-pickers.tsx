import type { UserPlaylist } from '#domain/library/user-playlists.ts';
import { playlistBackgrounds, playlistFonts } from '#domain/library/rules.ts';
import { classNames } from '../ui/class-names.ts';
import { playlistBackgroundClass, playlistFontClass } from './user-playlist-cover.tsx';

type CoverPickersProps = {
  playlist: Pick<UserPlaylist, 'background' | 'font'>;
  onChoose: (change: Partial<Pick<UserPlaylist, 'background' | 'font'>>) => void;
};

/** The five backgrounds and four fonts of spec §3. */
export function CoverPickers({ playlist, onChoose }: CoverPickersProps) {
  return (
    <div className="mt-6 flex flex-wrap gap-x-7 gap-y-4">
      <fieldset>
        <legend className="cpick__l">Background</legend>
        <div className="cpick">
          {playlistBackgrounds.map((background) => (
            <label key={background}>
              <input
                type="radio"
                className="vh"
                name="background"
                aria-label={background}
                checked={background === playlist.background}
                onChange={() => onChoose({ background })}
              />
              <span className={classNames('cpick__c', playlistBackgroundClass[background])} />
            </label>
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend className="cpick__l">Font</legend>
        <div className="cpick">
          {playlistFonts.map((font) => (
            <label key={font}>
              <input
                type="radio"
                className="vh"
                name="font"
                aria-label={font}
                checked={font === playlist.font}
                onChange={() => onChoose({ font })}
              />
              <span className="cpick__c cpick__c--f" aria-hidden="true">
                <span className={playlistFontClass[font]}>Aa</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
    </div>
  );
}
