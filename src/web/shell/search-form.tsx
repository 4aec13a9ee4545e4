import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { useEffect, useEffectEvent, useId, useRef, useState, useSyncExternalStore } from 'react';
import type { KeyboardEvent } from 'react';
import { Form, useLocation } from 'react-router';
import type { SearchAnswer } from '#domain/search/search.ts';
import { answerOf, api } from '../api.ts';
import { useSession } from '../identity/session-provider.tsx';
import { track } from '../insight/track.ts';
import { recentTermsOf } from '../search/recent-terms.ts';
import { createSuggester, tidyTerm } from '../search/suggester.ts';
import type { SuggestionListProps } from '../search/suggestion-list.tsx';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { useClosedByKey } from '../ui/use-closed-by-key.ts';
import { useLoaded } from '../ui/use-loaded.ts';

type SearchFormProps = {
  /** In the header's bar, or the row below it that a phone opens. */
  place: 'bar' | 'row';
  /** Escape in the empty field. */
  onLeave?: () => void;
};

/** Hits of each group, spec §9. */
const limit = 3;

const noTerms: string[] = [];

const loadList = () => import('../search/suggestion-list.tsx');

async function findSuggestions(term: string, signal: AbortSignal): Promise<SearchAnswer | undefined> {
  const answer = await answerOf(api.search.$get({ query: { query: term, limit } }, { init: { signal } }));
  return answer.ok ? (answer.data as SearchAnswer) : undefined;
}

/**
 * A form like any other, so that it also works without script; with it, a combobox that suggests while someone types
 * (WAI-ARIA APG, "Editable Combobox With List Autocomplete"). An empty term does nothing.
 */
export function SearchForm({ place, onLeave }: SearchFormProps) {
  const isRow = place === 'row';
  const { user } = useSession();
  const recent = recentTermsOf(user);
  const { key } = useLocation();
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  const [suggester] = useState(() => createSuggester(findSuggestions));
  const { term, found } = useSyncExternalStore(suggester.subscribe, suggester.getState, suggester.getState);
  const [isOpen, setIsOpen] = useClosedByKey(key);
  const [typed, setTyped] = useState('');
  const [remembered, setRemembered] = useState<{ of: string | undefined; terms: string[] }>();
  const [at, setAt] = useState<{ of: unknown; index: number }>();
  const list = useLoaded(loadList, isOpen);

  // What one listener searched for is nothing for the next one in this tab.
  const terms = remembered?.of === user?.id ? (remembered?.terms ?? noTerms) : noTerms;
  const setTerms = (terms: string[]) => setRemembered({ of: user?.id, terms });

  const shown = isOpen ? whatToShow() : undefined;
  const count = shown === undefined || list === undefined ? 0 : list.countOptions(shown);
  // Another list begins without a choice.
  const of = found ?? terms;
  const active = at?.of === of && at.index < count ? at.index : -1;

  function whatToShow(): SuggestionListProps['shown'] | undefined {
    // The search itself is always for what stands in the field, whatever the rows were found for.
    if (found !== undefined) return { kind: 'found', term: typed === '' ? term : typed, answer: found };
    if (typed !== '' || terms.length === 0) return undefined;
    return { kind: 'recent', terms, forget, forgetAll };
  }

  function leave(): void {
    suggester.stop();
    setTyped('');
    if (field.current !== null) field.current.value = '';
  }
  const onPageChange = useEffectEvent(leave);
  useEffect(() => () => onPageChange(), [key]);

  function open(): void {
    setIsOpen(true);
    setTyped(tidyTerm(field.current?.value ?? ''));
    void recent.list().then(setTerms);
  }

  /** The search was made, or something was chosen of what it found. */
  function settle(chosen: string): void {
    recent.remember(chosen);
    setTerms([chosen, ...terms.filter((one) => one !== chosen)]);
    suggester.stop();
    setIsOpen(false);
  }

  function forget(gone: string): void {
    recent.forget(gone);
    setTerms(terms.filter((one) => one !== gone));
    field.current?.focus();
  }

  function forgetAll(): void {
    recent.forgetAll();
    setTerms([]);
    field.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    // What an input method has under way has its own keys.
    if (event.nativeEvent.isComposing) return;
    const { value } = event.currentTarget;
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        event.preventDefault();
        if (!isOpen) return open();
        if (count === 0) return;
        const step = event.key === 'ArrowDown' ? 1 : -1;
        // Before the first and after the last one is the field itself.
        return setAt({ of, index: ((active + 1 + step + count + 1) % (count + 1)) - 1 });
      }
      case 'Enter':
        if (active < 0) return;
        event.preventDefault();
        return document.getElementById(`${listId}-${active}`)?.click();
      case 'Delete':
        if (shown?.kind !== 'recent' || active < 0) return;
        event.preventDefault();
        return forget(shown.terms[active] ?? '');
      case 'Escape':
        event.preventDefault();
        if (shown !== undefined) return setIsOpen(false);
        if (value === '') return onLeave?.();
        return leave();
    }
  }

  return (
    <search
      className={isRow ? 'hd__field' : 'hd__find d-only'}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setIsOpen(false);
      }}
    >
      <Form
        action="/search"
        method="get"
        onSubmit={(event) => {
          const typed = tidyTerm(field.current?.value ?? '');
          if (typed === '') return event.preventDefault();
          track('global_search_click', { source: 'search', properties: { kind: 'all' } });
          settle(typed);
        }}
      >
        <label className={isRow ? 'in in--pill' : 'hd__search'}>
          <Icon of={Search} size={18} />
          <span className="vh">Search</span>
          <input
            ref={(element) => {
              field.current = element;
              // The row was opened to be written in.
              if (isRow) element?.focus();
            }}
            className="in__f"
            type="search"
            name="search"
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={count > 0}
            aria-controls={count > 0 ? listId : undefined}
            aria-activedescendant={active >= 0 ? `${listId}-${active}` : undefined}
            placeholder="Search"
            maxLength={100}
            autoComplete="off"
            enterKeyHint="search"
            data-site-search={place}
            onFocus={open}
            onClick={() => setIsOpen(true)}
            onInput={(event) => {
              setIsOpen(true);
              setTyped(tidyTerm(event.currentTarget.value));
              suggester.type(event.currentTarget.value);
            }}
            onKeyDown={onKeyDown}
          />
          <IconButton
            className="in__clear"
            icon={X}
            iconSize={18}
            size={40}
            label="Clear"
            onClick={() => {
              leave();
              field.current?.focus();
            }}
          />
          {!isRow && (
            <span className="kbd" aria-hidden="true">
              /
            </span>
          )}
        </label>
      </Form>
      {list !== undefined && shown !== undefined && (
        <list.SuggestionList id={listId} active={active} shown={shown} onChoose={settle} />
      )}
      <output className="vh">{shown?.kind === 'found' && list !== undefined ? describe(count - 1) : ''}</output>
    </search>
  );
}

function describe(suggestions: number): string {
  if (suggestions === 0) return 'No suggestions';
  return suggestions === 1 ? '1 suggestion' : `${suggestions} suggestions`;
}

/** For the `/` key: goes to the field, or opens the row that has it. */
export function focusSearch(): void {
  const field = [...document.querySelectorAll<HTMLElement>('[data-site-search]')].find((candidate) =>
    candidate.checkVisibility(),
  );
  if (field?.dataset.siteSearch === 'toggle') field.click();
  else field?.focus();
}
