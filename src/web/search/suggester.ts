/** What the field shows below itself. */
export type Suggestions<Found> = {
  /** What `found` was found for; empty where there is nothing. */
  term: string;
  found: Found | undefined;
};

export type Suggester<Found> = {
  subscribe(listener: () => void): () => void;
  getState(): Suggestions<Found>;
  /** What stands in the field now. */
  type(text: string): void;
  /** The search was made, or left: nothing is shown any more, and nothing comes later. */
  stop(): void;
};

/** Milliseconds, spec §9. */
const debounce = 200;
const clearedAfter = 300;

const nothing = { term: '', found: undefined };

/** A term as the server will take it. */
export function tidyTerm(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * Asks for suggestions while someone types: once they rest, and never for nothing. What comes late gives way to what was
 * asked for later; what was asked for and is not wanted any more is given up.
 * @param ask answers undefined where it failed: what was there stays
 */
export function createSuggester<Found>(
  ask: (term: string, signal: AbortSignal) => Promise<Found | undefined>,
): Suggester<Found> {
  let state: Suggestions<Found> = nothing;
  let wanted = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked: AbortController | undefined;
  const listeners = new Set<() => void>();

  function show(next: Suggestions<Found>): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function giveUp(): void {
    clearTimeout(timer);
    asked?.abort();
    asked = undefined;
  }

  async function find(term: string): Promise<void> {
    const mine = new AbortController();
    asked = mine;
    const found = await ask(term, mine.signal);
    if (asked !== mine) return;
    asked = undefined;
    if (found !== undefined) show({ term, found });
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getState: () => state,
    type(text) {
      const term = tidyTerm(text);
      if (term === wanted) return;
      wanted = term;
      giveUp();
      if (term === '') timer = setTimeout(() => show(nothing), clearedAfter);
      else timer = setTimeout(() => void find(term), debounce);
    },
    stop() {
      wanted = '';
      giveUp();
      if (state !== nothing) show(nothing);
    },
  };
}
