/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role -- a select or a datalist has no pictures */
import Search from 'lucide-react/icons/search';
import { useEffect, useId, useState } from 'react';
import type { KeyboardEvent } from 'react';
import type { FoundAudio, SeriesPart } from '#domain/studio/series/series.ts';
import { answerOf, api } from '../../api.ts';
import { formatTime } from '#formats/durations.ts';
import { Cover } from '../../ui/images/cover.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { isComposing } from '../../ui/fields/is-composing.ts';

type AddAudioProps = {
  voiceId: string;
  seriesId: string;
  /** Audios already in the series. */
  inSeries: SeriesPart[];
  onAdd: (part: SeriesPart) => void;
};

/** Milliseconds after the last key press until the search. */
const typingPause = 200;

/** Finds one of the voice's audios by title, and adds it. */
export function AddAudio({ voiceId, seriesId, inSeries, onAdd }: AddAudioProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const [found, setFound] = useState<{ q: string; items: FoundAudio[] }>();
  const [chosen, setChosen] = useState(0);
  const [failure, setFailure] = useState<string>();

  useEffect(() => {
    if (!isOpen) return;
    const aborting = new AbortController();
    const timer = setTimeout(
      async () => {
        const call = { param: { id: voiceId }, query: { q: typed, limit: '8' } };
        const init = { init: { signal: aborting.signal } };
        const answer = await answerOf(api.studio.voices[':id']['series-audios'].$get(call, init));
        if (aborting.signal.aborted) return;
        setFailure(answer.ok ? undefined : answer.message);
        if (answer.ok) setFound({ q: typed, items: answer.data.items });
        setChosen(0);
      },
      typed === '' ? 0 : typingPause,
    );
    return () => {
      clearTimeout(timer);
      aborting.abort();
    };
  }, [isOpen, typed, voiceId]);

  const present = new Set(inSeries.map((part) => part.id));
  const options = (found?.items ?? []).filter((audio) => !present.has(audio.id));
  const isShown = isOpen && found !== undefined;
  const elsewhere = ({ series }: FoundAudio) => (series !== null && series.id !== seriesId ? series.title : undefined);

  function add(audio: FoundAudio | undefined): void {
    if (audio === undefined || elsewhere(audio) !== undefined) return;
    onAdd(audio);
    setTyped('');
    setChosen(0);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (event.key === 'Escape') return setIsOpen(false);
    if (event.key === 'Enter') {
      event.preventDefault();
      return isShown ? add(options[chosen]) : setIsOpen(true);
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setIsOpen(true);
    if (options.length > 0) setChosen((chosen + step + options.length) % options.length);
  }

  return (
    <div
      className="relative mb-5"
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && setIsOpen(false)}
    >
      <label className="field-label" htmlFor={id}>
        Add an audio
      </label>
      <div className="filter-bar__search max-w-none">
        <Icon of={Search} size={18} />
        <input
          id={id}
          className="input input--dense"
          role="combobox"
          autoComplete="off"
          placeholder="Title of one of your audios"
          aria-expanded={isShown}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isShown && options[chosen] ? `${id}-${chosen}` : undefined}
          value={typed}
          onFocus={() => setIsOpen(true)}
          onClick={() => setIsOpen(true)}
          onChange={({ target }) => {
            setTyped(target.value);
            setIsOpen(true);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <output className="sr-only">{isShown ? `${options.length} found` : ''}</output>
      {failure !== undefined && <p className="text-13 text-muted">{failure}</p>}
      <ul
        id={`${id}-list`}
        className="choice-list absolute inset-x-0 z-10"
        role="listbox"
        aria-label="Audios found"
        hidden={!isShown}
      >
        {isShown && options.length === 0 && (
          <li role="option" aria-selected="false" aria-disabled="true" className="text-muted">
            <span className="col-span-3">{typed.trim() === '' ? 'All your audios are in it' : 'No results found'}</span>
          </li>
        )}
        {isShown &&
          options.map((audio, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field takes the keys
            <li
              key={audio.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === chosen}
              aria-disabled={elsewhere(audio) !== undefined}
              tabIndex={-1}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => add(audio)}
            >
              <Cover imageUrl={audio.imageUrl} size={40} />
              <div className="min-w-0">
                <b className="block truncate font-semibold">{audio.title}</b>
                <small>{formatTime(audio.duration)}</small>
              </div>
              <span className="text-13 text-muted">
                {elsewhere(audio) === undefined
                  ? index === chosen && <kbd className="kbd">Enter</kbd>
                  : `In ${elsewhere(audio)}`}
              </span>
            </li>
          ))}
      </ul>
    </div>
  );
}
