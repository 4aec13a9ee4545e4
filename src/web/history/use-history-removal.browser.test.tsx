import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { type ReceivedCall, answerCalls, refusal } from '#test/support/components/calls.ts';
import { listener, mountInSite } from '#test/support/components/mount.tsx';
import { useHistoryRemoval } from './use-history-removal.ts';

let calls: ReceivedCall[];
let answer: () => unknown;
let gone: string[];

beforeEach(() => {
  gone = [];
  answer = () => undefined;
  calls = answerCalls(
    Object.fromEntries(['rain', 'sea'].map((id) => [`DELETE /v1/api/history/me/items/${id}`, () => answer()])),
  );
});

function History() {
  const { removed, remove } = useHistoryRemoval((id) => gone.push(id));
  return (
    <>
      <p data-testid="list">{['rain', 'sea'].filter((id) => !removed.has(id)).join(' ')}</p>
      {['rain', 'sea'].map((id) => (
        <button key={id} type="button" onClick={() => remove({ id, title: id })}>{`Remove ${id}`}</button>
      ))}
    </>
  );
}

function Site() {
  const [isShown, setIsShown] = useState(true);
  return (
    <>
      {isShown && <History />}
      <button type="button" onClick={() => setIsShown(false)}>
        Another page
      </button>
    </>
  );
}

const open = () => mountInSite(<Site />, { user: listener });
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const shows = (list: string) => expect.poll(() => page.getByTestId('list').query()?.textContent).toBe(list);
const sent = () => calls.map(({ path }) => path.replace(/.*\//, ''));

test('a removed audio is gone at once; the account forgets it when the page is left', async () => {
  open();
  await press('Remove rain');
  await shows('sea');
  expect([sent(), gone]).toEqual([[], []]);
  await press('Another page');
  await expect.poll(sent).toEqual(['rain']);
  await expect.poll(() => gone).toEqual(['rain']);
});

test.each(['beforeunload', 'pagehide'])(
  '%s sends what is not sent yet, once, and Undo comes too late then',
  async (way) => {
    open();
    await press('Remove rain');
    await press('Remove sea');
    await shows('');
    window.dispatchEvent(new Event(way));
    window.dispatchEvent(new Event('pagehide'));
    await expect.poll(() => sent().toSorted()).toEqual(['rain', 'sea']);
    await expect.poll(() => page.getByRole('button', { name: 'Undo' }).query()).toBeNull();
    await press('Another page');
    expect(sent()).toHaveLength(2);
  },
);

test('Undo brings back all that its notice names, and nothing is sent', async () => {
  open();
  await press('Remove rain');
  await press('Remove sea');
  await shows('');
  await press('Undo');
  await shows('rain sea');
  await press('Another page');
  expect([sent(), gone]).toEqual([[], []]);
});

test('what the account does not forget comes back, and says so', async () => {
  answer = () => refusal(503, 'server/unavailable');
  open();
  await press('Remove rain');
  window.dispatchEvent(new Event('pagehide'));
  await expect.element(page.getByText('It could not be removed. Please try again.').first()).toBeInTheDocument();
  await shows('rain sea');
  expect(gone).toEqual([]);
});
