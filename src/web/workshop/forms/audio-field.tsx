/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/click-events-have-key-events -- a combobox: the field has the focus and the keys */
import Search from 'lucide-react/icons/search';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import type { KeyboardEvent } from 'react';
import type { Answer } from '../../api.ts';
import { isComposing } from '../../ui/fields/is-composing.ts';
import { Cover } from '../../ui/images/cover.tsx';
import { Icon } from '../../ui/images/icon.tsx';

/** Milliseconds without a key before a search begins. */
const pauseMs = 200;

type AudioFieldProps<Audio> = {
  label: string;
  placeholder: string;
  /** Offers audios before anything is typed. */
  opensEmpty?: boolean;
  search: (text: string) => Promise<Answer<{ items: Audio[] }>>;
  detailOf: (audio: Audio) => string;
  /** Why an audio cannot be added, such as `In this list`. */
  obstacleOf: (audio: Audio) => string | undefined;
  onAdd: (audio: Audio) => void;
};

/** Finds audios and adds them: a combobox for mouse and keyboard. */
export function AudioField<Audio extends { id: string; title: string; imageUrl: string | null }>(
  props: AudioFieldProps<Audio>,
) {
  const { label, placeholder, opensEmpty = false, detailOf, obstacleOf, onAdd } = props;
  const id = useId();
  const [q, setQ] = useState('');
  const [result, setResult] = useState<{ q: string; items: Audio[]; failure?: string }>();
  const [current, setCurrent] = useState(0);
  const [isOpen, setIsOpen] = useState(false);
  const term = q.trim();
  const search = useEffectEvent(props.search);
  const isAsking = isOpen && (opensEmpty || term !== '');

  useEffect(() => {
    if (!isAsking) return;
    let isCurrent = true;
    const find = async () => {
      const answer = await search(term);
      if (!isCurrent) return;
      setCurrent(0);
      setResult({ q: term, ...(answer.ok ? answer.data : { items: [], failure: answer.message }) });
    };
    const timer = setTimeout(() => void find(), term === '' ? 0 : pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [isAsking, term]);

  const shown = isAsking ? result : undefined;
  const items = shown?.items ?? [];

  function choose(audio: Audio | undefined): void {
    if (audio === undefined || obstacleOf(audio) !== undefined) return;
    onAdd(audio);
    setQ('');
    if (!opensEmpty) setResult(undefined);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (event.key === 'ArrowDown') {
      setIsOpen(true);
      setCurrent(Math.min(current + 1, items.length - 1));
    } else if (event.key === 'ArrowUp') setCurrent(Math.max(current - 1, 0));
    else if (event.key === 'Enter') choose(items[current]);
    else if (event.key === 'Escape' && shown !== undefined) setIsOpen(false);
    else return;
    event.preventDefault();
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
          placeholder={placeholder}
          aria-expanded={items.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={items[current] ? `${id}-${current}` : undefined}
          value={q}
          onChange={(event) => {
            setQ(event.target.value);
            setIsOpen(true);
          }}
          onFocus={() => setIsOpen(true)}
          onClick={() => setIsOpen(true)}
          onBlur={() => setIsOpen(false)}
          onKeyDown={onKeyDown}
        />
      </div>
      {items.length > 0 && (
        <ul className="choice-list" role="listbox" id={`${id}-list`} tabIndex={-1} aria-label="Audios to add">
          {items.map((audio, index) => (
            <li
              key={audio.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === current}
              aria-disabled={obstacleOf(audio) !== undefined}
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onMouseEnter={() => setCurrent(index)}
              onClick={() => choose(audio)}
            >
              <Cover imageUrl={audio.imageUrl} size={40} />
              <span className="min-w-0">
                <b className="block truncate">{audio.title}</b>
                <small>{detailOf(audio)}</small>
              </span>
              <span className="text-13 text-muted">{obstacleOf(audio) ?? (index === current ? 'Enter' : '')}</span>
            </li>
          ))}
        </ul>
      )}
      <output className="text-13 mt-2 block text-muted">
        {shown?.failure ??
          (shown?.items.length === 0 && (term === '' ? 'No audios yet' : `Nothing found for “${shown.q}”`))}
      </output>
    </div>
  );
}
