import Search from 'lucide-react/icons/search';
import type { ListedAudio } from '#domain/admin/content/house-playlists.ts';
import { answerOf, api } from '../../api.ts';
import { formatTime } from '#formats/durations.ts';
import { Cover } from '#web/ui/images/cover.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { useCombobox } from '../../workshop/use-combobox.ts';

/** Milliseconds without a key before a search begins. */
const pauseMs = 200;

type AddAudioProps = {
  /** Default: for a list. */
  label?: string;
  listedText?: string;
  isListed: (id: string) => boolean;
  onAdd: (audio: ListedAudio) => void;
};

/** Finds audios by title or creator and adds them: a combobox for mouse and keyboard. */
export function AddAudio({ label = 'Add an audio', listedText = 'In this list', isListed, onAdd }: AddAudioProps) {
  const { id, field, list, option, options, active, shown } = useCombobox<ListedAudio>({
    pauseMs,
    search: (q, signal) => answerOf(api.admin['audio-choices'].$get({ query: { q } }, { init: { signal } })),
    canChoose: (audio) => !isListed(audio.id),
    onChoose: onAdd,
  });
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="input">
        <Icon of={Search} size={18} />
        <input
          {...field}
          id={id}
          className="input__field"
          type="search"
          maxLength={200}
          placeholder="Title or creator"
        />
      </div>
      {options.length > 0 && (
        <ul {...list} className="choice-list" aria-label="Audios to add">
          {options.map((audio, index) => (
            <li {...option(audio, index)} key={audio.id}>
              <Cover imageUrl={audio.imageUrl} size={40} />
              <span className="min-w-0">
                <b className="block truncate">{audio.title}</b>
                <small>
                  {audio.voice}, {formatTime(audio.duration)}
                  {!audio.isPublished && ', not published'}
                </small>
              </span>
              <span className="text-13 text-muted">
                {isListed(audio.id) ? listedText : index === active ? 'Enter' : ''}
              </span>
            </li>
          ))}
        </ul>
      )}
      <output className="text-13 mt-2 block text-muted">
        {shown && 'failure' in shown && shown.failure}
        {shown && 'items' in shown && shown.items.length === 0 && `Nothing found for “${shown.text}”`}
      </output>
    </div>
  );
}

/** An audio that was added, as a row of a hand-ordered list. */
export function AddedAudio({ audio: { imageUrl, title, voice, isPublished, duration } }: { audio: ListedAudio }) {
  return (
    <>
      <Cover imageUrl={imageUrl} size={40} />
      <span className="min-w-0">
        <b className="block truncate">{title}</b>
        <small className="text-13 block truncate text-muted">
          {voice}
          {!isPublished && ', not published'}
        </small>
      </span>
      <span className="time-cell text-right text-muted">{formatTime(duration)}</span>
    </>
  );
}
