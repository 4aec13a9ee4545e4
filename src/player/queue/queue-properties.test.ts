import { seededRandom } from '#demo/random.ts';
import { expect, test } from 'vitest';
import { createTrack } from '#test/support/player/fake-tracks.ts';
import * as queues from './queue.ts';
import { move } from './queue-edits.ts';
import type { Queue } from './queue.ts';
import { fromSaved, toSaved } from './saved-queue.ts';
import type { Track } from '../track.ts';

const catalogue = Array.from({ length: 30 }, (_, index) => createTrack(`t${index}`));

/** Invariants of every queue. */
function check(queue: Queue) {
  const ids = queue.list.map((track) => track.id);
  expect(new Set(ids).size).toBe(ids.length);
  if (ids.length === 0) return;
  expect(queue.individualAddToQueueIndex).toBeGreaterThanOrEqual(1);
  expect(queue.individualAddToQueueIndex).toBeLessThanOrEqual(ids.length);
  expect(queue.index).toBeGreaterThanOrEqual(0);
  expect(queue.index).toBeLessThanOrEqual(queues.QUEUE_LIMIT);
  expect(queue.isQueueAudio).toBe(queue.list[0]?.source === 'queue');
  expect(queue.played.length).toBeLessThanOrEqual(100);
}

const sorted = (tracks: readonly Track[]) => tracks.map((track) => track.id).toSorted();
const union = (...lists: (readonly Track[])[]) => [...new Set(lists.flat().map((track) => track.id))].toSorted();

type Step = (queue: Queue, pick: (below: number) => number) => { to: Queue; expected: string[]; name: string };

/** Each command, with the ids that must be in the queue afterwards. */
const steps: Step[] = [
  (_, pick) => {
    const list = catalogue.slice(0, 1 + pick(catalogue.length));
    return { name: 'set', to: queues.startAt(list, pick(list.length)), expected: sorted(list) };
  },
  (queue, pick) => {
    const track = catalogue[pick(catalogue.length)] as Track;
    return { name: 'add', to: queues.add(queue, track), expected: union(queue.list, [track]) };
  },
  (queue, pick) => {
    const track = catalogue[pick(catalogue.length)] as Track;
    const isHead = queue.list[0]?.id === track.id;
    const left = queue.list.filter(({ id }) => isHead || id !== track.id);
    return { name: 'remove', to: queues.remove(queue, track.id), expected: sorted(left) };
  },
  (queue, pick) => {
    const to = move(queue, pick(queue.list.length + 2), pick(queue.list.length + 2));
    expect(to.list[0]).toBe(queue.list[0]);
    return { name: 'move', to, expected: sorted(queue.list) };
  },
  (queue) => {
    const to = queues.next(queue);
    if (to !== queue) expect(to.list[0]).toBe(queue.list[1]);
    return { name: 'next', to, expected: sorted(to === queue ? queue.list : queue.list.slice(1)) };
  },
  (queue, pick) => {
    const isOdd = (track: Track) => Number(track.id.slice(1)) % 2 === pick(2);
    const to = queues.next(queue, isOdd);
    const passedOver = queue.list.slice(1).filter((track) => track !== to.list[0]);
    if (to !== queue) expect(to.list.slice(1)).toEqual(passedOver);
    return { name: 'next that may be heard', to, expected: sorted(to === queue ? queue.list : queue.list.slice(1)) };
  },
  (queue) => {
    const to = queues.previous(queue);
    return { name: 'previous', to, expected: union(queue.list, to.list.slice(0, 1)) };
  },
  (queue, pick) => {
    const chosen = queue.list[pick(queue.list.length)];
    const to = queues.jump(queue, chosen?.id ?? '');
    expect(to.list[0]).toBe(chosen);
    const isMove = chosen !== undefined && chosen !== queue.list[0];
    return { name: 'jump', to, expected: sorted(isMove ? queue.list.slice(1) : queue.list) };
  },
  (queue) => ({ name: 'clear', to: queues.clear(queue), expected: sorted(queue.list.slice(0, 1)) }),
  (queue, pick) => {
    const more = queue.list.length === 0 ? [] : catalogue.slice(pick(20), 20);
    return { name: 'extend', to: queues.extend(queue, more), expected: union(queue.list, more) };
  },
  (queue, pick) => {
    const fallbackUrl = queues.startAt(catalogue.slice(5, 25), pick(20));
    const to = queues.replaceBehind(queue, fallbackUrl);
    expect(to.list[0]?.id).toBe((queue.list[0] ?? fallbackUrl.list[0])?.id);
    return { name: 'newer from elsewhere', to, expected: union(queue.list.slice(0, 1), fallbackUrl.list) };
  },
  (queue) => {
    const known = new Map([...queue.list, ...queue.played].map((track) => [track.id, track]));
    const { queue: to, missing } = fromSaved(JSON.parse(JSON.stringify(toSaved(queue, 0.5))), (id) => known.get(id));
    expect(missing).toBe(0);
    expect(to).toMatchObject({
      list: queue.list,
      index: queue.list.length === 0 ? 0 : expect.any(Number),
      individualAddToQueueIndex: queue.individualAddToQueueIndex,
    });
    return { name: 'saved and read again', to, expected: sorted(queue.list) };
  },
];

test.each(Array.from({ length: 40 }, (_, seed) => seed))(
  'random changes neither lose nor double an item, and the counts match (seed %i)',
  (seed) => {
    const random = seededRandom(seed);
    const pick = (below: number) => Math.floor(random() * below);
    let queue = queues.emptyQueue;
    for (let done = 0; done < 150; done += 1) {
      const step = steps[pick(steps.length)] as Step;
      const { to, expected, name } = step(queue, pick);
      expect(sorted(to.list), name).toEqual(expected);
      check(to);
      queue = to;
    }
  },
);
