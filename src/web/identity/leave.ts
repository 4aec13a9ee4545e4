import { browserStore } from '../browser-store.ts';
import { pushOwnerKey } from '../push-owner.ts';
import { logOutEvent } from '../logged-out.ts';

/** Answers a press on “Log out”; loaded with the menus. Unsaved text is asked about first. */
export async function leave(logOut: () => Promise<void>): Promise<void> {
  if (!window.dispatchEvent(new Event(logOutEvent, { cancelable: true }))) return;
  // Not awaited: the log-out must not wait for the push service.
  void endPushes().catch(() => undefined);
  await logOut();
}

/** The site forgets this browser with the session; the next account must not find its subscription. */
async function endPushes(): Promise<void> {
  browserStore.set(pushOwnerKey, '');
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}
