import { describe, expect, test } from 'vitest';
import { createFakeQueueTracks, createTrack, createTracks, idsOf } from '#test/support/player/fake-tracks.ts';
import {
  clearLocalQueue,
  isTrack,
  readLocalPosition,
  readLocalQueue,
  saveLocalQueue,
  savePosition,
} from './local-queue.ts';
import { add, emptyQueue, next, startAt } from './queue.ts';
import { fromSaved, isSameSaved, toSaved } from './saved-queue.ts';

const known = new Map(createTracks('abcdexyz').map((track) => [track.id, track]));
const find = (id: string) => known.get(id);
const without = (gone: string) => (id: string) => (gone.includes(id) ? undefined : known.get(id));
const busy = () => add(add(next(startAt(createTracks('abcde'), 2)), createTrack('x')), createTrack('y'));

function createStores() {
  const kept = new Map<string, string>();
  const store = {
    kept,
    get: (key: string) => kept.get(key) ?? null,
    set: (key: string, value: string) => void kept.set(key, value),
  };
  return { store, stores: { store, tracks: createFakeQueueTracks(store) } };
}

describe('the saved form', () => {
  test('has the names of the spec, ids with their source, and the head’s place', () => {
    expect(toSaved(add(startAt(createTracks('ab'), 1), createTrack('x')), 0.25)).toEqual({
      list: [
        { id: 'b', source: 'category' },
        { id: 'x', source: 'queue' },
        { id: 'a', source: 'category' },
      ],
      played: [],
      listType: 'category',
      index: 1,
      individualAddToQueueIndex: 2,
      isIndividualQueueUpdate: true,
      position: 0.25,
    });
  });

  test('the place of the head is a share of it, whatever the element says', () => {
    const [before, after] = [-0.01, 1.01].map((position) => toSaved(busy(), position).position);
    expect([before, after]).toEqual([0, 1]);
    expect(fromSaved({ ...toSaved(busy(), 0.5), position: '0.5' }, find).position).toBe(0);
  });

  test('numbers beyond the list are read as its ends', () => {
    const saved = toSaved(busy(), 0);
    const read = (individualAddToQueueIndex: number, index: number) =>
      fromSaved({ ...saved, individualAddToQueueIndex, index }, find).queue;
    expect(read(-1, -1)).toMatchObject({ individualAddToQueueIndex: 1, index: 0 });
    expect(read(99, 5000)).toMatchObject({ individualAddToQueueIndex: saved.list.length, index: saved.list.length });
  });

  test('reading it gives the same queue', () => {
    const queue = busy();
    const { queue: again, position, missing } = fromSaved(JSON.parse(JSON.stringify(toSaved(queue, 0.5))), find);
    expect({ ...again, isIndividualQueueUpdate: true }).toEqual(queue);
    expect({ position, missing }).toEqual({ position: 0.5, missing: 0 });
  });

  test('a queue with only the preview is saved as empty', () => {
    const preview = startAt([createTrack('a', { source: 'preview' })], 0);
    expect(toSaved(preview, 0.5)).toEqual(toSaved(emptyQueue, 0));
  });

  test('audios that are gone are removed and counted, and the indexes are adjusted', () => {
    const saved = toSaved(busy(), 0.5);
    expect(idsOf(fromSaved(saved, find).queue.list)).toBe('dxyeab');
    const { queue, missing, position } = fromSaved(saved, without('xa'));
    expect(idsOf(queue.list)).toBe('dyeb');
    expect(queue).toMatchObject({ individualAddToQueueIndex: 2, index: 1 });
    expect({ missing, position }).toEqual({ missing: 2, position: 0.5 });
    expect(fromSaved(saved, without('d'))).toMatchObject({ position: 0, missing: 1 });
  });

  test.each([
    null,
    7,
    'queue',
    [],
    {},
    { list: 'abc' },
    { list: [null, 7, { id: 7, source: 'queue' }, { id: 'a' }, { id: 'nobody', source: 'queue' }] },
  ])('of %j nothing can be made', (saved) => {
    expect(fromSaved(saved, find).queue).toEqual(emptyQueue);
  });

  test.each([
    { index: -1, individualAddToQueueIndex: 99, position: 7 },
    { index: 0.5, individualAddToQueueIndex: 'x', position: 'x' },
    { index: null, individualAddToQueueIndex: null, position: Number.NaN },
  ])('counts that make no sense are put right: %j', (counts) => {
    const { queue, position } = fromSaved({ ...toSaved(startAt(createTracks('abc'), 0), 0), ...counts }, find);
    expect(idsOf(queue.list)).toBe('abc');
    expect(queue.index).toBe(0);
    expect(queue.individualAddToQueueIndex).toBeGreaterThanOrEqual(1);
    expect(queue.individualAddToQueueIndex).toBeLessThanOrEqual(3);
    expect(position).toBe(0);
  });

  test('reads at most a thousand items', () => {
    const items = Array.from({ length: 1200 }, (_, index) => ({ id: `t${index}`, source: 'search' }));
    const { queue } = fromSaved({ ...toSaved(emptyQueue, 0), list: items }, (id) => createTrack(id));
    expect(queue.list).toHaveLength(1000);
  });

  test('equals itself at any position of the head, and differs with any other change', () => {
    const queue = busy();
    expect(isSameSaved(toSaved(queue, 0.1), toSaved(queue, 0.9))).toBe(true);
    expect(isSameSaved(toSaved(queue, 0), toSaved(next(queue), 0))).toBe(false);
    expect(isSameSaved(toSaved(queue, 0), toSaved(add(queue, createTrack('z')), 0))).toBe(false);
    expect(isSameSaved(toSaved(queue, 0), { ...toSaved(queue, 0), listType: 'search' })).toBe(false);
    const fromElsewhere = queue.list.map((track) => ({ ...track, source: 'search' }));
    expect(isSameSaved(toSaved(queue, 0), toSaved({ ...queue, list: fromElsewhere }, 0))).toBe(false);
  });
});

