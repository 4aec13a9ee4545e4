import { expect, test } from 'vitest';
import { createFakeClock } from './fake-clock.ts';
import { createLate } from './late.ts';

const noNetwork = { subscribe: () => () => {} };
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('nothing loads before the first use; what was asked meanwhile runs in order, later calls at once', async () => {
  let loads = 0;
  const received: string[] = [];
  const late = createLate({
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
  const late = createLate({
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
