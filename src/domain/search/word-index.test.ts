import { expect, test } from 'vitest';
import { type SearchGroup, searchGroups } from './forms.ts';
import type { SearchDocument } from './search-index.ts';
import { type WordIndex, createWordIndex } from './word-index.ts';
import { queryWords } from './words.ts';

type Facts = Partial<Pick<SearchDocument, 'by' | 'labels' | 'text' | 'plays' | 'publishedAt' | 'ownerId' | 'tagIds'>>;

function audio(name: string, facts: Facts = {}, group: SearchGroup = 'audios'): SearchDocument {
  const rest = { by: '', labels: '', text: '', plays: 0, publishedAt: null, ownerId: null, tagIds: [], ...facts };
  return { group, key: `${group} ${name}`, name, ...rest, hit: { title: name } } as unknown as SearchDocument;
}

function indexOf(documents: SearchDocument[]): WordIndex {
  const index = createWordIndex();
  for (const document of documents) index.set(document);
  return index;
}

type Options = { from?: number; length?: number; now?: number; userIds?: string[]; tagIds?: string[] };

function find(index: WordIndex, term: string, options: Options = {}) {
  const { from = 0, length = 10, now = 0, userIds = [], tagIds = [] } = options;
  const ranges = Object.fromEntries(searchGroups.map((group) => [group, { from, length }]));
  return index.find({ words: queryWords(term), ranges, hidden: { userIds, tagIds }, onlyFree: false, now });
}

const titles = (index: WordIndex, term: string, options?: Options) =>
  find(index, term, options).audios.hits.map(({ title }) => title);

test('name matches come first, then maker, labels and text; ties go to the most played', () => {
  const index = indexOf([
    audio('In the text', { text: 'of love', plays: 900 }),
    audio('By its maker', { by: 'Amor Love', plays: 1 }),
    audio('By its tag', { labels: 'love', plays: 800 }),
    audio('Little love', { plays: 5 }),
    audio('More love', { plays: 50 }),
  ]);
  expect(titles(index, 'love')).toEqual(['More love', 'Little love', 'By its maker', 'By its tag', 'In the text']);
});

test('an exact name comes before longer ones, and a whole word before a prefix', () => {
  const index = indexOf([
    audio('Moonlight', { plays: 900 }),
    audio('Moon and sea', { plays: 500 }),
    audio('Moon', { plays: 1 }),
  ]);
  expect(titles(index, 'moon')).toEqual(['Moon', 'Moon and sea', 'Moonlight']);
});

test('a whole word comes before a prefix, even of one or two letters', () => {
  const index = indexOf([audio('Noon', { plays: 900 }), audio('No rain', { plays: 1 })]);
  expect(titles(index, 'no')).toEqual(['No rain', 'Noon']);
});

test('words match in any order, all are required, and the last one may be a prefix', () => {
  const index = indexOf([audio('Silent Noon'), audio('Noon'), audio('The Silent Sea')]);
  expect(titles(index, 'noon silent')).toEqual(['Silent Noon']);
  expect(titles(index, 'silent no')).toEqual(['Silent Noon']);
  expect(titles(index, 'n')).toEqual(['Noon', 'Silent Noon']);
});

test('words may come from different fields', () => {
  const index = indexOf([
    audio('Bright Star', { by: 'Saoirse Quill', labels: 'Keats night' }),
    audio('Star', { by: 'Ada' }),
  ]);
  expect(titles(index, 'saoirse star')).toEqual(['Bright Star']);
  expect(titles(index, 'keats star quill')).toEqual(['Bright Star']);
});

test.each([
  ['brihgt star', 'Bright Star'],
  ['brigt sta', 'Bright Star'],
  ['britghtt star', 'Bright Star'],
  ['nightngale', 'Ode to a Nightingale'],
  ['nigthing', 'Ode to a Nightingale'],
  ['tomas', 'By Tomás'],
  ['TOMÁS', 'By Tomás'],
  ['philosphy loves', 'Love’s Philosophy'],
  ["love's", 'Love’s Philosophy'],
])('%j finds %j', (term, title) => {
  const index = indexOf([
    audio('Bright Star'),
    audio('Ode to a Nightingale'),
    audio('By Tomás'),
    audio('Love’s Philosophy'),
    audio('Something else entirely'),
  ]);
  expect(titles(index, term)[0]).toBe(title);
});

