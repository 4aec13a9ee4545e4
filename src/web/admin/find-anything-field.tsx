import Search from 'lucide-react/icons/search';
import { useEffect, useId, useRef, useState } from 'react';
import { href, useNavigate } from 'react-router';
import type { FoundThing } from '#domain/admin/find-anything.ts';
import { answerOf, api } from '../api.ts';
import { Icon } from '../ui/icon.tsx';
import { isRendered } from '#web/ui/is-rendered.ts';
import { isComposing } from '../ui/is-composing.ts';

const kinds = { user: 'User', voice: 'Creator', audio: 'Audio', article: 'Article', 'info-page': 'Info page' };
const waitMs = 150;

/** React renders the list; the focus stays in the field (WAI-ARIA APG, combobox). */
const roles = {
  list: { role: 'listbox' },
  option: (isActive: boolean) => ({ role: 'option', 'aria-selected': isActive }),
} as const;

function addressOf({ kind, id, slug }: FoundThing): string {
  if (kind === 'user') return href('/admin/users/:id', { id });
  if (kind === 'article') return href('/admin/articles/:id', { id });
  if (kind === 'info-page') return href('/admin/info-pages/:name', { name: id });
  return kind === 'voice' ? href('/admin/voices/:id', { id }) : href('/audio/:slug', { slug: slug ?? id });
}

type Found = { query: string; items: FoundThing[] } | { query: string; failure: string };

/**
 * A combobox (WAI-ARIA APG): users, creators, audios, articles and info pages by the start of a name, or an id. `/`
 * focuses it.
 */
export function FindAnythingField() {
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<Found>();
  const [active, setActive] = useState(0);
  const [isOpen, setIsOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const list = useId();
  const navigate = useNavigate();
  const text = query.trim();

  useEffect(() => focusBySlash(field.current), []);
  useEffect(() => {
    if (text === '') return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => {
      void answerOf(api.admin.find.$get({ query: { query: text } }, { init: { signal } })).then((answer) => {
        if (signal.aborted) return;
        setActive(0);
        setFound(answer.ok ? { query: text, items: answer.data.items } : { query: text, failure: answer.message });
      });
    }, waitMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);

  const isShown = isOpen && text !== '' && found !== undefined;
  const items = isShown && 'items' in found ? found.items : [];

  function open(thing: FoundThing): void {
    setQuery('');
    setIsOpen(false);
    void navigate(addressOf(thing));
  }

  function onKeyDown(event: React.KeyboardEvent): void {
    if (isComposing(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && items.length > 0) {
      event.preventDefault();
      setActive((active + step + items.length) % items.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const thing = items[active];
      if (thing !== undefined) open(thing);
    } else if (event.key === 'Escape' && query !== '') {
      // The sheet of the narrow layout stays open.
      event.stopPropagation();
      setQuery('');
    }
  }

  return (
    <div className="side__find" data-find>
      <Icon of={Search} size={18} />
      <input
        ref={field}
        type="search"
        role="combobox"
        aria-label="Find a user, creator, audio, article or info page"
        aria-expanded={isShown}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={items[active] && `${list}-${active}`}
        placeholder="Find anything"
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={({ target }) => {
          setQuery(target.value);
          setIsOpen(true);
        }}
        onFocus={() => setIsOpen(true)}
        onBlur={() => setIsOpen(false)}
        onKeyDown={onKeyDown}
      />
      <kbd className="kbd">/</kbd>
      {items.length > 0 && (
        <ul {...roles.list} id={list} tabIndex={-1} aria-label="Found" className="found">
          {items.map((thing, index) => (
            <li
              {...roles.option(index === active)}
              key={thing.id}
              id={`${list}-${index}`}
              // Before the field loses the focus, because that closes the list.
              onPointerDown={(event) => {
                event.preventDefault();
                open(thing);
              }}
            >
              <b className="truncate">{thing.name}</b>
              <small className="truncate">
                {kinds[thing.kind]}
                {(thing.kind === 'user' || thing.kind === 'audio') && thing.detail !== '' && `, ${thing.detail}`}
              </small>
            </li>
          ))}
        </ul>
      )}
      <output className="sr-only">{isShown ? describe(found) : ''}</output>
      {isShown && items.length === 0 && (
        <p className="found__no">{'failure' in found ? found.failure : `Nothing begins with “${found.query}”.`}</p>
      )}
    </div>
  );
}

function describe(found: Found): string {
  if ('failure' in found) return found.failure;
  return found.items.length === 0 ? 'Nothing found' : `${found.items.length} found`;
}

/** @returns stops it */
function focusBySlash(field: HTMLInputElement | null): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event;
    const isTyping = target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]');
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    // There are two: in the sidebar, and in the sheet of the narrow layout.
    if (field === null || !isRendered(field)) return;
    event.preventDefault();
    field.focus();
  };
  document.addEventListener('keydown', onKeyDown);
  return () => document.removeEventListener('keydown', onKeyDown);
}
