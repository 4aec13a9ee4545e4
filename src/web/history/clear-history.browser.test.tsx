import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { type ReceivedCall, answerCalls, refusal } from '#test/support/components/calls.ts';
import { dataFor, listener, mountInSite } from '#test/support/components/mount.tsx';
import { ClearHistory } from './clear-history.tsx';

let calls: ReceivedCall[];
let answer: () => unknown;
let loads: number;

beforeEach(() => {
  answer = () => undefined;
  calls = answerCalls({ 'DELETE /v1/api/history/me': () => answer() });
  mountInSite(<ClearHistory />, {
    user: listener,
    load() {
      loads += 1;
      return dataFor(listener);
    },
  });
  loads = 0;
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog', { name: 'Clear your listening history' });

test('nothing is cleared before it is confirmed', async () => {
  await button('Clear all').click();
  await button('Keep it').click();
  await expect.poll(() => dialog().query()).toBeNull();
  await button('Clear all').click();
  await expect.element(dialog()).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => dialog().query()).toBeNull();
  await expect.element(button('Clear all')).toHaveFocus();
  expect(calls).toEqual([]);
});

test('a confirmed press clears it, says so, and reloads the page', async () => {
  await button('Clear all').click();
  await button('Clear history').click();
  await expect.poll(() => dialog().query()).toBeNull();
  expect(calls).toHaveLength(1);
  await expect.element(page.getByText('Your listening history is cleared').first()).toBeInTheDocument();
  await expect.poll(() => loads).toBe(1);
});

test('a failure stays in the dialog, with the way to try again', async () => {
  answer = () => refusal(503, 'server/busy', 'Please try again.');
  await button('Clear all').click();
  await button('Clear history').click();
  await expect.element(dialog().getByText('Please try again.')).toBeVisible();
  expect(loads).toBe(0);
  answer = () => undefined;
  await button('Clear history').click();
  await expect.poll(() => dialog().query()).toBeNull();
});
