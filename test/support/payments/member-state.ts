import type { BrowserContextOptions } from 'playwright-core';
import type { Db } from '#domain/kernel/db.ts';
import { createSession } from '../factories.ts';

/** The storage of a browser with a session. */
export async function memberState(
  { url, db }: { url: string; db: Db },
  userId: string,
): Promise<NonNullable<BrowserContextOptions['storageState']>> {
  const { token } = await createSession(db, userId, 'A browser of before');
  const cookie = { name: 'sotto_session', value: token, domain: new URL(url).hostname, path: '/', expires: -1 };
  const kept = JSON.stringify({ token, lastUpdated: Date.now(), userId });
  return {
    cookies: [{ ...cookie, httpOnly: true, secure: false, sameSite: 'Lax' }],
    origins: [{ origin: url, localStorage: [{ name: 'sotto.session', value: kept }] }],
  };
}
