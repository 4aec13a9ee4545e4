import { useRef } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { AudioRowItem } from '#domain/catalogue/audios.ts';
import type { UserPlaylist } from '#domain/library/user-playlists.ts';
import { answerCalls, refusal } from '#test/support/components/calls.ts';
import { mountInSite } from '#test/support/components/mount.tsx';
import { clearLeftLists } from '../catalogue/lists/list-memory.ts';
import { usePlaylistItems } from './use-playlist-items.ts';

const ids = ['a', 'b', 'c'];
// The hook reads no more of them.
const audios = ids.map((id) => ({ id, title: id, numberDuration: 10 })) as AudioRowItem[];
const playlist = { id: 'p1', title: 'Night', totalAudios: 3, totalDuration: 30 } as UserPlaylist;
const first = { items: audios, nextCursor: undefined };
const path = '/v1/api/users-playlists/p1';

beforeEach(() => clearLeftLists());

function Rows() {
  const list = useRef<HTMLDivElement>(null);
  const { items, move, remove, totalAudios, totalDuration } = usePlaylistItems({ playlist, page: first, list });
  return (
    <div ref={list}>
      <p data-testid="list">{`${items.map(({ id }) => id).join('')}, ${totalAudios} of ${totalDuration} s`}</p>
      <button type="button" onClick={() => remove('b')}>
        Remove b
      </button>
      <button type="button" onClick={() => move(0, 2)}>
        First to the end
      </button>
    </div>
  );
}

const shows = (text: string) => expect.poll(() => page.getByTestId('list').element().textContent).toBe(text);
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

test('changes are shown at once and sent one after the other', async () => {
  const answers = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  let asked = 0;
  const calls = answerCalls({ [`POST ${path}/move`]: () => answers[(asked += 1) - 1]?.promise });
  mountInSite(<Rows />);
  await press('First to the end');
  await shows('bca, 3 of 30 s');
  await press('First to the end');
  await shows('cab, 3 of 30 s');
  await expect.poll(() => calls.length).toBeGreaterThan(0);
  expect(calls.map(({ body }) => body)).toEqual([{ audioId: 'a', after: 'c', before: null }]);
  answers[0]?.resolve(undefined);
  await expect.poll(() => calls.map(({ body }) => body)[1]).toEqual({ audioId: 'b', after: 'a', before: null });
  answers[1]?.resolve(undefined);
  await shows('cab, 3 of 30 s');
});

test('a refused removal is taken back with its count, and Undo adds nothing to it then', async () => {
  const calls = answerCalls({
    [`DELETE ${path}/audios/b`]: () => refusal(503, 'server/unavailable', 'Not now.'),
    [`POST ${path}/audios`]: () => ({ added: 0, totalAudios: 3 }),
    [`POST ${path}/move`]: () => undefined,
  });
  mountInSite(<Rows />);
  await press('Remove b');
  await expect.element(page.getByText('Not now.').first()).toBeVisible();
  await shows('abc, 3 of 30 s');
  await press('Undo');
  await expect
    .poll(() => calls.map(({ method, path: of }) => `${method} ${of.slice(path.length)}`))
    .toEqual(['DELETE /audios/b', 'POST /audios', 'POST /move']);
  await shows('abc, 3 of 30 s');
});

test('a removal and its Undo that both fail leave the list as the site has it', async () => {
  const removal = Promise.withResolvers<never>();
  answerCalls({
    [`DELETE ${path}/audios/b`]: () => removal.promise,
    [`POST ${path}/audios`]: () => refusal(503, 'server/unavailable', 'Not now.'),
  });
  mountInSite(<Rows />);
  await press('Remove b');
  await shows('ac, 2 of 20 s');
  await press('Undo');
  await shows('abc, 3 of 30 s');
  removal.reject(new TypeError('Failed to fetch'));
  await expect.element(page.getByText('Not now.').first()).toBeVisible();
  await shows('abc, 3 of 30 s');
});

test('after too many calls those that wait are not sent, and all of them are taken back', async () => {
  const answer = Promise.withResolvers<Response>();
  const calls = answerCalls({ [`POST ${path}/move`]: () => answer.promise });
  mountInSite(<Rows />);
  await press('First to the end');
  await press('First to the end');
  await press('Remove b');
  await shows('ca, 2 of 20 s');
  answer.resolve(refusal(429, 'request/too-many', 'Too many.'));
  await shows('abc, 3 of 30 s');
  expect(calls).toHaveLength(1);
});
