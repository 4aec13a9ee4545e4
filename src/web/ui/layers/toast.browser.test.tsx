import { useEffect } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { mount } from '#test/support/components/mount.tsx';
import type { Notice } from './notice.ts';
import { useToast } from './toast.tsx';

let show: (notice: Notice) => void;
let isReady: boolean;

function Page() {
  const current = useToast();
  useEffect(() => {
    show = current;
    isReady = true;
  }, [current]);
  return (
    <button type="button" onClick={() => current({ text: 'Copied' })}>
      Copy
    </button>
  );
}

async function open(): Promise<void> {
  isReady = false;
  mount(<Page />);
  await expect.poll(() => isReady).toBe(true);
}

const shown = () => [...document.querySelectorAll('[data-toast]')].map((toast) => toast.textContent);
const spoken = () => document.querySelector('output')?.textContent;

test('a notice is shown and announced, with the key to its action', async () => {
  await open();
  show({ text: 'Removed', action: { label: 'Undo', onPress: () => {} } });
  await expect.poll(shown).toEqual(['RemovedUndo']);
  expect(spoken()).toBe('Removed. Press F6 for Undo.');
});

test('its action runs once, and the notice goes', async () => {
  const onPress = vi.fn<() => void>();
  await open();
  show({ text: 'Removed', action: { label: 'Undo', onPress } });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(shown).toEqual([]);
  expect(onPress).toHaveBeenCalledTimes(1);
});

test('F6 reaches the action', async () => {
  const onPress = vi.fn<() => void>();
  await open();
  show({ text: 'Removed', action: { label: 'Undo', onPress } });
  await expect.poll(shown).toEqual(['RemovedUndo']);
  await userEvent.keyboard('{F6}');
  await expect.poll(() => document.activeElement?.closest('[aria-label=Notices]')).not.toBeNull();
  for (let tabs = 0; tabs < 3 && document.activeElement?.textContent !== 'Undo'; tabs += 1) await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => onPress.mock.calls).toHaveLength(1);
});

test('a notice of one kind replaces the former one, so that its Undo is of the last act', async () => {
  const undone: string[] = [];
  const notice = (name: string) => ({
    text: `${name} removed`,
    kind: 'removal',
    action: { label: 'Undo', onPress: () => undone.push(name) },
  });
  await open();
  show(notice('Rain'));
  await expect.poll(shown).toEqual(['Rain removedUndo']);
  show(notice('Sea'));
  await expect.poll(shown).toEqual(['Sea removedUndo']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => undone).toEqual(['Sea']);
});

test('the text of another press is announced again', async () => {
  await open();
  const press = () => page.getByRole('button', { name: 'Copy' }).click();
  await press();
  await expect.poll(spoken).toBe('Copied');
  const before = document.querySelector('output span');
  await press();
  await expect.poll(() => document.querySelector('output span') === before).toBe(false);
  expect(spoken()).toBe('Copied');
});

test('a notice goes when its occasion is over, and one whose occasion is over is not shown', async () => {
  const occasion = new AbortController();
  await open();
  show({ text: 'Still playing elsewhere', until: occasion.signal });
  await expect.poll(shown).toEqual(['Still playing elsewhere']);
  occasion.abort();
  await expect.poll(shown).toEqual([]);
  show({ text: 'Over already', until: occasion.signal });
  show({ text: 'Saved' });
  await expect.poll(shown).toEqual(['Saved']);
});

test('a lost connection is one notice from the loss until it is back; failed calls add nothing', async () => {
  await open();
  let isOnLine = false;
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnLine);
  window.dispatchEvent(new Event('offline'));
  await expect.poll(shown).toEqual(['No internet connection']);
  expect(spoken()).toBe('No internet connection');
  for (let tries = 0; tries < 3; tries += 1) show({ text: 'No internet connection' });
  expect(shown()).toEqual(['No internet connection']);
  show({ text: 'No internet connection. This page may be out of date.' });
  show({ text: 'No internet connection' });
  await expect.poll(shown).toEqual(['No internet connection. This page may be out of date.']);
  show({ text: 'Copied' });
  await expect.poll(shown).toHaveLength(2);
  isOnLine = true;
  window.dispatchEvent(new Event('online'));
  await expect.poll(shown).toEqual(['Copied']);
  show({ text: 'No internet connection' });
  await expect.poll(shown).toContain('No internet connection');
  onLine.mockRestore();
});

test('one Undo after three quick removals brings back three, the last one first', async () => {
  const undone: string[] = [];
  const closed: string[] = [];
  await open();
  for (const name of ['Rain', 'Sea', 'Wind'])
    show({
      text: `${name} removed`,
      kind: 'removal',
      several: (count) => `${count} audios removed`,
      action: { label: 'Undo', onPress: () => undone.push(name) },
      onClosed: () => closed.push(name),
    });
  await expect.poll(shown).toEqual(['3 audios removedUndo']);
  expect([undone, closed]).toEqual([[], []]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(shown).toEqual([]);
  expect([undone, closed]).toEqual([
    ['Wind', 'Sea', 'Rain'],
    ['Rain', 'Sea', 'Wind'],
  ]);
  show({ text: 'Fog removed', kind: 'removal', several: (count) => `${count} audios removed` });
  await expect.poll(shown).toEqual(['Fog removed']);
});
