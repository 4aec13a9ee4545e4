import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Check from 'lucide-react/icons/check';
import type { ReactNode } from 'react';
import type { AudioRowItem } from '#domain/catalogue/audios.ts';
import type { ContentSource } from '#domain/analytics/forms.ts';
import { formatCount } from '#formats/numbers.ts';
import { formatTime } from '#formats/durations.ts';
import { PlayButton } from '#web/listening/play-button.tsx';
import { useIsHeard, usePlayback, useProgress } from '#web/listening/player-provider.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { AudioMenu } from './audio-menu.tsx';
import { AudioLink, VoiceLink } from './content-link.tsx';
import { foreign, ForeignMark } from './foreign-language.tsx';
import { audioFavorite, FavoriteButton } from './favorite-button.tsx';
import type { RestOfList } from '#web/listening/load-list.ts';
import type { Playable } from '#web/listening/track-of.ts';

type AudioRowProps = {
  /** List that the row is in; playback continues through it. */
  audios: AudioRowItem[];
  index: number;
  number: number | undefined;
  source: ContentSource;
  rest: RestOfList | undefined;
  listName: string;
};

/** Desktop row and mobile card in one; CSS decides which parts show, and where (spec §2, “Audio lists”). */
export function AudioRow({ audios, index, number, source, rest, listName }: AudioRowProps) {
  const audio = audios[index];
  const { isCurrent } = usePlayback(audio?.id ?? '');
  if (audio === undefined) return null;
  return (
    <li className="row" aria-current={isCurrent ? 'true' : undefined}>
      <RowNumber audio={audio} number={number} />
      <AudioRowParts
        audio={audio}
        source={source}
        play={
          <PlayButton audios={audios} index={index} source={source} variant="pill" rest={rest} listName={listName} />
        }
      />
    </li>
  );
}

type AudioRowPartsProps = {
  audio: AudioRowItem;
  source: ContentSource;
  play: ReactNode;
  onMove?: ((by: 1 | -1) => void) | undefined;
  onRemove?: (() => void) | undefined;
};

/** A row without its first cell: its number, or the grip that moves it. */
export function AudioRowParts({ audio, source, play, onMove, onRemove }: AudioRowPartsProps) {
  const { inProgress } = usePlayback(audio.id);
  const { plays } = audio;
  const lang = foreign(audio.language);
  return (
    <>
      <Cover imageUrl={audio.imageUrl} width={72} />
      <RowTitles audio={audio} source={source}>
        {formatTime(audio.numberDuration)}
        <span className="dot">{plural(plays, { one: '# play', other: '# plays' })}</span>
        <HeardMark audioId={audio.id} />
      </RowTitles>
      <p className="row__length truncate" lang={lang}>
        {audio.description}
      </p>
      <p className="row__long" lang={lang}>
        {audio.description}
      </p>
      <span className="row__menu tabular-nums">{formatCount(plays)}</span>
      <span className="row__menu tabular-nums">
        <HeardMark audioId={audio.id} />
        {formatTime(audio.numberDuration)}
      </span>
      {play}
      <FavoriteButton {...audioFavorite(audio, source)} />
      <AudioMenu audio={audio} place="row" source={source} onMove={onMove} onRemove={onRemove} />
      {inProgress && <RowProgress audio={audio} />}
    </>
  );
}

type RowTitlesProps = {
  audio: Pick<Playable, 'id' | 'slug' | 'title' | 'voice'> & {
    language?: string;
    contentNotes?: AudioRowItem['contentNotes'];
  };
  source: ContentSource;
  children: ReactNode;
};

/** Links to the audio and its creator, and a line of facts. */
export function RowTitles({ audio, source, children }: RowTitlesProps) {
  // Absent in what browsers kept from before there were notes.
  const [note, ...more] = audio.contentNotes ?? [];
  return (
    <div className="row__titles">
      <AudioLink className="row__title truncate" audio={audio} source={source}>
        {audio.title}
      </AudioLink>
      <div className="flex">
        <VoiceLink className="row__voice truncate" voice={audio.voice} source={source}>
          {audio.voice.name}
        </VoiceLink>
        {note && (
          <span className="dot row__voice flex-none">
            {note.label}
            {more[0] && ` +${more.length}`}
          </span>
        )}
        <ForeignMark tag={audio.language} className="dot row__voice flex-none" />
      </div>
      <p className="row__meta tabular-nums">{children}</p>
    </div>
  );
}

/** Shown next to the duration when the audio was heard to the end. */
function HeardMark({ audioId }: { audioId: string }) {
  if (!useIsHeard(audioId)) return null;
  return (
    <span className="row__heard" title={t`Heard`}>
      <Icon of={Check} size={16} />
      <span className="sr-only">
        <Trans>Heard</Trans>
      </span>
    </span>
  );
}

/** The row’s number; for the current audio, animated bars. */
export function RowNumber({ audio, number }: { audio: AudioRowItem; number: number | undefined }) {
  const { isCurrent, status } = usePlayback(audio.id);
  return (
    <span className="row__number tabular-nums">
      {isCurrent ? <MovingBars moving={status === 'playing'} /> : number}
    </span>
  );
}

function MovingBars({ moving }: { moving: boolean }) {
  return (
    <>
      <span className="equalizer" data-paused={!moving || undefined} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span className="sr-only">{moving ? t`Playing` : t`Paused`}</span>
    </>
  );
}

/** A component of its own, so that the row does not re-render while audio plays. */
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
