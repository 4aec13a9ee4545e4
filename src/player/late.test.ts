import { expect, test } from 'vitest';
import { createFakeClock } from './fake-clock.ts';
import { createLate } from './late.ts';

const noNetwork = { subscribe: () => () => {} };
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('nothing loads before the first use; what was asked meanwhile runs in order, later calls at once', async () => {
  let loads = 0;
  const said: string[] = [];
  const late = createLate({
    load: async () => {
      loads += 1;
      return { say: (word: string) => void said.push(word) };
    },
    clock: createFakeClock(),
    network: noNetwork,
  });
  expect([loads, late.ready()]).toEqual([0, undefined]);
  late.use((part) => part.say('one'));
  late.use((part) => part.say('two'));
  expect(said).toEqual([]);
  await settled();
  late.use((part) => part.say('three'));
  expect([loads, said]).toEqual([1, ['one', 'two', 'three']]);
  expect(late.ready()).toBeDefined();
});

test('a failed load is tried again after a delay, or as soon as the machine is online', async () => {
  const clock = createFakeClock();
  const online = new Set<() => void>();
  let failures = 2;
  const said: string[] = [];
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
  late.use((part) => said.push(part));
  await settled();
  clock.advance(1000);
  await settled();
  expect([failures, said, online.size]).toEqual([0, [], 1]);
  for (const back of online) back();
  await settled();
  expect([said, online.size]).toEqual([['there'], 0]);
});
