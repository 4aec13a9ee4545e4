import { Trans } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import type { UserPlaylist } from '#domain/library/user-playlists.ts';
import { type PlaylistBackground, playlistBackgrounds, playlistFonts } from '#domain/library/rules.ts';
import { classNames } from '../ui/class-names.ts';
import { playlistBackgroundClass, playlistFontClass } from './user-playlist-cover.tsx';
import '../styles/library.css';

export type PlaylistCover = Pick<UserPlaylist, 'background' | 'font'>;

type CoverPickersProps = { playlist: PlaylistCover; onChoose: (change: Partial<PlaylistCover>) => void };

const sample =
  'h-10 rounded-cover peer-checked:[box-shadow:0_0_0_2px_var(--bg),0_0_0_4px_var(--accent)] peer-focus-visible:outline-2 peer-focus-visible:outline-offset-5 peer-focus-visible:outline-focus';

const backgroundLabels: Record<PlaylistBackground, () => string> = {
  'Pink to Blue': () => t`Pink to Blue`,
  'Blue to Green': () => t`Blue to Green`,
  'Pink to Orange': () => t`Pink to Orange`,
  'Purple to Blue': () => t`Purple to Blue`,
  'Blue to Orange': () => t`Blue to Orange`,
};

/** The five backgrounds and four fonts of spec §3. */
export function CoverPickers({ playlist, onChoose }: CoverPickersProps) {
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-3">
      <Picker
        name="background"
        legend={t`Background`}
        options={playlistBackgrounds}
        labelOf={(background) => backgroundLabels[background]()}
        chosen={playlist.background}
        onChoose={(background) => onChoose({ background })}
      >
        {(background) => <span className={classNames(sample, 'w-10', playlistBackgroundClass[background])} />}
      </Picker>
      <Picker
        name="font"
        legend={t`Font`}
        options={playlistFonts}
        labelOf={(font) => font}
        chosen={playlist.font}
        onChoose={(font) => onChoose({ font })}
      >
        {(font) => (
          <span
            className={classNames(sample, 'grid w-12 place-items-center bg-raised text-18 edge')}
            aria-hidden="true"
          >
            <span className={playlistFontClass(font, 'sample')}>
              <Trans>Aa</Trans>
            </span>
          </span>
        )}
      </Picker>
    </div>
  );
}

type PickerProps<Option> = {
  name: string;
  legend: string;
  options: readonly Option[];
  labelOf: (option: Option) => string;
  chosen: Option;
  onChoose: (option: Option) => void;
  /** Sample of an option, next to its radio button. */
  children: (option: Option) => ReactNode;
};

function Picker<Option extends string>(props: PickerProps<Option>) {
  const { name, legend, options, labelOf, chosen, onChoose, children } = props;
  return (
    <fieldset>
      <legend className="mb-2 p-0 text-13 font-semibold text-soft">{legend}</legend>
      <div className="flex flex-wrap gap-x-2 gap-y-3">
        {options.map((option) => (
          <label
            key={option}
            className="relative grid w-19 cursor-pointer content-start justify-items-center gap-1.5 text-center text-13 leading-[1.25] text-soft"
          >
            <input
              type="radio"
              className="peer sr-only"
              name={name}
              checked={option === chosen}
              onChange={() => onChoose(option)}
            />
            {children(option)}
            {labelOf(option)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
