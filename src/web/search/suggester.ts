import { createListeners } from '#player/listeners.ts';
import { tidyTerm } from './tidy-term.ts';

/** State of the list below the search field. */
type Suggestions<Found> = {
  /** Term that `found` belongs to; empty when there are no results. */
  term: string;
  found: Found | undefined;
  /** The request for this term failed, or is slow. */
  hasFailed: boolean;
};

/** Milliseconds, spec §9. */
const debounce = 200;
const clearedAfter = 300;
/** Then a sentence takes the place of an older term’s hits, until the answer comes. */
const slowAfter = 3000;

const nothing = { term: '', found: undefined, hasFailed: false };

/**
 * Requests suggestions while the user types: debounced, and never for an empty term. Newer terms abort older requests.
 * @param ask resolves to undefined when it failed: hits of an older term are replaced by a note
 */
export function createSuggester<Found>(ask: (term: string, signal: AbortSignal) => Promise<Found | undefined>) {
  let state: Suggestions<Found> = nothing;
  let typed = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: AbortController | undefined;
  const changes = createListeners();

  function show(next: Suggestions<Found>): void {
    state = next;
    changes.emit();
  }

  function fail(): void {
    clearTimeout(timer);
    running?.abort();
    running = undefined;
  }

  async function find(term: string): Promise<void> {
    const own = new AbortController();
    running = own;
    timer = setTimeout(() => show({ term, found: undefined, hasFailed: true }), slowAfter);
    const found = await ask(term, own.signal);
    if (running !== own) return;
    clearTimeout(timer);
    running = undefined;
    show({ term, found, hasFailed: found === undefined });
  }

  return {
    subscribe: changes.subscribe,
    getState: () => state,
    /** Call with the field’s current text. */
    type(text: string): void {
      const term = tidyTerm(text);
      if (term === typed) return;
      typed = term;
      fail();
      if (term === '') timer = setTimeout(() => show(nothing), clearedAfter);
      else timer = setTimeout(() => void find(term), debounce);
    },
    /** The search was submitted or left: hides the list and cancels pending requests. */
    stop(): void {
      typed = '';
      fail();
      if (state !== nothing) show(nothing);
    },
  };
}
