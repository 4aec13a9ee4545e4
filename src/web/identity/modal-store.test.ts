import { expect, test, vi } from 'vitest';
import { createModalStore } from './modal-store.ts';

test('who waits for a modal is told when it was finished, and when it was left', async () => {
  const store = createModalStore();
  const finished = store.openAndWait('username');
  store.finish();
  await expect(finished).resolves.toBe('done');
  expect(store.getState().modal).toBeUndefined();

  const left = store.openAndWait('username');
  store.dispatch({ type: 'closed' });
  await expect(left).resolves.toBe('left');
});

test('going on to another modal leaves the one before', async () => {
  const store = createModalStore();
  const left = store.openAndWait('welcome');
  store.dispatch({ type: 'opened', modal: 'log-in' });
  await expect(left).resolves.toBe('left');
  expect(store.getState().modal).toBe('log-in');
});

test('listeners are told of each change until they leave', () => {
  const store = createModalStore();
  const listener = vi.fn();
  const leave = store.subscribe(listener);
  store.dispatch({ type: 'opened', modal: 'log-in' });
  leave();
  store.dispatch({ type: 'closed' });
  expect(listener).toHaveBeenCalledTimes(1);
});
