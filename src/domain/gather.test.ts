import { expect, test } from 'vitest';
import { gather } from './gather.ts';

/** Runs that the test ends itself. */
function heldRuns() {
  const runs: { inputs: number[]; end: () => void }[] = [];
  const started: (() => void)[] = [];
  return {
    runs,
    run: (inputs: number[]) =>
      new Promise<number[]>((resolve) => {
        runs.push({ inputs, end: () => resolve(inputs.map((input) => input * 10)) });
        started.shift()?.();
      }),
    nextStart: () => new Promise<void>((resolve) => started.push(resolve)),
  };
}

test('what comes while a run is under way goes into the next one together, and each gets its own answer', async () => {
  const { runs, run, nextStart } = heldRuns();
  const call = gather({ run, most: 3 });
  const first = call(1);
  await nextStart();
  const others = [2, 3, 4, 5].map(call);
  expect(runs.map(({ inputs }) => inputs)).toEqual([[1]]);
  runs[0]?.end();
  await nextStart();
  expect(runs[1]?.inputs).toEqual([2, 3, 4]);
  runs[1]?.end();
  await nextStart();
  expect(runs[2]?.inputs).toEqual([5]);
  runs[2]?.end();
  expect(await Promise.all([first, ...others])).toEqual([10, 20, 30, 40, 50]);
});

test('two runs at once are two, not three', async () => {
  const { runs, run, nextStart } = heldRuns();
  const call = gather({ run, most: 1, atOnce: 2 });
  const all = [1, 2, 3].map(call);
  await nextStart();
  await nextStart();
  expect(runs).toHaveLength(2);
  runs[1]?.end();
  await nextStart();
  expect(runs.map(({ inputs }) => inputs)).toEqual([[1], [2], [3]]);
  for (const { end } of runs) end();
  expect(await Promise.all(all)).toEqual([10, 20, 30]);
});

test('an input that the database refuses fails alone', async () => {
  const refused = () =>
    new Error('query failed', { cause: Object.assign(new Error('no such user'), { code: '23503' }) });
  const call = gather({
    run: async (inputs: number[]) => {
      if (inputs.includes(2)) throw refused();
      return inputs;
    },
    most: 10,
  });
  const outcomes = await Promise.allSettled([1, 2, 3].map(call));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a database that is away fails them all at once, without another try', async () => {
  let runs = 0;
  const call = gather({
    run: async () => {
      runs += 1;
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    },
    most: 10,
  });
  const outcomes = await Promise.allSettled([1, 2, 3].map(call));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(runs).toBe(1);
});

test('when the line is full the next is refused, and after it has moved on no longer', async () => {
  const { runs, run, nextStart } = heldRuns();
  const call = gather({ run, most: 1, line: 1 });
  const first = call(1);
  await nextStart();
  const second = call(2);
  await expect(call(3)).rejects.toMatchObject({ code: 'request/too-many' });
  runs[0]?.end();
  await nextStart();
  runs[1]?.end();
  expect(await Promise.all([first, second])).toEqual([10, 20]);
});
