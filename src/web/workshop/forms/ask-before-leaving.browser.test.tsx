import { expect, test, vi } from 'vitest';
import { logOutEvent } from '../../logged-out.ts';
import { noteUnsaved } from './use-ask-before-leaving.ts';

/** @returns whether the event was refused */
const isRefused = (name: string) => !window.dispatchEvent(new Event(name, { cancelable: true }));

test('closing the tab and logging out ask while anything is unsaved', () => {
  const asked = vi.spyOn(window, 'confirm').mockReturnValue(false);
  expect([isRefused('beforeunload'), isRefused(logOutEvent)]).toEqual([false, false]);
  noteUnsaved('one', true);
  noteUnsaved('other', true);
  noteUnsaved('one', false);
  expect([isRefused('beforeunload'), isRefused(logOutEvent)]).toEqual([true, true]);
  expect(asked.mock.calls).toEqual([['You have changes that are not saved. Log out anyway?']]);
  noteUnsaved('other', false);
  expect([isRefused('beforeunload'), isRefused(logOutEvent)]).toEqual([false, false]);
});

test('after the answer to log out all the same, nothing else is asked', () => {
  vi.spyOn(window, 'confirm').mockReturnValue(true);
  noteUnsaved('one', true);
  expect([isRefused(logOutEvent), isRefused('beforeunload')]).toEqual([false, false]);
});