test('similar words are found only where nothing matches as typed, in any group', () => {
  const index = indexOf([
    audio('Noon', { plays: 1 }),
    audio('Moon', { plays: 1000 }),
    audio('Bright star'),
    audio('Good night', { plays: 900 }),
    audio('Lamplight', {}, 'voices'),
    audio('Lamplighted'),
    audio('Lampligth'),
  ]);
  expect(titles(index, 'noon')).toEqual(['Noon']);
  expect(titles(index, 'noom')).toEqual(['Noon']);
  expect(titles(index, 'bright')).toEqual(['Bright star']);
  // A prefix is an exact match; "Lampligth" is not.
  expect(titles(index, 'lamplight')).toEqual(['Lamplighted']);
  const { audios, voices } = find(index, 'lampligt');
  expect([audios.isLoose, voices.isLoose]).toEqual([false, false]);
  expect(titles(index, 'lampligt')).toEqual(['Lampligth']);
});

test('all words may be prefixes, before anything similar is tried', () => {
  const index = indexOf([audio('Midnight Garden'), audio('Mild Garden', { plays: 9 })]);
  expect(titles(index, 'midn gar')).toEqual(['Midnight Garden']);
});

test.each([
  ['three letters forgive nothing', 'sex', 'Sea', false],
  ['four letters forgive one edit', 'lvoe', 'Love', true],
  ['six letters forgive one edit', 'garten', 'Garden', true],
  ['six letters do not forgive two', 'gerten', 'Garden', false],
  ['seven letters forgive two', 'orchrad', 'Orchard', true],
  ['seven letters forgive two', 'orxhrad', 'Orchard', true],
])('%s: %j finds %j: %j', (_, typed, name, isFound) => {
  expect(titles(indexOf([audio(name)]), typed)).toEqual(isFound ? [name] : []);
});

test('typos are forgiven in names, not in texts, and not within three letters', () => {
  const index = indexOf([audio('Soft', { by: 'Sonnet' }), audio('Other', { text: 'a sonnet of songs' })]);
  expect(titles(index, 'sonnte')).toEqual(['Soft']);
  expect(titles(index, 'sonnet')).toEqual(['Soft', 'Other']);
  expect(titles(index, 'sof')).toEqual(['Soft']);
  expect(titles(index, 'xof')).toEqual([]);
});

test('when nothing has all the words, documents with most of them are found; unrelated words find nothing', () => {
  const index = indexOf([audio('Silent Noon'), audio('A Long Rain')]);
  expect(titles(index, 'silent noon xyzzy')).toEqual(['Silent Noon']);
  expect(titles(index, 'xyzzy plugh')).toEqual([]);
  expect(titles(index, '')).toEqual([]);
});

test('with a missing word, a name of the typed length comes first', () => {
  const index = indexOf([
    audio('And loathed toad the oiled wards', { plays: 900 }),
    audio('And loathed toad but', { plays: 1 }),
  ]);
  expect(titles(index, 'and loathed toad lut')[0]).toBe('And loathed toad but');
});

test('a long word missing costs more than a short one', () => {
  const index = indexOf([audio('Hand hymn', { plays: 900 }), audio('Hand subtracting', { plays: 1 })]);
  expect(titles(index, 'hand subtrachting hy')).toEqual(['Hand subtracting', 'Hand hymn']);
});

test('totals count everything, hits are those of the requested pages', () => {
  const index = indexOf(Array.from({ length: 30 }, (_, number) => audio(`Rain ${number}`, { plays: 100 - number })));
  const page = find(index, 'rain', { from: 10, length: 10 });
  expect(page.audios.total).toBe(30);
  expect(page.audios.hits.map(({ title }) => title)).toEqual(
    Array.from({ length: 10 }, (_, number) => `Rain ${number + 10}`),
  );
  expect(find(index, 'rain', { from: 40 }).audios).toMatchObject({ total: 30, hits: [] });
});

test('ties have a fixed order, independent of insertion', () => {
  const names = ['Rain b', 'Rain c', 'Rain a'];
  const orders = [names, names.toReversed()].map((list) => titles(indexOf(list.map((name) => audio(name))), 'rain'));
  expect(orders).toEqual([
    ['Rain a', 'Rain b', 'Rain c'],
    ['Rain a', 'Rain b', 'Rain c'],
  ]);
});

