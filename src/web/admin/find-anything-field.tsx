import { plural, t } from '@lingui/core/macro';
import Search from 'lucide-react/icons/search';
import { type KeyboardEvent, useRef } from 'react';
import { href, useNavigate } from 'react-router';
import type { FoundThing } from '#domain/admin/find-anything.ts';
import type { FoundKind } from '#domain/admin/rules.ts';
import { answerOf, api } from '../api.ts';
import { Icon } from '../ui/images/icon.tsx';
import { isRendered } from '#web/ui/is-rendered.ts';
import { isComposing } from '../ui/fields/is-composing.ts';
import { useCombobox } from '../workshop/use-combobox.ts';
import { useSlashKey } from '../workshop/use-slash-key.ts';

const kindNames = (): Record<FoundKind, string> => ({
  user: t`User`,
  voice: t`Creator`,
  audio: t`Audio`,
  series: t({ message: 'Series', context: 'one' }),
  playlist: t`Playlist`,
  category: t`Category`,
  tag: t`Tag`,
  article: t`Article`,
  'info-page': t`Info page`,
});
const pauseMs = 150;

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

function itemOf(thing: FoundThing): Item {
  const detail = [kindNames()[thing.kind], thing.detail].filter((part) => part !== '').join(', ');
  return { key: thing.id, name: thing.name, detail, to: addressOf(thing) };
}

/**
 * A combobox (WAI-ARIA APG): Admin's pages, users and content by the start of a name, or an id. `/` focuses it, and Escape
 * gives the focus back.
 *
 * @param pages Admin's own
 */
export function FindAnythingField({ pages }: { pages: { label: string; to: string }[] }) {
  const box = useRef<HTMLInputElement>(null);
  const former = useRef<HTMLElement>(null);
  const navigate = useNavigate();
  const { field, list, option, options, shown, clear } = useCombobox<Item>({
    pauseMs,
    async search(query, signal) {
      const answer = await answerOf(api.admin.find.$get({ query: { query } }, { init: { signal } }));
      return answer.ok ? { ok: true, data: { items: answer.data.items.map(itemOf) } } : answer;
    },
    optionsOf: (items, text) => [...pagesThatBegin(pages, text), ...items],
    onChoose({ to }) {
      former.current = null;
      void navigate(to);
    },
  });

  const choices = options.length;
  useSlashKey((event) => {
    // There are two: in the sidebar, and in the sheet of the narrow layout.
    if (box.current === null || !isRendered(box.current)) return;
    event.preventDefault();
    if (document.activeElement instanceof HTMLElement) former.current = document.activeElement;
    box.current.focus();
  });

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || isComposing(event) || (field.value === '' && former.current === null))
      return field.onKeyDown(event);
    // The sheet of the narrow layout stays open.
    event.stopPropagation();
    clear();
    if (former.current === document.body) box.current?.blur();
    else former.current?.focus();
    former.current = null;
  }

  return (
    <div
      className="relative mb-2.5 flex min-h-10 w-full items-center gap-2.5 rounded-cover bg-text/6 pe-2 ps-3 text-14 text-muted focus-within:[box-shadow:var(--ring)] forced-colors:border forced-colors:border-[ButtonBorder] forced-colors:has-disabled:border-[GrayText] forced-colors:focus-within:outline-2 forced-colors:focus-within:outline-offset-2 forced-colors:focus-within:outline-[CanvasText]"
      data-find
    >
      <Icon of={Search} size={18} />
      <input
        {...field}
        ref={box}
        className="min-h-10 min-w-0 flex-1 border-0 bg-transparent text-text outline-0"
        type="search"
        aria-label={t`Find a page, a user or content`}
        placeholder={t`Find anything`}
        spellCheck={false}
        onKeyDown={onKeyDown}
      />
      <kbd className="kbd ms-auto">/</kbd>
      {options.length > 0 && (
        <ul
          {...list}
          aria-label={t`Found`}
          className="absolute inset-x-0 top-[calc(100%+4px)] z-30 rounded-cover bg-overlay p-1.5 text-text edge"
        >
          {options.map((item, index) => (
            <li
              {...option(item, index)}
              key={item.key}
              className="grid cursor-pointer rounded-tag px-2.5 py-2 hover:bg-text/9 aria-selected:bg-text/9"
            >
              <b className="truncate">{item.name}</b>
              <small className="truncate text-12">{item.detail}</small>
            </li>
          ))}
        </ul>
      )}
      <output className="sr-only">
        {shown &&
          ('failure' in shown
            ? shown.failure
            : options.length === 0
              ? t`Nothing found`
              : plural(choices, { one: '# found', other: '# found' }))}
      </output>
      {shown && options.length === 0 && (
        <p className="forced-colors:border forced-colors:border-[CanvasText] absolute z-30 top-[calc(100%_+_4px)] inset-x-0 rounded-cover bg-overlay edge text-text p-3">
          {'failure' in shown ? shown.failure : t`Nothing begins with “${{ typed: shown.text }}”.`}
        </p>
      )}
    </div>
  );
}

/** By the start of any of their words. */
function pagesThatBegin(pages: { label: string; to: string }[], text: string): Item[] {
  const start = text.toLowerCase();
  return pages
    .filter(({ label }) => ` ${label.toLowerCase()}`.includes(` ${start}`))
    .map(({ label, to }) => ({ key: to, name: label, detail: t`Page`, to }));
}
