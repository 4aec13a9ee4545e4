import { hexDigest } from '#formats/hex.ts';
import { isOwnPath } from '#formats/own-path.ts';
import { timedFetch } from '#player/timed-fetch.ts';

/** Pushes of news: shows them, and opens the linked page. Plain functions, which the worker calls. */

export type ShownNews = { title: string; body: string; path: string; tag: string };

/**
 * Parses a push. Browsers require a visible notification for each push, so an unreadable one gets a general text.
 * @param general this text
 */
export function readPush(text: string | undefined, general: string): ShownNews {
  const fallback = { title: general, body: '', path: '/account/notifications', tag: 'news' };
  try {
    const { title, body, path, tag } = JSON.parse(text ?? '') as Partial<Record<keyof ShownNews, unknown>>;
    return {
      title: typeof title === 'string' && title !== '' ? title : fallback.title,
      body: typeof body === 'string' ? body : '',
      path: isOwnPath(path) ? path : fallback.path,
      tag: typeof tag === 'string' ? tag : fallback.tag,
    };
  } catch {
    return fallback;
  }
}

type Subscription = {
  endpoint: string;
  toJSON(): { endpoint?: string; keys?: Record<string, string> };
};
export type SubscriptionChange = { oldSubscription?: Subscription | null; newSubscription?: Subscription | null };
type PushManager = {
  subscribe(options: { userVisibleOnly: true; applicationServerKey: string }): Promise<Subscription>;
};

/**
 * Tells the site the browser's new endpoint (https://www.w3.org/TR/push-api/#the-pushsubscriptionchange-event). Does
 * nothing when nobody is logged in, or when the site does not have the old one for this account.
 */
export async function renewSubscription(
  pushManager: PushManager,
  { oldSubscription, newSubscription }: SubscriptionChange,
): Promise<void> {
  const session = await call<{ token: string }>('POST', '/auth/session/token', {});
  if (session === undefined) return;
  const path = '/user/push-subscriptions';
  const listed = await call<{ key: string; items: { endpointHash: string }[] }>('GET', path, { token: session.token });
  if (listed === undefined || listed.key === '') return;
  if (oldSubscription) {
    const old = await hexDigest(new TextEncoder().encode(oldSubscription.endpoint));
    if (!listed.items.some(({ endpointHash }) => endpointHash === old)) return;
  }
  const subscription =
    newSubscription ?? (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: listed.key }));
  const { endpoint, keys } = subscription.toJSON();
  await call('POST', path, { token: session.token, body: { endpoint, keys } });
}

/** @returns undefined for a refusal */
async function call<Data>(
  method: string,
  path: string,
  { token, body }: { token?: string; body?: unknown },
): Promise<Data | undefined> {
  const answer = await timedFetch(`/v1/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return answer.ok ? ((await answer.json()) as Data) : undefined;
}

type Windows = {
  matchAll(query: {
    type: 'window';
    includeUncontrolled: boolean;
  }): Promise<{ url: string; focus(): Promise<unknown>; navigate?(url: string): Promise<unknown> }[]>;
  openWindow(url: string): Promise<unknown>;
};

/** In a tab that shows that page, else in a new one: a playing tab must not navigate. */
export async function openNews(clients: Windows, path: string, origin: string): Promise<void> {
  const url = new URL(path, origin).href;
  const tabs = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = tabs.find((tab) => tab.url === url);
  await (shown === undefined ? clients.openWindow(url) : shown.focus());
}
