import { browserLimits, inTime } from '#player/browser-limits.ts';
import { answerOf, api } from '../api.ts';

/** Pushes to this browser (https://www.w3.org/TR/push-api/). */

export type PushState = 'unsupported' | 'blocked' | 'off' | 'on';

export async function findPushState(): Promise<PushState> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
    return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  return subscription ? 'on' : 'off';
}

/**
 * Asks for permission, so call it on a press only.
 * @param key public key of the site, in base64url
 * @returns the new state, or an error message
 */
export async function turnPushOn(key: string): Promise<{ state: PushState; problem?: string }> {
  if ((await Notification.requestPermission()) !== 'granted')
    return {
      state: 'blocked',
      problem: 'This browser blocks notifications from this site. Allow them in its settings.',
    };
  const applicationServerKey = bytesOf(key);
  try {
    // The worker may never be ready, and the browser's own service may never answer.
    const subscription = await inTime(subscribe(applicationServerKey), browserLimits.asset);
    const { endpoint, keys = {} } = subscription.toJSON();
    const json = { endpoint: endpoint ?? '', keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } };
    const answer = await answerOf(api.user['push-subscriptions'].$post({ json }));
    if (answer.ok) return { state: 'on' };
    await subscription.unsubscribe();
    return { state: 'off', problem: answer.message };
  } catch {
    return { state: 'off', problem: 'This browser could not turn on push notifications. Nothing was changed.' };
  }
}

async function subscribe(applicationServerKey: Uint8Array<ArrayBuffer>): Promise<PushSubscription> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey };
  try {
    return await pushManager.subscribe(options);
  } catch {
    // A subscription with another key, such as before a new installation, has to end first.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  }
}

/** The site is informed when the push service answers 410. */
export async function turnPushOff(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

function bytesOf(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
