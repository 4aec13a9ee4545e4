import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { facets, reviews } from '#domain/catalogue/tables.ts';
import { setAdmin } from '#domain/identity/operators.ts';
import { users } from '#domain/identity/tables.ts';
import { newId } from '#domain/kernel/ids.ts';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import {
  createArticle,
  createAudio,
  createPlaylist,
  createSeries,
  createSession,
  createUser,
  createVoice,
} from '../support/factories.ts';
import { listAddresses } from '../support/built-pages.ts';
import { startWholeSite } from '../support/whole-site.ts';

const site = await startWholeSite();
const { db, url } = site;

async function newPerson() {
  const { id } = await createUser(db);
  const { token } = await createSession(db, id);
  return { id, cookie: `sotto_session=${token}` };
}

const [voice, other] = [await createVoice(db), await createVoice(db)];
const audio = await createAudio(db, { voiceId: voice.id });
const series = await createSeries(db, { voiceId: voice.id, audioIds: [audio.id] });
const [listener, creator, foreign, admin, suspended, withoutProof] = [
  await newPerson(),
  await newPerson(),
  await newPerson(),
  await newPerson(),
  await newPerson(),
  await newPerson(),
];
await setVoiceOwner(db, voice.id, creator.id, true);
await setVoiceOwner(db, other.id, foreign.id, true);
for (const { id } of [admin, suspended, withoutProof]) await setAdmin(db, id, true);
await db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, suspended.id));
// Has a passkey, which this session has not used.
await db.execute(sql`
  insert into passkeys (id, user_id, name, credential_id, public_key, counter)
  values (${newId()}, ${withoutProof.id}, 'key', 'credential', '', 0)`);

/** An existing value for each parameter of an address. */
const samples: Record<string, string> = {
  '/admin/users/:id': listener.id,
  '/admin/voices/:id': voice.id,
  '/admin/playlists/:id': (await createPlaylist(db)).id,
  '/admin/articles/:id': (await createArticle(db)).id,
  '/admin/info-pages/:name': 'about',
  '/admin/mails/:key': 'reset-password',
  '/admin/translations/:kind/:subject': 'mail/reset-password',
  '/admin/gift-cards/:id': await newGiftCard(),
  '/admin/subscriptions/:id': await newSubscription(),
  '/admin/webhook-events/:id': await newEvent(),
  '/studio/:voice/audios/:id': audio.id,
  '/studio/:voice/audios/:id/performers': audio.id,
  '/studio/:voice/audios/:id/credits': audio.id,
  '/admin/audios/:id/chain.json': audio.id,
  '/admin/desk/review/:id': await newReview(),
  '/admin/facets/:id': await newFacet(),
  '/studio/:voice/audios/:id/preview': audio.id,
  '/studio/:voice/series/:id': series.id,
  '/studio/:voice/earnings/:month': new Date().toISOString().slice(0, 7),
};

/** Waits at the desk. */
async function newReview(): Promise<string> {
  const waiting = await createAudio(db, { publishedAt: null, reviewState: 'waiting' });
  const id = newId();
  await db.insert(reviews).values({ id, audioId: waiting.id, cause: 'all', sound: waiting.fileKey });
  return id;
}

async function newFacet(): Promise<string> {
  const id = newId();
  await db.insert(facets).values({ id, slug: 'mood', label: 'Mood', chooses: 'many' });
  return id;
}

async function newGiftCard(): Promise<string> {
  const id = newId();
  await db.execute(
    sql`insert into gift_cards (id, months, amount, currency, deliver_at) values (${id}, 1, 799, 'usd', now())`,
  );
  return id;
}

async function newSubscription(): Promise<string> {
  await db.execute(sql`
    insert into subscriptions (user_id, subscription_id, status, period, amount, currency, started_at, period_ends_at)
    values (${listener.id}, 'sub_one', 'ended', 'month', 799, 'usd', now(), now())`);
  return listener.id;
}

async function newEvent(): Promise<string> {
  await db.execute(
    sql`insert into payment_events (event_id, type, created_at) values ('evt_one', 'invoice.paid', now())`,
  );
  return 'evt_one';
}

const pages = listAddresses().filter(
  (path) => /^\/(?:admin|studio)(?:\/|$)/.test(path) && path !== '/admin/second-factor',
);

function addressOf(page: string): string {
  const sample = samples[page];
  if (/:(?!voice)/.test(page) && sample === undefined) throw new Error(`${page} needs a sample`);
  return page.replace(':voice', voice.slug).replace(/:\w+(?:\/:\w+)*/, sample ?? '');
}

/** The document, and its data for a navigation; files and former addresses have none. */
function addressesOf(page: string): string[] {
  const address = addressOf(page);
  if (page === '/admin/tax.csv') return [`${address}?quarter=2026-Q4`];
  if (page === '/admin/payouts.csv') return [`${address}?month=${new Date().toISOString().slice(0, 7)}`];
  const isFile = /(?:\.csv|\.json|\.po|\/export|\/reports)$/.test(page);
  return isFile ? [address] : [address, `${address}.data`];
}

async function statusOf(address: string, cookie?: string): Promise<string> {
  const response = await fetch(url + address, { headers: cookie === undefined ? {} : { cookie }, redirect: 'manual' });
  const text = await response.text();
  // A redirect of a navigation's data is a response of its own kind.
  const to =
    response.headers.get('location') ??
    (/SingleFetchRedirect/.test(text) ? (/"(\/[^"]*second-factor[^"]*)"/.exec(text)?.[1] ?? '/') : undefined);
  return to === undefined ? String(response.status) : `to ${to.split('?')[0]}`;
}

test('every page of Admin and Studio is tried', () => {
  expect(pages.length).toBeGreaterThan(45);
  expect(pages).toEqual(
    expect.arrayContaining(['/admin', '/admin/log.csv', '/studio/:voice', '/studio/:voice/audios']),
  );
});

test.each(pages.filter((page) => page.startsWith('/admin')))('%s is there for operators only', async (page) => {
  for (const address of addressesOf(page)) {
    for (const cookie of [undefined, listener.cookie, creator.cookie, foreign.cookie, suspended.cookie])
      expect([address, await statusOf(address, cookie)]).toEqual([address, '404']);
    expect([address, await statusOf(address, withoutProof.cookie)]).toEqual([address, 'to /admin/second-factor']);
    // Process data is not available here: admin/system.e2e.ts covers System.
    if (page === '/admin/system') continue;
    const there = page === '/admin/reports' ? 'to /admin/desk/notices' : '200';
    expect([address, await statusOf(address, admin.cookie)]).toEqual([address, there]);
  }
});

test.each(pages.filter((page) => page.startsWith('/studio/')))(
  '%s is there for those who manage the voice, and for operators',
  async (page) => {
    for (const address of addressesOf(page)) {
      for (const cookie of [undefined, listener.cookie, foreign.cookie, suspended.cookie, withoutProof.cookie])
        expect([address, await statusOf(address, cookie)]).toEqual([address, '404']);
      expect([address, await statusOf(address, creator.cookie)]).toEqual([address, '200']);
      expect([address, await statusOf(address, admin.cookie)]).toEqual([address, '200']);
    }
  },
);

test('/studio leads creators to their voice, and is nothing for others', async () => {
  for (const address of ['/studio', '/studio.data'])
    for (const cookie of [undefined, listener.cookie]) expect(await statusOf(address, cookie)).toBe('404');
  expect(await statusOf('/studio', creator.cookie)).toBe(`to /studio/${voice.slug}`);
});