describe('what the browser keeps', () => {
  test('is read as an audio only with everything that the player shows', () => {
    const track = createTrack('a', { imageUrl: null, color: null });
    expect(isTrack(track)).toBe(true);
    const broken = [null, 'a', { voice: null }, { voice: {} }, { imageUrl: 7 }, { color: 7 }, { slug: 7 }];
    const others = [{ isFree: 'yes' }, { numberDuration: '60' }, { voice: { ...track.voice, slug: null } }];
    for (const change of [...broken, ...others])
      expect([
        change,
        isTrack(typeof change === 'object' && change !== null ? { ...track, ...change } : change),
      ]).toEqual([change, false]);
  });

  test('is a place only for its own listener, and as a number of seconds', () => {
    const { store } = createStores();
    const place = { owner: 'u', id: 'a', seconds: 12 };
    const read = (change: object) => {
      store.set('sotto_queue_place', JSON.stringify({ ...place, ...change }));
      return readLocalPosition(store, 'u');
    };
    expect(read({})).toEqual({ id: 'a', seconds: 12 });
    for (const change of [{ owner: 'v' }, { id: 7 }, { seconds: '12' }, { seconds: -1 }])
      expect([change, read(change)]).toEqual([change, undefined]);
  });

  const kept = { queue: busy(), base: 4, isSent: false, unanswered: [] };

  test('is restored with its audios, only for its own listener', () => {
    const { store, stores } = createStores();
    saveLocalQueue(stores, 'u', kept);
    savePosition(store, 'u', { id: 'd', seconds: 61.5 });
    const { queue, ...rest } = readLocalQueue(stores, 'u') ?? {};
    expect({ ...queue, isIndividualQueueUpdate: true }).toEqual(kept.queue);
    expect(rest).toEqual({ base: 4, isSent: false, unanswered: [] });
    expect(readLocalPosition(store, 'u')).toEqual({ id: 'd', seconds: 61.5 });
    expect(readLocalQueue(stores, 'v')).toBeUndefined();
    expect(readLocalPosition(store, 'v')).toBeUndefined();
  });

  test('recognizes saves without an answer', () => {
    const { stores } = createStores();
    const unanswered = toSaved(kept.queue, 0);
    saveLocalQueue(stores, 'u', { ...kept, unanswered: [unanswered] });
    expect(isSameSaved(readLocalQueue(stores, 'u')?.unanswered[0] ?? toSaved(emptyQueue, 0), unanswered)).toBe(true);
  });

  test('names no title, and its audios are found again', () => {
    const { store, stores } = createStores();
    saveLocalQueue(stores, 'u', kept);
    expect(store.get('sotto_queue')).not.toMatch(/Audio|Maren|audio-/);
    expect(idsOf(readLocalQueue(stores, 'u')?.queue.list ?? [])).toBe(idsOf(kept.queue.list));
  });

  test('gives way to the site’s, and is not sent, when one of its audios cannot be read', () => {
    const { stores } = createStores();
    saveLocalQueue(stores, 'u', kept);
    stores.tracks.save(kept.queue.list.slice(1));
    const read = readLocalQueue(stores, 'u');
    expect(read?.queue.list).toHaveLength(kept.queue.list.length - 1);
    expect([read?.isSent, read?.base]).toEqual([true, null]);
  });

  test('is gone when it is forgotten', () => {
    const { store, stores } = createStores();
    saveLocalQueue(stores, 'u', kept);
    savePosition(store, 'u', { id: 'd', seconds: 1 });
    clearLocalQueue(stores);
    expect(readLocalQueue(stores, 'u')).toBeUndefined();
    expect(readLocalPosition(store, 'u')).toBeUndefined();
    expect([...store.kept.values()].join('')).toBe('');
  });

  test.each([
    '',
    '{',
    'null',
    '7',
    '{"owner":"u"}',
    '{"owner":"u","saved":{"list":[{"id":"a"}]},"tracks":[{"id":"a"}]}',
  ])('of %j no queue is made, and nothing that the server should get', (text) => {
    const { store, stores } = createStores();
    store.set('sotto_queue', text);
    const read = readLocalQueue(stores, 'u');
    expect(read?.queue ?? emptyQueue).toEqual(emptyQueue);
    store.set('sotto_queue_place', text);
    expect(readLocalPosition(store, 'u')).toBeUndefined();
  });
});
