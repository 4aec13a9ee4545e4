import { expect, test } from 'vitest';
import { batch } from './batch.ts';

/** Runs that end when the test says so. */
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

test('inputs that arrive during a run share the next one, and each gets its own answer', async () => {
  const { runs, run, nextStart } = heldRuns();
  const call = batch({ run, max: 3 });
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

test('at most two runs are active with a limit of two', async () => {
  const { runs, run, nextStart } = heldRuns();
  const call = batch({ run, max: 1, atOnce: 2 });
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
  const call = batch({
    run: async (inputs: number[]) => {
      if (inputs.includes(2)) throw refused();
      return inputs;
    },
    max: 10,
  });
  const outcomes = await Promise.allSettled([1, 2, 3].map(call));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('an unavailable database fails all inputs at once, without a retry', async () => {
  let runs = 0;
  const call = batch({
    run: async () => {
      runs += 1;
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    },
    max: 10,
  });
  const outcomes = await Promise.allSettled([1, 2, 3].map(call));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(runs).toBe(1);
});

test('a full queue refuses inputs until it has moved on', async () => {
  const { runs, run, nextStart } = heldRuns();
  const call = batch({ run, max: 1, line: 1 });
  const first = call(1);
  await nextStart();
  const second = call(2);
  await expect(call(3)).rejects.toMatchObject({ code: 'request/too-many' });
  runs[0]?.end();
  await nextStart();
  runs[1]?.end();
  expect(await Promise.all([first, second])).toEqual([10, 20]);
});
