import { afterEach, expect, test, vi } from 'vitest';
import type { Audio } from '#domain/catalogue/audios.ts';
import { createTestPlayer } from '#test/support/player/fake-player.ts';
import { createTrack } from '#test/support/player/fake-tracks.ts';
import { createAppendRest } from './append-rest.ts';

afterEach(() => vi.unstubAllGlobals());

const source = 'series';
const ids = Array.from({ length: 230 }, (_, at) => `a${at + 1}`);
const audios = ids.map((id) => createTrack(id, { source }) as unknown as Audio);

/** The API of a list; each cursor is the number of audios before it. */
function serveList() {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (address: string) => {
    const { searchParams } = new URL(address, 'http://site.example');
    const from = Number(searchParams.get('cursor'));
    const to = from + Number(searchParams.get('limit'));
    asked.push(address);
    const nextCursor = to < audios.length ? String(to) : null;
    return Promise.resolve(Response.json({ items: audios.slice(from, to), nextCursor }));
  });
  return asked;
}

/** A list of which a page has loaded the first 24 audios, started at this row. */
function start(index: number) {
  const { player } = createTestPlayer();
  const shown = audios.slice(0, 24);
  player.playList(
    shown.map(({ id }) => createTrack(id, { source })),
    index,
  );
  const queued = () => player.getSnapshot().queue.list.map(({ id }) => id);
  const rest = { path: '/v1/api/series/tides/audios', cursor: '24' };
  return { player, queued, appendRest: () => createAppendRest(() => {})(player, rest, shown, source) };
}

test('a list that is started plays on through what its page has not loaded', async () => {
  const asked = serveList();
  const { queued, appendRest } = start(0);
  await appendRest();
  expect(queued()).toEqual(ids);
  expect(asked).toHaveLength(3);
});

test('the audios before the chosen one still come last; removed and added ones stay as they are', async () => {
  serveList();
  const { player, queued, appendRest } = start(4);
  const added = appendRest();
  player.addToQueue(createTrack('x'));
  player.removeFromQueue('a7');
  player.next();
  await added;
  expect(queued()).toEqual(['x', 'a6', ...ids.slice(7), ...ids.slice(0, 4)]);
});

test('another list that is started meanwhile stays alone', async () => {
  serveList();
  const { player, queued, appendRest } = start(0);
  const added = appendRest();
  player.playList([createTrack('z')], 0);
  await added;
  expect(queued()).toEqual(['z']);
});
