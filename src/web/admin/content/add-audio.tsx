/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/click-events-have-key-events -- a combobox: the field has the focus and the keys */
import Search from 'lucide-react/icons/search';
import { useEffect, useId, useState } from 'react';
import type { ListedAudio } from '#domain/admin/content/house-playlists.ts';
import { answerOf, api } from '../../api.ts';
import { formatTime } from '#formats/durations.ts';
import { Cover } from '#web/ui/images/cover.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { isComposing } from '../../ui/fields/is-composing.ts';

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
  const id = useId();
  const [q, setQ] = useState('');
  const [found, setFound] = useState<{ q: string; items: ListedAudio[] } | { q: string; failure: string }>();
  const [current, setCurrent] = useState(0);
  const [isOpen, setIsOpen] = useState(false);
  const term = q.trim();

  useEffect(() => {
    if (term === '') return;
    let isWanted = true;
    const timer = setTimeout(async () => {
      const answer = await answerOf(api.admin['audio-choices'].$get({ query: { q: term } }));
      if (!isWanted) return;
      setCurrent(0);
      setFound(answer.ok ? { q: term, items: answer.data.items } : { q: term, failure: answer.message });
    }, pauseMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [term]);

  const items = term !== '' && found !== undefined && 'items' in found ? found.items : [];
  const shows = isOpen && term !== '' && found !== undefined;

  function choose(audio: ListedAudio | undefined): void {
    if (audio === undefined || isListed(audio.id)) return;
    onAdd(audio);
    setQ('');
    setFound(undefined);
  }

  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="input">
        <Icon of={Search} size={18} />
        <input
          id={id}
          className="input__field"
          type="search"
          role="combobox"
          autoComplete="off"
          maxLength={200}
          placeholder="Title or creator"
          aria-expanded={shows && items.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={shows && items[current] ? `${id}-${current}` : undefined}
          value={q}
          onChange={(event) => {
            setQ(event.target.value);
            setIsOpen(true);
          }}
          onFocus={() => setIsOpen(true)}
          onBlur={() => setIsOpen(false)}
          onKeyDown={(event) => {
            if (isComposing(event)) return;
            if (event.key === 'ArrowDown') setCurrent(Math.min(current + 1, items.length - 1));
            else if (event.key === 'ArrowUp') setCurrent(Math.max(current - 1, 0));
            else if (event.key === 'Enter') choose(items[current]);
            else if (event.key === 'Escape' && shows) setIsOpen(false);
            else return;
            event.preventDefault();
          }}
        />
      </div>
      {shows && items.length > 0 && (
        <ul className="choice-list" role="listbox" id={`${id}-list`} tabIndex={-1} aria-label="Audios to add">
          {items.map((audio, index) => (
            <li
              key={audio.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === current}
              aria-disabled={isListed(audio.id)}
              onMouseDown={(event) => event.preventDefault()}
              onMouseEnter={() => setCurrent(index)}
              onClick={() => choose(audio)}
            >
              <Cover imageUrl={audio.imageUrl} size={40} />
              <span className="min-w-0">
                <b className="block truncate">{audio.title}</b>
                <small>
                  {audio.voice}, {formatTime(audio.duration)}
                  {!audio.isPublished && ', not published'}
                </small>
              </span>
              <span className="text-13 text-muted">
                {isListed(audio.id) ? listedText : index === current ? 'Enter' : ''}
              </span>
            </li>
          ))}
        </ul>
      )}
      <output className="text-13 mt-2 block text-muted">
        {shows && 'failure' in found && found.failure}
        {shows && 'items' in found && found.items.length === 0 && `Nothing found for “${found.q}”`}
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
