import { answerOf, api } from '../api.ts';
import { browserStore } from '../listening/browser-store.ts';

const storageKey = 'sotto.recent-searches';
const mostTerms = 10;

/** The terms someone searched for last, the last one first: a listener's on the site, a visitor's in this browser. */
export type RecentTerms = {
  list(): Promise<string[]>;
  remember(term: string): void;
  /** Of nobody's concern any more. */
  forget(term: string): void;
  forgetAll(): void;
};

const ofVisitor: RecentTerms = {
  list: async () => readKept(),
  remember: (term) => keep([term, ...without(readKept(), term)].slice(0, mostTerms)),
  forget: (term) => keep(without(readKept(), term)),
  forgetAll: () => keep([]),
};

const ofUser: RecentTerms = {
  async list() {
    const answer = await answerOf(api.user['recent-searches'].$get());
    return answer.ok ? answer.data.items : [];
  },
  remember: (term) =>
    void answerOf(api.user['recent-searches'].$post({ json: { term } }, { init: { keepalive: true } })),
  forget: (term) => void answerOf(api.user['recent-searches'].$delete({ json: { term } })),
  forgetAll: () => void answerOf(api.user['recent-searches'].$delete({ json: {} })),
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
