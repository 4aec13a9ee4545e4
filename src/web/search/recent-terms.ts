import { answerOf, api } from '../api.ts';
import { browserStore } from '../browser-store.ts';

const storageKey = 'sotto.recent-searches';
const mostTerms = 10;

/** Latest search terms, newest first: stored on the site for users, in the browser for visitors. */
export type RecentTerms = {
  list(): Promise<string[]>;
  remember(term: string): void;
  /** Removes the term from the history. */
  clear(term: string): void;
  clearAll(): void;
};

const ofVisitor: RecentTerms = {
  list: async () => readKept(),
  remember: (term) => keep([term, ...without(readKept(), term)].slice(0, mostTerms)),
  clear: (term) => keep(without(readKept(), term)),
  clearAll: () => keep([]),
};

const ofUser: RecentTerms = {
  async list() {
    const answer = await answerOf(api.user['recent-searches'].$get());
    return answer.ok ? answer.data.items : [];
  },
  remember: (term) =>
    void answerOf(api.user['recent-searches'].$post({ json: { term } }, { init: { keepalive: true } })),
  clear: (term) => void answerOf(api.user['recent-searches'].$delete({ json: { term } })),
  clearAll: () => void answerOf(api.user['recent-searches'].$delete({ json: {} })),
};

export function recentTermsOf(user: object | null): RecentTerms {
  return user === null ? ofVisitor : ofUser;
}

function without(terms: string[], term: string): string[] {
  return terms.filter((one) => one.toLowerCase() !== term.toLowerCase());
}

function readKept(): string[] {
  try {
    const kept: unknown = JSON.parse(browserStore.get(storageKey) ?? '[]');
    return Array.isArray(kept) ? kept.filter((term) => typeof term === 'string').slice(0, mostTerms) : [];
  } catch {
    return [];
  }
}

function keep(terms: string[]): void {
  browserStore.set(storageKey, JSON.stringify(terms));
}