test('excluded documents are in no group and no total', () => {
  const index = indexOf([
    audio('Rain at night', { tagIds: ['thunder', 'slow'] }),
    audio('Rain'),
    audio('rain, lately', { ownerId: 'ada' }, 'usersPlaylists'),
    audio('rain.man', { ownerId: 'ada' }, 'users'),
    audio('rain again', { ownerId: 'theo' }, 'usersPlaylists'),
  ]);
  const totals = (options: Options, term = 'rain') =>
    Object.values(find(index, term, options)).map(({ total, hits }) => [total, hits.length]);
  expect(totals({})).toEqual([
    [2, 2],
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
    [1, 1],
    [2, 2],
  ]);
  expect(totals({ tagIds: ['thunder'] })).toEqual([
    [1, 1],
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
    [1, 1],
    [2, 2],
  ]);
  expect(totals({ userIds: ['ada'] })).toEqual([
    [2, 2],
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
    [1, 1],
  ]);
  expect(totals({ tagIds: ['slow'] }, 'rain night')[0]).toEqual([1, 1]);
});

test('scheduled documents are found from their time on', () => {
  const index = indexOf([audio('Rain', { publishedAt: 1000 })]);
  expect(titles(index, 'rain', { now: 999 })).toEqual([]);
  expect(titles(index, 'rain', { now: 1000 })).toEqual(['Rain']);
});

test('an update replaces the document, a removal leaves nothing, and new plays apply at once', () => {
  const index = indexOf([audio('Rain', { plays: 5 }), audio('Rainy', { plays: 1 })]);
  index.set({ ...audio('Rain'), name: 'Snow' } as SearchDocument);
  expect([titles(index, 'rain'), titles(index, 'snow'), index.documents]).toEqual([['Rainy'], ['Rain'], 2]);
  index.set(audio('Rain there', { plays: 3 }));
  index.setPlays('audios', 'audios Rainy', 99);
  expect(titles(index, 'rai')).toEqual(['Rainy', 'Rain there']);
  index.remove('audios', 'audios Rainy');
  index.remove('audios', 'nothing');
  expect([titles(index, 'rain'), index.documents]).toEqual([['Rain there'], 2]);
});

test('after thousands of changes the index is swept, correct and small', () => {
  const index = createWordIndex();
  for (let round = 0; round < 12; round += 1)
    for (let number = 0; number < 500; number += 1)
      index.set(
        audio(`Sea ${number}`, {
          text: `round${round} word${(number * 7 + round) % 900}`,
          tagIds: [`tag${number % 5}`],
        }),
      );
  expect(index.documents).toBe(500);
  expect(find(index, 'round11').audios.total).toBe(500);
  expect(find(index, 'sea').audios.total).toBe(500);
  expect(find(index, 'sea', { tagIds: ['tag3'] }).audios.total).toBe(400);
  expect(find(index, `word${(3 * 7 + 11) % 900} sea`).audios.hits.map(({ title }) => title)).toContain('Sea 3');
  for (let number = 0; number < 500; number += 1) index.remove('audios', `audios Sea ${number}`);
  expect([index.documents, find(index, 'sea').audios.total]).toEqual([0, 0]);
});

test('it gives the same answers as a full scan', () => {
  let state = 11;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 7) % below;
  };
  const vocabulary = ['sea', 'seal', 'rain', 'train', 'noon', 'moon', 'of', 'off', 'the', 'they', 'night', 'light'];
  const phrase = () => Array.from({ length: 1 + random(3) }, () => vocabulary[random(vocabulary.length)]).join(' ');
  const documents = new Map<string, SearchDocument>();
  const index = createWordIndex();
  for (let number = 0; number < 400; number += 1) {
    const document = {
      ...audio(`n${random(150)}`, { by: phrase(), text: phrase() }),
      name: phrase(),
    } as SearchDocument;
    if (random(4) === 0) {
      documents.delete(document.key);
      index.remove('audios', document.key);
    } else {
      documents.set(document.key, document);
      index.set(document);
    }
  }
  for (const [first, second] of vocabulary.flatMap((one) => vocabulary.map((other) => [one, other] as const))) {
    const has = ({ name, by, text }: SearchDocument, typed: string, isLast: boolean) =>
      `${name} ${by} ${isLast && typed.length < 3 ? '' : text}`
        .split(' ')
        .some((word) => word === typed || (isLast && word.startsWith(typed))) || text.split(' ').includes(typed);
    const expected = [...documents.values()].filter((one) =>
      first === second ? has(one, first, true) : has(one, first, false) && has(one, second, true),
    ).length;
    // With fewer hits, similar words are searched too.
    if (expected >= 10)
      expect([first, second, find(index, `${first} ${second}`).audios.total]).toEqual([first, second, expected]);
  }
});
