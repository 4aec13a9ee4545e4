import { plural, t } from '@lingui/core/macro';
import {
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type Ref,
  type RefObject,
} from 'react';
import { useLocation } from 'react-router';
import type { SearchResponse } from '#domain/search/search.ts';
import { answerOf, api } from '../api.ts';
import { useSession } from '../identity/session-provider.tsx';
import { useClosedByKey } from '../ui/layers/use-closed-by-key.ts';
import { recentTermsOf } from './recent-terms.ts';
import { createSuggester } from './suggester.ts';
import { type SuggestionListProps, countOptions, searchIsAway, SuggestionList } from './suggestion-list.tsx';
import { tidyTerm } from './tidy-term.ts';
import { isComposing } from '../ui/fields/is-composing.ts';

/** Commands that the form sends for its field. */
export type Combobox = {
  open(): void;
  show(): void;
  close(): void;
  input(text: string): void;
  press(event: KeyboardEvent<HTMLInputElement>): void;
  /** Empties the field. */
  leave(): void;
  /** The search was submitted. */
  settle(term: string): void;
};

/** ARIA state of the field. */
export type ComboboxLook = { isExpanded: boolean; activeId: string | undefined };

type SearchComboboxProps = {
  ref: Ref<Combobox>;
  field: RefObject<HTMLInputElement | null>;
  listId: string;
  onLook: (look: ComboboxLook) => void;
  /** A term submitted before this code was loaded. */
  submitted: RefObject<string | undefined>;
  /** Whether the field’s text belongs to the page that has just opened. */
  isKept: () => boolean;
  /** Clears the field. */
  onEmpty: () => void;
  /** Called by Escape in the empty field. */
  onLeave: (() => void) | undefined;
};

/** Hits of each group, spec §9. */
const limit = 3;

const noTerms: string[] = [];

async function findSuggestions(term: string, signal: AbortSignal): Promise<SearchResponse | undefined> {
  const answer = await answerOf(
    api.search.$get({ query: { query: term, limit: String(limit) } }, { init: { signal } }),
  );
  return answer.ok ? (answer.data as SearchResponse) : undefined;
}

/**
 * Suggests while the user types (WAI-ARIA APG, “Editable Combobox With List Autocomplete”). Loaded when the field is
 * reached; takes over what was typed before.
 */
export function SearchCombobox({
  ref,
  field,
  listId,
  onLook,
  submitted,
  isKept,
  onEmpty,
  onLeave,
}: SearchComboboxProps) {
  const { user } = useSession();
  const recent = recentTermsOf(user);
  const { key } = useLocation();
  const [suggester] = useState(() => createSuggester(findSuggestions));
  const { term, found, hasFailed } = useSyncExternalStore(suggester.subscribe, suggester.getState, suggester.getState);
  const [isOpen, setIsOpen] = useClosedByKey(key);
  const [typed, setTyped] = useState('');
  const [remembered, setRemembered] = useState<{ of: string | undefined; terms: string[] }>();
  const [at, setAt] = useState<{ of: unknown; index: number }>();

  // The next user in this tab must not see the previous user’s terms.
  const terms = remembered?.of === user?.id ? (remembered?.terms ?? noTerms) : noTerms;
  /** Load of the terms in progress. */
  const reading = useRef<Promise<string[]>>(undefined);
  function read(list: Promise<string[]>): void {
    reading.current = list;
    void list.then((terms) => reading.current === list && setTerms(terms));
  }
  function setTerms(terms: string[]): void {
    reading.current = undefined;
    setRemembered({ of: user?.id, terms });
  }

  const shown = isOpen ? whatToShow() : undefined;
  const count = shown === undefined ? 0 : countOptions(shown);
  // A new list starts without a highlighted option.
  const listed = found ?? terms;
  const active = at?.of === listed && at.index < count ? at.index : -1;

  function whatToShow(): SuggestionListProps['shown'] | undefined {
    // The search option always uses the field’s current text, even if the rows belong to an older term.
    if (found !== undefined) return { kind: 'found', term: typed === '' ? term : typed, answer: found };
    if (hasFailed && typed !== '') return { kind: 'failed', term: typed };
    if (typed !== '' || terms.length === 0) return undefined;
    return { kind: 'recent', terms, clear, clearAll };
  }

  function leave(): void {
    suggester.stop();
    setTyped('');
    onEmpty();
  }
  const onPageChange = useEffectEvent(() => (isKept() ? setIsOpen(true) : leave()));
  useEffect(() => () => onPageChange(), [key]);

  function open(): void {
    setIsOpen(true);
    setTyped(tidyTerm(field.current?.value ?? ''));
    read(recent.list());
  }

  /** Called when the search was submitted or an option chosen. */
  function settle(chosen: string): void {
    recent.remember(chosen);
    const withChosen = (all: string[]) => [chosen, ...all.filter((one) => one !== chosen)];
    if (reading.current === undefined) setTerms(withChosen(terms));
    else read(reading.current.then(withChosen));
    suggester.stop();
    setIsOpen(false);
  }

  function clear(gone: string): void {
    recent.clear(gone);
    setTerms(terms.filter((one) => one !== gone));
    field.current?.focus();
  }

  function clearAll(): void {
    recent.clearAll();
    setTerms([]);
    field.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    // During IME composition the keys belong to the input method.
    if (isComposing(event)) return;
    const { value } = event.currentTarget;
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        event.preventDefault();
        if (!isOpen) return open();
        if (count === 0) return;
        const step = event.key === 'ArrowDown' ? 1 : -1;
        // Before the first and after the last option, the highlight returns to the field.
        return setAt({ of: listed, index: ((active + 1 + step + count + 1) % (count + 1)) - 1 });
      }
      case 'Enter':
        if (active < 0) return;
        event.preventDefault();
        return document.getElementById(`${listId}-${active}`)?.click();
      case 'Delete':
        if (shown?.kind !== 'recent' || active < 0) return;
        event.preventDefault();
        return clear(shown.terms[active] ?? '');
      case 'Escape':
        event.preventDefault();
        if (shown !== undefined) return setIsOpen(false);
        if (value === '') return onLeave?.();
        return leave();
    }
  }

  /** Live announcement for screen readers when the list changes. */
  function describe(): string | undefined {
    if (shown?.kind === 'failed') return searchIsAway();
    if (shown?.kind !== 'found') return '';
    // The last option submits the search and is not counted.
    const suggestions = count - 1;
    return suggestions === 0 ? t`No suggestions` : plural(suggestions, { one: '# suggestion', other: '# suggestions' });
  }

  const activeId = active >= 0 ? `${listId}-${active}` : undefined;
  const isExpanded = count > 0;
  const reportLook = useEffectEvent(onLook);
  useLayoutEffect(() => reportLook({ isExpanded, activeId }), [isExpanded, activeId]);

  const takeOver = useEffectEvent(() => {
    if (submitted.current !== undefined) recent.remember(submitted.current);
    if (document.activeElement !== field.current) return;
    open();
    suggester.type(field.current?.value ?? '');
  });
  useEffect(() => queueMicrotask(() => takeOver()), []);

  useImperativeHandle(ref, () => ({
    open,
    show: () => setIsOpen(true),
    close: () => setIsOpen(false),
    input(text) {
      setIsOpen(true);
      setTyped(tidyTerm(text));
      suggester.type(text);
    },
    press: onKeyDown,
    leave,
    settle,
  }));

  return (
    <>
      {shown !== undefined && <SuggestionList id={listId} active={active} shown={shown} onChoose={settle} />}
      <output className="sr-only">{describe()}</output>
    </>
  );
}
