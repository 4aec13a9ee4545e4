import { expect, onTestFinished, test, vi } from 'vitest';
import { createFakeClock } from '#test/support/player/fake-clock.ts';
import { createLazy } from './lazy.ts';

const noNetwork = { subscribe: () => () => {} };
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('nothing loads before the first use; calls made while it loads run in order, later ones at once', async () => {
  let loads = 0;
  const received: string[] = [];
  const late = createLazy({
    load: async () => {
      loads += 1;
      return { add: (word: string) => void received.push(word) };
    },
    clock: createFakeClock(),
    network: noNetwork,
  });
  expect([loads, late.ready()]).toEqual([0, undefined]);
  late.use((part) => part.add('one'));
  late.use((part) => part.add('two'));
  expect(received).toEqual([]);
  await settled();
  late.use((part) => part.add('three'));
  expect([loads, received]).toEqual([1, ['one', 'two', 'three']]);
  expect(late.ready()).toBeDefined();
});

test('a failed load is tried again after a delay, or as soon as the machine is online', async () => {
  const clock = createFakeClock();
  const online = new Set<() => void>();
  let failures = 2;
  const received: string[] = [];
  const late = createLazy({
    load: async () => {
      failures -= 1;
      if (failures >= 0) throw new Error('offline');
      return 'there';
    },
    clock,
    network: {
      subscribe(back) {
        online.add(back);
        return () => void online.delete(back);
      },
    },
  });
  late.use((part) => received.push(part));
  await settled();
  clock.advance(1000);
  await settled();
  expect([failures, received, online.size]).toEqual([0, [], 1]);
  for (const back of online) back();
  await settled();
  expect([received, online.size]).toEqual([['there'], 0]);
});

test('an act that throws drops none of the others, and is reported', async () => {
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  onTestFinished(() => void vi.unstubAllGlobals());
  const received: string[] = [];
  const late = createLazy({ load: async () => 'there', clock: createFakeClock(), network: noNetwork });
  const failure = new Error('An act failed');
  late.use(() => received.push('first'));
  late.use(() => {
    throw failure;
  });
  late.use(() => received.push('last'));
  await settled();
  expect(received).toEqual(['first', 'last']);
  expect(reported.mock.calls).toEqual([[failure]]);
});

test('each failure is reported, and a press retries it once, without its delay', async () => {
  let loads = 0;
  let failures = 0;
  const clock = createFakeClock();
  const late = createLazy({
    load: async () => {
      loads += 1;
      if (loads < 3) throw new Error('offline');
      return 'there';
    },
    clock,
    network: noNetwork,
    onFailed: () => (failures += 1),
  });
  late.retryNow();
  expect(loads).toBe(0);
  late.use(() => {});
  await settled();
  expect([loads, failures]).toEqual([1, 1]);
  late.retryNow();
  late.retryNow();
  await settled();
  expect([loads, failures]).toEqual([2, 2]);
  late.retryNow();
  clock.advance(60_000);
  await settled();
  expect([loads, failures, late.ready()]).toEqual([3, 2, 'there']);
});
