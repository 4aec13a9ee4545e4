import { t } from '@lingui/core/macro';
import { hexDigest } from '#formats/hex.ts';
import { browserLimits, inTime } from '#player/browser-limits.ts';
import { answerOf, api } from '../api.ts';
import { browserStore } from '../browser-store.ts';
import { sessionKey } from '../identity/session.ts';
import { pushOwnerKey } from '../push-owner.ts';

/** Pushes to this browser (https://www.w3.org/TR/push-api/). */

export type PushState = 'unsupported' | 'blocked' | 'off' | 'on';

/**
 * `on`: the site sends this account's pushes to this browser. The browser's subscription alone does not tell: it outlives
 * the session, and may have an older key, a new endpoint, or belong to another account.
 * @param key public key of the site, in base64url
 * @returns undefined when the site does not answer
 */
export async function findPushState(key: string): Promise<PushState | undefined> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
    return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  await registerAgain();
  // Some browsers fail here in private windows.
  const subscription = await findSubscription().catch(() => undefined);
  if (subscription === undefined) return 'unsupported';
  if (subscription === null || !hasKey(subscription, key)) return 'off';
  const listed = await findListed(subscription);
  return listed && (listed.id === undefined ? 'off' : 'on');
}

/**
 * Asks for permission, so call it on a press only.
 * @returns the new state, or an error message
 */
export async function turnPushOn(key: string): Promise<{ state: PushState; problem?: string }> {
  const permission = await Notification.requestPermission();
  if (permission === 'denied')
    return {
      state: 'blocked',
      problem: t`This browser blocks notifications from this site. Allow them in its settings.`,
    };
  if (permission !== 'granted')
    return { state: 'off', problem: t`The browser’s question has no answer yet. Nothing was changed.` };
  const applicationServerKey = bytesOf(key);
  try {
    // The worker may never be ready, and the browser's own service may never answer.
    const subscription = await inTime(subscribe(applicationServerKey), browserLimits.asset);
    const answer = await register(subscription);
    if (answer.ok) return { state: 'on' };
    await subscription.unsubscribe();
    return { state: 'off', problem: answer.message };
  } catch {
    return { state: 'off', problem: t`This browser could not turn on push notifications. Nothing was changed.` };
  }
}

/** Remembers whose session it belongs to: the site forgets it with the session. */
async function register(subscription: PushSubscription) {
  const owner = currentOwner();
  const { endpoint, keys = {} } = subscription.toJSON();
  const json = { endpoint: endpoint ?? '', keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } };
  const answer = await answerOf(api.user['push-subscriptions'].$post({ json }));
  if (answer.ok && owner !== undefined) browserStore.set(pushOwnerKey, `${owner.userId} ${owner.since}`);
  return answer;
}

let registering: Promise<void> | undefined;

/**
 * Registers the browser's subscription with the session of a new log-in, or of a change of password, if the same account
 * turned it on here.
 */
export function registerAgain(): Promise<void> {
  registering ??= registerIfDue()
    .catch(() => undefined)
    .finally(() => (registering = undefined));
  return registering;
}

async function registerIfDue(): Promise<void> {
  const [userId, since] = (browserStore.get(pushOwnerKey) ?? '').split(' ');
  const owner = currentOwner();
  if (owner === undefined || owner.userId !== userId || owner.since === since) return;
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  const subscription = await findSubscription();
  if (subscription !== null) await register(subscription);
}

/** The user of this browser's session, and when it was stored. */
function currentOwner(): { userId: string; since: string } | undefined {
  try {
    const { userId, lastUpdated } = JSON.parse(browserStore.get(sessionKey) ?? '{}') as Record<string, unknown>;
    return typeof userId === 'string' ? { userId, since: String(lastUpdated) } : undefined;
  } catch {
    return undefined;
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

/** Other browsers of the account go on. If the site is not reached, the push service tells it later by 410. */
export async function turnPushOff(): Promise<void> {
  browserStore.set(pushOwnerKey, '');
  const subscription = await findSubscription();
  if (subscription === null) return;
  const id = (await findListed(subscription))?.id;
  // The site sends nothing to it any more, so a browser that fails here does not matter.
  await subscription.unsubscribe().catch(() => false);
  if (id !== undefined) await answerOf(api.user['push-subscriptions'][':id'].$delete({ param: { id } }));
}

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** @returns the subscription's id at the site, if this account has it there; undefined without an answer */
async function findListed({ endpoint }: PushSubscription): Promise<{ id: string | undefined } | undefined> {
  const answer = await answerOf(api.user['push-subscriptions'].$get());
  if (!answer.ok) return undefined;
  const own = await hexDigest(new TextEncoder().encode(endpoint));
  return { id: answer.data.items.find(({ endpointHash }) => endpointHash === own)?.id };
}

function hasKey({ options }: PushSubscription, key: string): boolean {
  if (options.applicationServerKey === null) return true;
  return new Uint8Array(options.applicationServerKey).join() === bytesOf(key).join();
}

function bytesOf(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
