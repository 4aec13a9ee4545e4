import { read, write } from '#offline/database.ts';
import { browserLimits } from '#player/browser-limits.ts';
import { timedFetch } from '#player/timed-fetch.ts';
import { ownPrefix } from './own-language.ts';
import { readKey, seal, unseal } from '#offline/sealing.ts';

/** The page with which the app starts offline, without the prefix of a language. */
export const downloadsPage = '/library/downloads';

/** Required headers: the page's policy names its inline scripts. */
const storedHeaders = ['content-type', 'content-security-policy', 'permissions-policy', 'referrer-policy'];

/** Pages request it whenever they load. */
const freshMs = 10 * 60 * 1000;

type StoredPage = { build: string; storedAt: number; headers: [string, string][]; body: ArrayBuffer };

/**
 * A page in the worker's language. The browser's own cache would keep the answer on the disk, readable and with titles.
 * @param path without a prefix
 */
export function fetchUncached(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return timedFetch(ownPrefix + path, {
    credentials: 'same-origin',
    cache: 'no-store',
    headers,
    limitMs: browserLimits.document,
  });
}

/** Stores the page as this user sees it, encrypted, because it contains the user and the head of the queue. */
export async function storePage(build: string, isUsable: (html: string) => boolean): Promise<void> {
  const key = await readKey();
  if (key === undefined) return;
  const answer = await fetchUncached(downloadsPage, { accept: 'text/html' });
  if (!answer.ok) return;
  const html = await answer.text();
  if (!isUsable(html)) return;
  const headers = storedHeadersOf(answer);
  const body = await seal(key, new TextEncoder().encode(html), 'page');
  // The key is gone because the user logged out meanwhile.
  if ((await readKey()) !== undefined)
    await write('state', 'page', { build, storedAt: Date.now(), headers, body } satisfies StoredPage);
}

export function storedHeadersOf({ headers }: Response): [string, string][] {
  return storedHeaders.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
}

/** Whether this build stored it a moment ago. */
export async function hasFreshPage(build: string): Promise<boolean> {
  const page = await read<StoredPage>('state', 'page');
  return page?.build === build && Math.abs(Date.now() - page.storedAt) < freshMs;
}

/** Whether a page is stored, of any build. */
export async function hasPage(): Promise<boolean> {
  return (await readKey()) !== undefined && (await read('state', 'page')) !== undefined;
}

/** @returns undefined when no page is stored */
export async function readPage(): Promise<Response | undefined> {
  const [key, page] = [await readKey(), await read<StoredPage>('state', 'page')];
  if (key === undefined || page === undefined) return undefined;
  return new Response(await unseal(key, page.body, 'page'), { headers: page.headers });
}
