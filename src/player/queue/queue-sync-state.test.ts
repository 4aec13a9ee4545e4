import { describe, expect, test } from 'vitest';
import { createTracks } from '#test/support/player/fake-tracks.ts';
import { emptyQueue, startAt } from './queue.ts';
import { type SyncEvent, type SyncState, reduce, signedOut } from './queue-sync-state.ts';
import { type RemoteQueue, toSaved } from './saved-queue.ts';

const queue = startAt(createTracks('abc'), 0);
const other = startAt(createTracks('xy'), 0);
const connect: SyncEvent = { type: 'connected', queue, isOwnList: true };
const load: SyncEvent = { type: 'load' };
const loaded: SyncEvent = {
  type: 'loaded',
  remote: { version: 0, queue: toSaved(emptyQueue, 0), tracks: [], dropped: 0 },
  isFromThisBrowser: false,
};
const save: SyncEvent = { type: 'save', position: 0.5, isLeaving: false };
const saved: SyncEvent = { type: 'saved', sent: queue, outcome: { ok: true, version: 1 } };

function after(...events: SyncEvent[]): { state: SyncState; effects: string[] } {
  let state = signedOut;
  let effects: string[] = [];
  for (const event of events) {
    const [next, ...done] = reduce(state, event);
    state = next;
    effects = done.map((effect) => effect.do);
  }
  return { state, effects };
}

describe('each phase allows its own requests only', () => {
  test.each([
    ['a visitor’s queue is never sent', [save], 'signed-out', []],
    ['a log-in asks for the saved queue', [connect, load], 'requesting', ['get']],
    ['nothing is sent before the saved queue is known', [connect, save], 'ready', []],
    ['one request at a time', [connect, load, load], 'requesting', []],
    ['what is not saved yet follows an answer', [connect, load, loaded], 'ready', ['schedule', 'schedule']],
    ['a known version is saved on', [connect, load, loaded, save], 'requesting', ['put']],
    ['what was saved is not sent again', [connect, load, loaded, save, saved, save], 'ready', []],
    ['a failure waits', [connect, load, { type: 'failed' }], 'retrying', ['retry']],
    ['nothing is sent while a failure waits', [connect, load, { type: 'failed' }, load], 'retrying', []],
    [
      'the wait ends with a new request',
      [connect, load, { type: 'failed' }, { type: 'resume', position: 0 }],
      'requesting',
      ['end-retry', 'get'],
    ],
    ['a log-out ends everything', [connect, load, loaded, { type: 'disconnected' }], 'signed-out', []],
  ] satisfies [string, SyncEvent[], SyncState['phase'], string[]][])('%s', (_name, events, phase, effects) => {
    expect(after(...events)).toMatchObject({ state: { phase }, effects });
  });
});

test('failures count up until an answer comes', () => {
  const failed: SyncEvent[] = [connect, load, { type: 'failed' }, { type: 'resume', position: 0 }, { type: 'failed' }];
  expect(after(...failed).state.failures).toBe(2);
  expect(after(...failed, { type: 'resume', position: 0 }, loaded).state.failures).toBe(0);
});

test('a started list wins until it is saved', () => {
  const newer: RemoteQueue = { version: 2, queue: toSaved(other, 0), tracks: createTracks('xy'), dropped: 0 };
  const start: SyncEvent = { type: 'changed', queue: startAt(createTracks('abc'), 0), isOwnList: true };
  const outdated: SyncEvent = { type: 'saved', sent: queue, outcome: { ok: false, reason: 'newer', newest: newer } };
  const answers: SyncEvent[] = [{ type: 'loaded', remote: newer, isFromThisBrowser: false }, outdated];
  for (const answer of answers) {
    const { state, effects } = after(connect, load, loaded, save, saved, start, load, answer);
    expect(state).toMatchObject({ base: 2, isSent: false, isOwnList: true });
    expect(effects).not.toContain('adopt');
  }
  const sent: SyncEvent = { ...saved, sent: start.queue };
  expect(after(connect, load, loaded, save, saved, start, save, sent, load, ...answers).effects).toContain('adopt');
});

test('a queue that changed during its save is still unsent', () => {
  const { state } = after(connect, load, loaded, save, { type: 'changed', queue: other, isOwnList: false }, saved);
  expect(state).toMatchObject({ queue: other, base: 1, isSent: false });
});

test('a change that is not sent yet stays unsent when the queue is set to the same again', () => {
  const change = (to: typeof queue): SyncEvent => ({ type: 'changed', queue: to, isOwnList: false });
  const { effects } = after(connect, load, loaded, save, saved, change(other), change({ ...other }), save);
  expect(effects).toEqual(['put']);
});

test('a queue without audios that are gone is not the same as the one that still names them', () => {
  const remote: RemoteQueue = { version: 2, queue: toSaved(queue, 0), tracks: createTracks('abc'), dropped: 1 };
  const answer: SyncEvent = { type: 'loaded', remote, isFromThisBrowser: false };
  expect(after(connect, load, loaded, save, saved, load, answer).effects).toEqual([
    'adopt',
    'schedule',
    'notify',
    'notify',
    'schedule',
  ]);
});

test('an audio that was added before the answer is added once', () => {
  const [a, x, y] = createTracks('axy').map((track) => ({ ...track, source: 'queue' }));
  if (!a || !x || !y) throw new Error('Three tracks');
  const change = (list: typeof queue.list): SyncEvent => ({
    type: 'changed',
    queue: { ...queue, list },
    isOwnList: false,
  });
  const { state } = after({ ...connect, isOwnList: false }, load, change([a, x]), change([a, x, y]));
  expect(state.added.map(({ id }) => id)).toEqual(['x', 'y']);
});

test('three saves without an answer are recognized, and no more', () => {
  const failedSave: SyncEvent[] = [save, { type: 'failed' }, { type: 'resume', position: 0 }, { type: 'failed' }];
  const { state } = after(
    connect,
    load,
    loaded,
    ...failedSave,
    { type: 'resume', position: 0 },
    { type: 'failed' },
    {
      type: 'resume',
      position: 0,
    },
  );
  expect(state.unanswered).toHaveLength(3);
});
