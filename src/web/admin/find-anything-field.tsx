import Search from 'lucide-react/icons/search';
import { useEffect, useId, useRef, useState } from 'react';
import { href, useNavigate } from 'react-router';
import type { FoundThing } from '#domain/admin/find-anything.ts';
import type { FoundKind } from '#domain/admin/rules.ts';
import { answerOf, api } from '../api.ts';
import { Icon } from '../ui/images/icon.tsx';
import { isRendered } from '#web/ui/is-rendered.ts';
import { isComposing } from '../ui/fields/is-composing.ts';

const kindNames: Record<FoundKind, string> = {
  user: 'User',
  voice: 'Creator',
  audio: 'Audio',
  series: 'Series',
  playlist: 'Playlist',
  category: 'Category',
  tag: 'Tag',
  article: 'Article',
  'info-page': 'Info page',
};
const waitMs = 150;

/** React renders the list; the focus stays in the field (WAI-ARIA APG, combobox). */
const roles = {
  list: { role: 'listbox' },
  option: (isActive: boolean) => ({ role: 'option', 'aria-selected': isActive }),
} as const;

function addressOf({ kind, id, slug, name }: FoundThing): string {
  switch (kind) {
    case 'user':
      return href('/admin/users/:id', { id });
    case 'voice':
      return href('/admin/voices/:id', { id });
    case 'audio':
      return href('/audio/:slug', { slug: slug ?? id });
    case 'playlist':
      return href('/admin/playlists/:id', { id });
    case 'article':
      return href('/admin/articles/:id', { id });
    case 'info-page':
      return href('/admin/info-pages/:name', { name: id });
    case 'category':
      return href('/admin/categories');
    case 'series':
      return `${href('/admin/series')}?${new URLSearchParams({ q: name })}`;
    case 'tag':
      return `${href('/admin/tags')}?${new URLSearchParams({ q: name })}`;
  }
}

type Item = { key: string; name: string; detail: string; to: string };
type Found = { query: string; items: Item[] } | { query: string; failure: string };

function itemOf(thing: FoundThing): Item {
  const detail = [kindNames[thing.kind], thing.detail].filter((part) => part !== '').join(', ');
  return { key: thing.id, name: thing.name, detail, to: addressOf(thing) };
}

/**
 * A combobox (WAI-ARIA APG): Admin's pages, users and content by the start of a name, or an id. `/` focuses it, and Escape
 * gives the focus back.
 *
 * @param pages Admin's own
 */
export function FindAnythingField({ pages }: { pages: { label: string; to: string }[] }) {
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<Found>();
  const [active, setActive] = useState(0);
  const [isOpen, setIsOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const former = useRef<HTMLElement>(null);
  const list = useId();
  const navigate = useNavigate();
  const text = query.trim();

  useEffect(() => focusBySlash(field.current, (element) => (former.current = element)), []);
  useEffect(() => {
    if (text === '') return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => {
      void answerOf(api.admin.find.$get({ query: { query: text } }, { init: { signal } })).then((answer) => {
        if (signal.aborted) return;
        setActive(0);
        setFound(
          answer.ok ? { query: text, items: answer.data.items.map(itemOf) } : { query: text, failure: answer.message },
        );
      });
    }, waitMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);

  const isShown = isOpen && text !== '' && found !== undefined;
  const items = isShown && 'items' in found ? [...pagesThatBegin(pages, text), ...found.items] : [];

  function open({ to }: Item): void {
    setQuery('');
    setIsOpen(false);
    former.current = null;
    void navigate(to);
  }

  function onKeyDown(event: React.KeyboardEvent): void {
    if (isComposing(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && items.length > 0) {
      event.preventDefault();
      setActive((active + step + items.length) % items.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const item = items[active];
      if (item !== undefined) open(item);
    } else if (event.key === 'Escape' && (query !== '' || former.current !== null)) {
      // The sheet of the narrow layout stays open.
      event.stopPropagation();
      setQuery('');
      if (former.current === document.body) field.current?.blur();
      else former.current?.focus();
      former.current = null;
    }
  }

  return (
    <div
      className="relative mb-2.5 flex min-h-10 w-full items-center gap-2.5 rounded-cover bg-text/6 pe-2 ps-3 text-14 text-muted focus-within:[box-shadow:var(--ring)] forced-colors:border forced-colors:border-[ButtonBorder] forced-colors:has-disabled:border-[GrayText] forced-colors:focus-within:outline-2 forced-colors:focus-within:outline-offset-2 forced-colors:focus-within:outline-[CanvasText]"
      data-find
    >
      <Icon of={Search} size={18} />
      <input
        ref={field}
        className="min-h-10 min-w-0 flex-1 border-0 bg-transparent text-text outline-0"
        type="search"
        role="combobox"
        aria-label="Find a page, a user or content"
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
      <kbd className="kbd ms-auto">/</kbd>
      {items.length > 0 && (
        <ul
          {...roles.list}
          id={list}
          tabIndex={-1}
          aria-label="Found"
          className="absolute inset-x-0 top-[calc(100%+4px)] z-30 rounded-cover bg-overlay p-1.5 text-text edge"
        >
          {items.map((item, index) => (
            <li
              {...roles.option(index === active)}
              key={item.key}
              className="grid cursor-pointer rounded-tag px-2.5 py-2 hover:bg-text/9 aria-selected:bg-text/9"
              id={`${list}-${index}`}
              // Before the field loses the focus, because that closes the list.
              onPointerDown={(event) => {
                event.preventDefault();
                open(item);
              }}
            >
              <b className="truncate">{item.name}</b>
              <small className="truncate text-12">{item.detail}</small>
            </li>
          ))}
        </ul>
      )}
      <output className="sr-only">{isShown ? describe(found, items.length) : ''}</output>
      {isShown && items.length === 0 && (
        <p className="forced-colors:border forced-colors:border-[CanvasText] absolute z-30 top-[calc(100%_+_4px)] inset-x-0 rounded-cover bg-overlay edge text-text p-3">
          {'failure' in found ? found.failure : `Nothing begins with “${found.query}”.`}
        </p>
      )}
    </div>
  );
}

function describe(found: Found, count: number): string {
  if ('failure' in found) return found.failure;
  return count === 0 ? 'Nothing found' : `${count} found`;
}

/** By the start of any of their words. */
function pagesThatBegin(pages: { label: string; to: string }[], text: string): Item[] {
  const start = text.toLowerCase();
  return pages
    .filter(({ label }) => ` ${label.toLowerCase()}`.includes(` ${start}`))
    .map(({ label, to }) => ({ key: to, name: label, detail: 'Page', to }));
}

/**
 * @param onLeave gets the element that had the focus
 * @returns stops it
 */
function focusBySlash(field: HTMLInputElement | null, onLeave: (former: HTMLElement) => void): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event;
    const isTyping = target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]');
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    // There are two: in the sidebar, and in the sheet of the narrow layout.
    if (field === null || !isRendered(field)) return;
    event.preventDefault();
    if (document.activeElement instanceof HTMLElement) onLeave(document.activeElement);
    field.focus();
  };
  document.addEventListener('keydown', onKeyDown);
  return () => document.removeEventListener('keydown', onKeyDown);
}
