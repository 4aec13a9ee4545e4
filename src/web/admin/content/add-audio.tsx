import { t } from '@lingui/core/macro';
import type { ListedAudio } from '#domain/admin/content/house-playlists.ts';
import { answerOf, api } from '../../api.ts';
import { formatTime } from '#formats/durations.ts';
import { Cover } from '#web/ui/images/cover.tsx';
import { AudioField } from '../../workshop/forms/audio-field.tsx';

type AddAudioProps = {
  /** Default: for a list. */
  label?: string;
  listedText?: string;
  isListed: (id: string) => boolean;
  onAdd: (audio: ListedAudio) => void;
};

/** Finds one of all audios by title or creator. */
export function AddAudio({ label = t`Add an audio`, listedText = t`In this list`, isListed, onAdd }: AddAudioProps) {
  return (
    <AudioField<ListedAudio>
      label={label}
      placeholder={t`Title or creator`}
      search={(q, signal) => answerOf(api.admin['audio-choices'].$get({ query: { q } }, { init: { signal } }))}
      detailOf={({ voice, duration, isPublished }) => `${nameOf(voice, isPublished)}, ${formatTime(duration)}`}
      obstacleOf={({ id }) => (isListed(id) ? listedText : undefined)}
      onAdd={onAdd}
    />
  );
}

function nameOf(voice: string, isPublished: boolean): string {
  return isPublished ? voice : t`${voice}, not published`;
}

/** An audio that was added, as a row of a hand-ordered list. */
export function AddedAudio({ audio: { imageUrl, title, voice, isPublished, duration } }: { audio: ListedAudio }) {
  return (
    <>
      <Cover imageUrl={imageUrl} size={40} />
      <span className="min-w-0">
        <b className="block truncate">{title}</b>
        <small className="text-13 block truncate text-muted">{nameOf(voice, isPublished)}</small>
      </span>
      <span className="time-cell text-end text-muted">{formatTime(duration)}</span>
    </>
  );
}
