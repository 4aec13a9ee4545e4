import { expect, test, vi } from 'vitest';
import { createModalStore } from './modal-store.ts';

test('waiting for a modal resolves when it is finished, and when it is left', async () => {
  const store = createModalStore();
  const finished = store.openAndWait('username');
  store.finish();
  await expect(finished).resolves.toBe('done');
  expect(store.getState().modal).toBeUndefined();

  const left = store.openAndWait('username');
  store.dispatch({ type: 'closed' });
  await expect(left).resolves.toBe('left');
});

test('switching to another modal counts as leaving the first', async () => {
  const store = createModalStore();
  const left = store.openAndWait('welcome');
  store.dispatch({ type: 'opened', modal: 'log-in' });
  await expect(left).resolves.toBe('left');
  expect(store.getState().modal).toBe('log-in');
});

test('listeners are notified of each change until they unsubscribe', () => {
  const store = createModalStore();
  const listener = vi.fn();
  const leave = store.subscribe(listener);
  store.dispatch({ type: 'opened', modal: 'log-in' });
  leave();
  store.dispatch({ type: 'closed' });
  expect(listener).toHaveBeenCalledTimes(1);
});
