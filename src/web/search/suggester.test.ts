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

test('asks once, 200 ms after the last letter', () => {
  const { type } = suggester();
  for (const text of ['l', 'lo', 'lov']) {
    type(text);
    vi.advanceTimersByTime(199);
  }
  expect(terms()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(terms()).toEqual(['lov']);
});

test('an empty term, or one of spaces, sends no request', () => {
  const { type } = suggester();
  type('');
  type('   ');
  vi.advanceTimersByTime(1000);
  expect(terms()).toEqual([]);
});

test('extra spaces send no new request', async () => {
  const { type } = suggester();
  type('love');
  vi.advanceTimersByTime(200);
  type(' love  ');
  vi.advanceTimersByTime(1000);
  expect(terms()).toEqual(['love']);
});

test('an older answer never replaces a newer one, whenever it arrives', async () => {
  const { type, getState } = suggester();
  type('lo');
  vi.advanceTimersByTime(200);
  type('love');
  vi.advanceTimersByTime(200);
  expect(questions[0]?.signal.aborted).toBe(true);
  await questions[1]?.answer('of love');
  await questions[0]?.answer('of lo');
  expect(getState()).toEqual({ term: 'love', found: 'of love', hasFailed: false });
});

test('an answer that arrives while newer letters wait is not shown', async () => {
  const { type, getState } = suggester();
  type('lo');
  vi.advanceTimersByTime(200);
  type('lov');
  await questions[0]?.answer('of lo');
  expect(getState().found).toBeUndefined();
});

test('suggestions disappear 300 ms after the term is emptied', async () => {
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

test('typing again before that keeps the suggestions until new ones arrive', async () => {
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
  expect(getState()).toEqual({ term: 'r', found: 'of r', hasFailed: false });
});

test('a failed request is reported instead of leaving hits of an older term', async () => {
  const { type, getState } = suggester();
  type('love');
  vi.advanceTimersByTime(200);
  await questions[0]?.answer('of love');
  type('loves');
  vi.advanceTimersByTime(200);
  await questions[1]?.answer(undefined);
  expect(getState()).toEqual({ term: 'loves', found: undefined, hasFailed: true });
});

test('after the search is submitted nothing is shown or arrives later, and the same term asks again', async () => {
  const { type, getState, stop } = suggester();
  type('love');
  vi.advanceTimersByTime(200);
  stop();
  await questions[0]?.answer('of love');
  expect([getState().found, questions[0]?.signal.aborted]).toEqual([undefined, true]);
  type('love');
  vi.advanceTimersByTime(200);
  expect(terms()).toEqual(['love', 'love']);
  await questions[1]?.answer('of love');
  stop();
  expect(getState()).toEqual({ term: '', found: undefined, hasFailed: false });
});

test('hits of an older term give way after 3 s without an answer, which still replaces the sentence', async () => {
  const { type, getState } = suggester();
  type('lo');
  vi.advanceTimersByTime(200);
  await questions[0]?.answer('of lo');
  vi.advanceTimersByTime(10_000);
  expect(getState()).toEqual({ term: 'lo', found: 'of lo', hasFailed: false });
  type('love');
  vi.advanceTimersByTime(3199);
  expect(getState()).toEqual({ term: 'lo', found: 'of lo', hasFailed: false });
  vi.advanceTimersByTime(1);
  expect(getState()).toEqual({ term: 'love', found: undefined, hasFailed: true });
  await questions[1]?.answer('of love');
  expect(getState()).toEqual({ term: 'love', found: 'of love', hasFailed: false });
  vi.advanceTimersByTime(10_000);
  expect(getState().hasFailed).toBe(false);
});
