import { answerOf, api } from '../api.ts';
import { browserStore } from '../browser-store.ts';

const storageKey = 'sotto.recent-terms';
const maxTerms = 10;

const loadSealedValues = () => import('#offline/sealed-values.ts');

/** Latest search terms, newest first: stored on the site for users, encrypted in the browser for visitors. */
export type RecentTerms = {
  list(): Promise<string[]>;
  remember(term: string): void;
  /** Removes the term from the history. */
  clear(term: string): void;
  clearAll(): void;
};

const ofVisitor: RecentTerms = {
  list: () => changing.then(readKept),
  remember: (term) => change((terms) => [term, ...without(terms, term)].slice(0, maxTerms)),
  clear: (term) => change((terms) => without(terms, term)),
  clearAll: () => change(() => []),
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

async function readKept(): Promise<string[]> {
  const { readSealed } = await loadSealedValues();
  const stored = await readSealed<unknown>(browserStore, storageKey);
  return Array.isArray(stored) ? stored.filter((term) => typeof term === 'string').slice(0, maxTerms) : [];
}

let changing = Promise.resolve();

/** Changes run one after the other, because each reads what the previous one wrote. */
function change(make: (terms: string[]) => string[]): void {
  changing = changing.then(() => store(make)).catch(() => undefined);
}

async function store(make: (terms: string[]) => string[]): Promise<void> {
  const { writeSealed } = await loadSealedValues();
  const terms = make(await readKept());
  await writeSealed(browserStore, storageKey, terms.length === 0 ? undefined : terms);
}
