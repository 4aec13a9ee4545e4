import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { type ReceivedCall, answerCalls, refusal } from '#test/support/components/calls.ts';
import { listener, mountInSite } from '#test/support/components/mount.tsx';
import { AudioMenu } from '../audio-menu.tsx';

const audio = {
  id: 'a1',
  slug: 'echo',
  title: 'Echo',
  imageUrl: null,
  audioFileUrl: '/media/audios/a1',
  numberDuration: 60,
  plays: 1,
  color: null,
  badge: null,
  isFree: true,
  language: 'en',
  voice: { id: 'v1', name: 'Ansel Rook', slug: 'ansel-rook', imageUrl: null, linkedSeries: null },
  categories: [],
};

let calls: ReceivedCall[];
let answer: (isHidden: boolean) => unknown;
const sent = () => calls.filter(({ path }) => path.includes('/user/hidden/'));

beforeEach(() => {
  answer = (isHidden) => ({ id: 'a1', isHidden });
  const answered = ({ body }: ReceivedCall) => answer((body as { isHidden: boolean }).isHidden);
  calls = answerCalls({
    'POST /v1/api/user/hidden/audios/a1': answered,
    'POST /v1/api/user/hidden/voices/v1': answered,
  });
});

const row = (source: 'search' | 'favorites' = 'search') => (
  <ul>
    <li className="row">
      <span>Echo by Ansel Rook</span>
      <AudioMenu audio={audio} place="row" source={source} />
    </li>
  </ul>
);
const menu = () => page.getByRole('button', { name: 'More for Echo' });
const choose = async (name: string) => {
  await menu().click();
  await page.getByRole('menuitem', { name }).click();
};
const undo = () => page.getByRole('button', { name: 'Undo' });
const note = () => page.getByText('“Echo” is hidden');

test('“Not for me” takes the place of the row, with the focus on Undo, which brings the row back', async () => {
  mountInSite(row(), { user: listener });
  const place = () => document.querySelector('.row')?.getBoundingClientRect().height;
  await menu().findElement();
  const before = place();
  await choose('Not for me');
  await expect.element(note()).toBeVisible();
  await expect.element(page.getByRole('status').filter({ hasText: 'lists, search or suggestions' })).toBeVisible();
  await expect.element(undo()).toHaveFocus();
  await expect.element(page.getByText('Echo by Ansel Rook')).not.toBeVisible();
  expect(place()).toBe(before);
  await expect.poll(() => sent().map(({ body }) => body)).toEqual([{ isHidden: true }]);
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Echo by Ansel Rook')).toBeVisible();
  await expect.element(menu()).toHaveFocus();
  expect(sent().map(({ path, body }) => [path, body])).toEqual([
    ['/v1/api/user/hidden/audios/a1', { isHidden: true }],
    ['/v1/api/user/hidden/audios/a1', { isHidden: false }],
  ]);
  await expect.element(note()).not.toBeInTheDocument();
});

test('a creator is hidden from the same menu', async () => {
  mountInSite(row(), { user: listener });
  await choose('Hide Ansel Rook');
  await expect.element(page.getByText('“Ansel Rook” is hidden')).toBeVisible();
  await expect.poll(() => sent().map(({ path }) => path)).toEqual(['/v1/api/user/hidden/voices/v1']);
});

test('what could not be hidden is back at once, and what could not be undone says so in its place', async () => {
  answer = () => refusal(409, 'library/full', 'There is no room for more.');
  mountInSite(row(), { user: listener });
  await choose('Not for me');
  await expect.element(page.getByText('There is no room for more.').first()).toBeVisible();
  await expect.element(page.getByText('Echo by Ansel Rook')).toBeVisible();
  answer = (isHidden) =>
    isHidden ? { id: 'a1', isHidden } : refusal(429, 'request/too-many', 'Please wait a moment.');
  await choose('Not for me');
  await undo().click();
  await expect.element(page.getByText('Please wait a moment.')).toBeVisible();
  await expect.element(note()).toBeVisible();
});

test('a row of one’s own list stays, and a notice has Undo', async () => {
  mountInSite(row('favorites'), { user: listener });
  await choose('Not for me');
  await expect.element(note().first()).toBeVisible();
  await expect.element(page.getByText('Echo by Ansel Rook')).toBeVisible();
  await undo().click();
  await expect.poll(() => sent().map(({ body }) => body)).toEqual([{ isHidden: true }, { isHidden: false }]);
});

test('visitors are asked to sign in', async () => {
  mountInSite(row(), { user: null });
  await choose('Not for me');
  await expect.element(page.getByText('Sign in to hide “Echo”')).toBeVisible();
  expect(sent()).toEqual([]);
});
