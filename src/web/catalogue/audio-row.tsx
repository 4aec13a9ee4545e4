import type { ReactNode } from 'react';
import type { Audio } from '#domain/catalogue/audios.ts';
import type { ContentSource } from '#domain/insight/forms.ts';
import { formatCount, formatCountOf, formatTime } from '#web/format.ts';
import { PlayButton } from '#web/listening/play-button.tsx';
import { usePlayback, useProgress } from '#web/listening/player-provider.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Cover } from '#web/ui/cover.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { AudioMenu } from './audio-menu.tsx';
import { AudioLink, VoiceLink } from './content-link.tsx';
import { FavoriteButton } from './favorite-button.tsx';

type AudioRowProps = {
  /** The list it stands in, which plays on from it. */
  audios: Audio[];
  index: number;
  number: number | undefined;
  source: ContentSource;
  listName: string;
};

/** Desktop row and mobile card in one: which of its parts show, and where, is the style's business (spec §2, "Audio lists"). */
export function AudioRow({ audios, index, number, source, listName }: AudioRowProps) {
  const audio = audios[index];
  const { isCurrent } = usePlayback(audio?.id ?? '');
  if (audio === undefined) return null;
  return (
    <li className={classNames('row', isCurrent && 'is-current')} aria-current={isCurrent ? 'true' : undefined}>
      <AudioRowParts
        audio={audio}
        source={source}
        lead={<RowNumber audio={audio} number={number} />}
        play={<PlayButton audios={audios} index={index} source={source} look="pill" listName={listName} />}
      />
    </li>
  );
}

type AudioRowPartsProps = {
  audio: Audio;
  source: ContentSource;
  /** What it begins with: its number, or the grip that moves it. */
  lead: ReactNode;
  play: ReactNode;
  onMove?: ((by: 1 | -1) => void) | undefined;
  onRemove?: (() => void) | undefined;
};

/** All that stands in a row. */
export function AudioRowParts({ audio, source, lead, play, onMove, onRemove }: AudioRowPartsProps) {
  const { inProgress } = usePlayback(audio.id);
  return (
    <>
      {lead}
      <Cover imageUrl={audio.imageUrl} width={72} />
      <div className="row__tt">
        <AudioLink className="row__t trunc" audio={audio} source={source}>
          {audio.title}
        </AudioLink>
        <VoiceLink className="row__v trunc" voice={audio.voice} source={source}>
          {audio.voice.name}
        </VoiceLink>
        <p className="row__mm num">
          {formatTime(audio.numberDuration)}
          <span className="dot">{formatCountOf(audio.plays, 'play')}</span>
        </p>
      </div>
      <p className="row__d trunc">{audio.description}</p>
      <p className="row__long">{audio.description}</p>
      <span className="row__x row__plays num">{formatCount(audio.plays)}</span>
      <span className="row__x num">{formatTime(audio.numberDuration)}</span>
      {play}
      <FavoriteButton
        contentTypeId="audio"
        name={audio.title}
        subjectId={audio.id}
        source={source}
        imageUrl={audio.imageUrl}
      />
      <AudioMenu audio={audio} place="row" source={source} onMove={onMove} onRemove={onRemove} />
      {inProgress && <RowProgress audio={audio} />}
    </>
  );
}

/** Its place in the list; while it is the current one, bars that move. */
export function RowNumber({ audio, number }: { audio: Audio; number: number | undefined }) {
  const { isCurrent, status } = usePlayback(audio.id);
  return <span className="row__n num">{isCurrent ? <MovingBars moving={status === 'playing'} /> : number}</span>;
}

function MovingBars({ moving }: { moving: boolean }) {
  return (
    <>
      <span className={classNames('eq', !moving && 'is-still')} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <VisuallyHidden>{moving ? 'Playing' : 'Paused'}</VisuallyHidden>
    </>
  );
}

/** Apart from the row, which need not draw itself anew while the sound goes on. */
export function RowProgress({ audio }: { audio: { id: string; numberDuration: number } }) {
  const progress = useProgress(audio);
  return (
    <span className="row__bar" aria-hidden="true">
      <span className="bar">
        <i style={{ width: `${progress * 100}%` }} />
      </span>
    </span>
  );
}
