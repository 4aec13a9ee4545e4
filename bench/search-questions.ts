import { seededRandom } from '#demo/random.ts';
import { type SearchCatalogue, misspell } from './search-catalogue.ts';

const misspellings = 300;
const exactTerms = 300;

export type Question = { kind: string; term: string };

/** Questions of five kinds, mixed; the same in every run. */
export function drawQuestions({ titles, names, listTitles }: SearchCatalogue, perKind: number): Question[] {
  const random = seededRandom(99);
  const pick = (list: string[]) => list[Math.floor(random() * list.length)] ?? '';
  const start = (text: string, length: number) => text.slice(0, length);
  const kinds: Record<string, () => string> = {
    'one letter': () => start(pick(titles), 1),
    'two and three letters': () => start(pick(random() < 0.5 ? titles : names), 2 + Math.floor(random() * 2)),
    'the beginning of a title': () => start(pick(titles), 4 + Math.floor(random() * 12)),
    'a title or a name': () => pick(random() < 0.5 ? titles : random() < 0.5 ? names : listTitles),
    'a misspelt title or name': () => misspell(pick(random() < 0.5 ? titles : names), random),
  };
  const drawn = Object.entries(kinds).flatMap(([kind, make]) =>
    Array.from({ length: perKind }, () => ({ kind, term: make(), order: random() })),
  );
  return drawn.sort((a, b) => a.order - b.order).map(({ kind, term }) => ({ kind, term }));
}

export type Misspelling = { typed: string; meant: string; group: 'audios' | 'voices' };

/** Titles and names with one or two typos. */
export function drawMisspellings({ titles, names }: SearchCatalogue): Misspelling[] {
  const random = seededRandom(7);
  return Array.from({ length: misspellings }, (_, number) => {
    const group = number % 3 === 2 ? 'voices' : 'audios';
    const list = group === 'voices' ? names : titles;
    const meant = list[Math.floor(random() * list.length)] ?? '';
    return { typed: misspell(meant, random), meant, group };
  });
}

export type ExactTerm = { term: string; group: 'audios' | 'voices' | 'users' };

/** Words of titles, names and usernames, spelled correctly. */
export function drawExactTerms({ titles, names, usernames }: SearchCatalogue): ExactTerm[] {
  const random = seededRandom(11);
  const pick = (list: string[]) => list[Math.floor(random() * list.length)] ?? '';
  return Array.from({ length: exactTerms }, (_, number) => {
    const words = pick(titles)
      .split(' ')
      .filter((word) => word.length > 3);
    if (number % 3 === 0) return { group: 'audios', term: words[Math.floor(random() * words.length)] ?? 'love' };
    return number % 3 === 1 ? { group: 'voices', term: pick(names) } : { group: 'users', term: pick(usernames) };
  });
}
