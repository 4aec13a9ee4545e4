import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { type InSlot, openSoundEngine } from '#gateways/sound/sound-engine.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { slow } from '#test/support/tags.ts';
import { openMachineSlots } from './machine-slots.ts';

const { url: directUrl } = await createTestDatabase();
const open = (machine: string, max: number) => openMachineSlots({ directUrl, machine, max, pauseMs: 10 });

test('programs of one machine share its slots, also from several processes; another machine has its own', async () => {
  const [one, other, elsewhere] = [open('here', 2), open('here', 2), open('there', 2)];
  let [running, maxAtOnce] = [0, 0];
  const began: (() => void)[] = [];
  const work = () => {
    running += 1;
    maxAtOnce = Math.max(maxAtOnce, running);
    const { promise, resolve } = Promise.withResolvers<void>();
    began.push(resolve);
    return promise.finally(() => (running -= 1));
  };
  const all = Promise.all([one(work), one(work), other(work), other(work)]);
  await expect.poll(() => began.length).toBe(2);
  expect(await elsewhere(async () => 'at once')).toBe('at once');
  for (let ended = 0; ended < 4; ended += 1) {
    await expect.poll(() => began.length).toBeGreaterThan(ended);
    began[ended]?.();
  }
  await all;
  expect(maxAtOnce).toBe(2);
});

test('who works lets those that wait go first, in turns, and nobody without need', async () => {
  const inSlot = open('in turns', 1);
  const order: string[] = [];
  const { signal } = new AbortController();
  const turn = (name: string) => ({
    pause: () => void order.push(`${name} pauses`),
    resume: () => void order.push(`${name} resumes`),
    signal,
  });
  const { promise: isFirst, resolve: first } = Promise.withResolvers<void>();
  const long = inSlot(async (letOthers) => {
    await letOthers(turn('long'));
    expect(order).toEqual([]);
    first();
    await expect
      .poll(async () => {
        if (order.length === 0) await letOthers(turn('long'));
        return order.length;
      })
      .toBeGreaterThan(0);
    order.push('long ends');
  });
  await isFirst;
  const others = ['one', 'two'].map((name) => inSlot(async () => void order.push(name)));
  await Promise.all([long, ...others]);
  expect(order).toHaveLength(5);
  expect([order[0], ...order.slice(3)]).toEqual(['long pauses', 'long resumes', 'long ends']);
});

test('one that waits ends by its signal, and a slot outlives a failure', async () => {
  const inSlot = open('single', 1);
  const stop = new AbortController();
  await inSlot(async () => {
    const waiting = inSlot(async () => 'never', stop.signal);
    stop.abort(new Error('canceled'));
    await expect(waiting).rejects.toThrow();
  });
  await expect(inSlot(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await inSlot(async () => 'free')).toBe('free');
});

test('a killed process frees its slot', slow, async () => {
  const child = fork(new URL('../../test/support/processes/slot-process.ts', import.meta.url), [directUrl, 'killed']);
  await once(child, 'message');
  const inSlot = open('killed', 1);
  await expect(inSlot(async () => 'free', AbortSignal.timeout(500))).rejects.toThrow();
  child.kill('SIGKILL');
  expect(await inSlot(async () => 'free')).toBe('free');
});

test('the engine takes a slot for each recording, and gives its signal along', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'sotto-slots-'));
  const taken: (AbortSignal | undefined)[] = [];
  const inSlot: InSlot = (work, signal) => {
    taken.push(signal);
    return work(async () => undefined);
  };
  const engine = openSoundEngine({ blobs: openDiskBlobs({ dir }), dir: join(dir, 'work'), inSlot });
  const { signal } = new AbortController();
  await writeFile(join(dir, 'text.wav'), 'no sound');
  expect(await engine.measure({ path: join(dir, 'text.wav') }, { signal })).toMatchObject({ ok: false });
  expect(taken).toEqual([signal]);
  await rm(dir, { recursive: true, force: true });
});
