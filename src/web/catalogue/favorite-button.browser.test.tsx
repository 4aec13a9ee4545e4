import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { type ReceivedCall, answerCalls, refusal } from '#test/support/components/calls.ts';
import { dataFor, listener, mountInSite } from '#test/support/components/mount.tsx';
import { useSession } from '../identity/session-provider.tsx';
import { FavoriteButton } from './favorite-button.tsx';

let calls: ReceivedCall[];
let answer: () => unknown;
const sent = () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body as { isFavorite: boolean });

beforeEach(() => {
  answer = () => ({ totalFavorite: 8 });
  calls = answerCalls({
    'POST /v1/api/user/favorite/a1': () => answer(),
    'GET /v1/api/user/me': () => ({
      favorites: { ...dataFor(listener).favorites?.ids, audios: sent().at(-1)?.isFavorite ? ['a1'] : [] },
    }),
  });
});

const hearts = (
  <>
    <FavoriteButton contentTypeId="audio" name="Rain" subjectId="a1" source="search" />
    <FavoriteButton contentTypeId="audio" name="Rain" subjectId="a1" source="search" variant="button" />
  </>
);
const heart = () => page.getByRole('button', { name: /^(Unf|F)avorite Rain$/ }).first();
const states = () =>
  [...document.querySelectorAll('.heart')].map((button) => button.getAttribute('aria-pressed')).join(' ');

test('a press fills each heart of the audio at once, and is saved a moment later', async () => {
  mountInSite(hearts, { user: listener });
  await heart().click();
  await expect.poll(states).toBe('true true');
  await expect.element(page.getByText('Unfavorite', { exact: true })).toBeVisible();
  await expect.poll(sent).toEqual([{ contentTypeId: 'audio', isFavorite: true }]);
});

test('quick presses make one call, with the last state', async () => {
  mountInSite(hearts, { user: listener });
  await heart().dblClick();
  await expect.poll(sent).toEqual([{ contentTypeId: 'audio', isFavorite: false }]);
  expect(states()).toBe('false false');
});

test('a refused one is taken back, and says so', async () => {
  answer = () => refusal(404, 'favorite/not-found', 'It no longer exists.');
  mountInSite(hearts, { user: listener });
  await heart().click();
  await expect.poll(states).toBe('true true');
  await expect.element(page.getByText('“Rain” could not be saved. It no longer exists.').first()).toBeInTheDocument();
  expect(states()).toBe('false false');
});

test('a visitor is asked to log in, and nothing is kept before', async () => {
  mountInSite(hearts);
  await heart().click();
  await expect.element(page.getByRole('dialog')).toBeVisible();
  expect(document.querySelector('[role=dialog]')?.textContent).toContain('keep “Rain”');
  expect(states()).toBe('false false');
  expect(calls).toEqual([]);
});

function LogOut() {
  const { logOut } = useSession();
  return (
    <button type="button" onClick={() => void logOut()}>
      Log out
    </button>
  );
}

test('a press just before a log-out is saved before the session ends', async () => {
  const order: string[] = [];
  answerCalls({
    'POST /v1/api/user/favorite/a1': () => {
      order.push('saved');
      return { totalFavorite: 8 };
    },
    'GET /v1/api/user/me': () => ({ favorites: dataFor(listener).favorites?.ids }),
    'POST /v1/api/auth/logout': () => void order.push('logged out'),
  });
  mountInSite(
    <>
      {hearts}
      <LogOut />
    </>,
    { user: listener },
  );
  await heart().click();
  await expect.poll(states).toBe('true true');
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect.poll(() => order).toEqual(['saved', 'logged out']);
});
