import { expect, test, vi } from 'vitest';
import { logOutEvent } from '../logged-out.ts';
import { leave } from './leave.ts';

test('a press on “Log out” ends the session and the pushes to this browser', async () => {
  const unsubscribe = vi.fn<() => Promise<boolean>>(async () => true);
  const pushManager = { getSubscription: async () => ({ unsubscribe }) };
  vi.spyOn(navigator.serviceWorker, 'getRegistration').mockResolvedValue({
    pushManager,
  } as unknown as ServiceWorkerRegistration);
  const logOut = vi.fn<() => Promise<void>>(async () => undefined);
  await leave(logOut);
  expect(logOut).toHaveBeenCalledTimes(1);
  await expect.poll(() => unsubscribe.mock.calls.length).toBe(1);
});

test('a page that refuses it, for unsaved text, keeps both', async () => {
  window.addEventListener(logOutEvent, (event) => event.preventDefault(), { once: true });
  const found = vi.spyOn(navigator.serviceWorker, 'getRegistration');
  const logOut = vi.fn<() => Promise<void>>(async () => undefined);
  await leave(logOut);
  expect([logOut.mock.calls.length, found.mock.calls.length]).toEqual([0, 0]);
});
