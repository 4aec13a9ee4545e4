import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSuggester } from './suggester.ts';

type Question = { term: string; signal: AbortSignal; answer: (found: string | undefined) => Promise<void> };

let questions: Question[];

beforeEach(() => {
  vi.useFakeTimers();
  questions = [];
});
afterEach(() => vi.useRealTimers());

function suggester() {
  return createSuggester<string>(
    (term, signal) =>
      new Promise((resolve) => {
        const answer = async (found: string | undefined) => {
          resolve(found);
          await vi.advanceTimersByTimeAsync(0);
        };
        questions.push({ term, signal, answer });
      }),
  );
}

const terms = () => questions.map(({ term }) => term);

test('it asks 200 ms after the last letter, once', () => {
  const { type } = suggester();
  for (const text of ['l', 'lo', 'lov']) {
    type(text);
    vi.advanceTimersByTime(199);
  }
  expect(terms()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(terms()).toEqual(['lov']);
});

test('an empty term, and one of spaces, asks for nothing', () => {
  const { type } = suggester();
  type('');
  type('   ');
  vi.advanceTimersByTime(1000);
  expect(terms()).toEqual([]);
});

test('more spaces ask for nothing new', async () => {
  const { type } = suggester();
  type('love');
  vi.advanceTimersByTime(200);
  type(' love  ');
  vi.advanceTimersByTime(1000);
  expect(terms()).toEqual(['love']);
});

test('an older answer never takes the place of a newer one, whenever it comes', async () => {
  const { type, getState } = suggester();
  type('lo');
  vi.advanceTimersByTime(200);
  type('love');
  vi.advanceTimersByTime(200);
  expect(questions[0]?.signal.aborted).toBe(true);
  await questions[1]?.answer('of love');
  await questions[0]?.answer('of lo');
  expect(getState()).toEqual({ term: 'love', found: 'of love' });
});

test('what comes while the next letters wait is not shown any more', async () => {
  const { type, getState } = suggester();
  type('lo');
  vi.advanceTimersByTime(200);
  type('lov');
  await questions[0]?.answer('of lo');
  expect(getState().found).toBeUndefined();
});

test('what was found goes 300 ms after the term is empty', async () => {
  const { type, getState, subscribe } = suggester();
  type('love');
  vi.advanceTimersByTime(200);
  await questions[0]?.answer('of love');
  let changes = 0;
  subscribe(() => (changes += 1));
  type('');
  vi.advanceTimersByTime(299);
  expect(getState().found).toBe('of love');
  vi.advanceTimersByTime(1);
  expect([getState().found, changes]).toEqual([undefined, 1]);
});

test('who types on before that keeps what was found until there is something else', async () => {
  const { type, getState } = suggester();
  type('love');
  vi.advanceTimersByTime(200);
  await questions[0]?.answer('of love');
  type('');
  vi.advanceTimersByTime(100);
  type('r');
  vi.advanceTimersByTime(250);
  expect(getState().found).toBe('of love');
  await questions[1]?.answer('of r');
  expect(getState()).toEqual({ term: 'r', found: 'of r' });
});

test('a failed question leaves what was there', async () => {
  const { type, getState } = suggester();
  type('love');
  vi.advanceTimersByTime(200);
  await questions[0]?.answer('of love');
  type('loves');
  vi.advanceTimersByTime(200);
  await questions[1]?.answer(undefined);
  expect(getState()).toEqual({ term: 'love', found: 'of love' });
});

test('once the search is made nothing is shown, nothing comes later, and the same term asks again', async () => {
  const { type, getState, stop } = suggester();
  type('love');
  vi.advanceTimersByTime(200);
  stop();
  await questions[0]?.answer('of love');
  expect([getState().found, questions[0]?.signal.aborted]).toEqual([undefined, true]);
  type('love');
  vi.advanceTimersByTime(200);
  expect(terms()).toEqual(['love', 'love']);
});
