import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { audios } from '#domain/catalogue/tables.ts';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { errorSentences } from '#domain/kernel/errors.ts';
import { sessions } from '#domain/identity/tables.ts';
import { newId } from '#domain/kernel/ids.ts';
import type { GiftCardForm } from '#domain/membership/forms.ts';
import { createAudio, createSession, createUser, createUserPlaylist } from '#test/support/factories.ts';
import { openPlainPayments } from '#test/support/plain-payments.ts';
import { startTestSite } from '#test/support/site.ts';

const plain = openPlainPayments();
const { url, db, site } = await startTestSite({ TRUST_PROXY: '1' }, { openPayments: async () => plain.provider });

type Person = { id: string; token: string; sessionId: string };

async function newPerson(): Promise<Person> {
  const { id } = await createUser(db);
  const { token, id: sessionId } = await createSession(db, id);
  return { id, token, sessionId };
}

async function call(by: Person | undefined, method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}/v1/api${path}`, {
    method,
    headers: {
      ...(by && { authorization: `Bearer ${by.token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

const owner = await newPerson();
const stranger = await newPerson();
const audio = await createAudio(db, { isFree: true });
const draft = await createAudio(db, { publishedAt: null });

async function privateList(): Promise<string> {
  return (await createUserPlaylist(db, { userId: owner.id, isPublic: false, audioIds: [audio.id] })).id;
}

async function ownComment(): Promise<string> {
  const outcome = await call(owner, 'POST', `/audios/${audio.id}/comments`, { text: `hello ${crypto.randomUUID()}` });
  expect(outcome.status).toBe(201);
  return outcome.body.id as string;
}

/** A stranger's request; its target is created anew for each attempt. */
type Try = { path: string; body?: unknown };
/**
 * `make` creates something private of the owner. `status` is the owner's answer to the same call, after all others
 * failed.
 */
type Case = { make: () => Promise<Try>; status: number; loggedInOnly?: true; code?: ErrorCode };

const onPrivateList = (path: string, status: number, body?: unknown, loggedInOnly?: true): Case => ({
  make: async () => ({ path: `/users-playlists/${await privateList()}${path}`, body }),
  status,
  ...(loggedInOnly && { loggedInOnly }),
});

/** An audio of a voice that the owner owns. */
async function ownAudio() {
  const own = await createAudio(db);
  await setVoiceOwner(db, own.voiceId, owner.id, true);
  return own;
}

const onOwnAudio = (path: string, status: number, body?: unknown): Case => ({
  make: async () => ({ path: `/studio/audios/${(await ownAudio()).id}${path}`, body }),
  status,
  loggedInOnly: true,
});

/** Calls that take the id of something private: everybody else must get the same answer as for an unknown id. */
const cases: Record<string, Case> = {
  'GET /users-playlists/{id}': onPrivateList('', 200),
  'GET /users-playlists/{id}/audios': onPrivateList('/audios', 200),
  'POST /users-playlists/{id}/play': onPrivateList('/play', 200),
  'PATCH /users-playlists/{id}': onPrivateList('', 200, { title: 'Mine now', isPublic: true }, true),
  'DELETE /users-playlists/{id}': onPrivateList('', 200, undefined, true),
  'POST /users-playlists/{id}/audios': onPrivateList('/audios', 200, { audioIds: [audio.id] }, true),
  'DELETE /users-playlists/{id}/audios/{audioId}': onPrivateList(`/audios/${audio.id}`, 204, undefined, true),
  'POST /users-playlists/{id}/move': onPrivateList('/move', 204, { audioId: audio.id, after: null }, true),
  'POST /users-playlists/{id}/restore': {
    async make() {
      const id = await privateList();
      await call(owner, 'DELETE', `/users-playlists/${id}`);
      return { path: `/users-playlists/${id}/restore` };
    },
    status: 200,
    loggedInOnly: true,
  },
  'POST /user/favorite/{id}': {
    make: async () => ({
      path: `/user/favorite/${await privateList()}`,
      body: { contentTypeId: 'userPlaylist', isFavorite: true },
    }),
    status: 200,
    loggedInOnly: true,
  },
  'DELETE /comments/{id}': {
    make: async () => ({ path: `/comments/${await ownComment()}` }),
    status: 204,
    loggedInOnly: true,
  },
  'PUT /audios/{id}/comments-disabled': {
    async make() {
      const own = await createAudio(db);
      await setVoiceOwner(db, own.voiceId, owner.id, true);
      return { path: `/audios/${own.id}/comments-disabled`, body: { commentsDisabled: true } };
    },
    status: 200,
    loggedInOnly: true,
  },
  'GET /studio/voices/{id}/audios': {
    async make() {
      const own = await ownAudio();
      return { path: `/studio/voices/${own.voiceId}/audios` };
    },
    status: 200,
    loggedInOnly: true,
  },
  'GET /studio/audios/{id}': onOwnAudio('', 200),
  'PATCH /studio/audios/{id}': onOwnAudio('', 200, { version: 0, change: { title: 'Mine', isFree: true } }),
  'DELETE /studio/audios/{id}': onOwnAudio('', 200),
  'POST /studio/audios/{id}/changes/publish': onOwnAudio('/changes/publish', 200, { version: 0 }),
  'POST /studio/audios/{id}/changes/discard': onOwnAudio('/changes/discard', 200, { version: 0 }),
  'PUT /studio/audios/{id}/cover': onOwnAudio('/cover', 200, { version: 0, wish: { drawn: true } }),
  'PUT /studio/audios/{id}/publication': onOwnAudio('/publication', 200, { state: 'unpublished' }),
  'POST /studio/audios/{id}/restore': {
    async make() {
      const own = await ownAudio();
      await call(owner, 'DELETE', `/studio/audios/${own.id}`);
      return { path: `/studio/audios/${own.id}/restore` };
    },
    status: 200,
    loggedInOnly: true,
  },
  'GET /user/invoices/{id}': {
    async make() {
      const id = newId();
      await db.execute(sql`
        insert into invoices (id, user_id, invoice_id, status, currency, subtotal, discount, credit, total, amount_due,
          amount_paid, period_start, period_end, created_at, lines)
        values (${id}, ${owner.id}, ${`in_${id}`}, 'paid', 'usd', 5988, 0, 0, 5988, 5988, 5988, now(), now(), now(), '[]')`);
      return { path: `/user/invoices/${id}` };
    },
    status: 200,
    loggedInOnly: true,
  },
  'POST /user/gift-cards/{id}/refund': {
    async make() {
      const form = { months: 1, recipientEmail: 'nora@example.org', senderName: undefined, message: undefined };
      const buyer = { id: owner.id, email: 'buyer@example.org' };
      const { giftCard, clientSecret } = await site.membership.buyGiftCard(buyer, form as GiftCardForm);
      plain.finish(clientSecret, { cardId: plain.newCard('good') });
      await site.membership.refreshGiftCard(giftCard.id, owner.id);
      return { path: `/user/gift-cards/${giftCard.id}/refund` };
    },
    status: 200,
    loggedInOnly: true,
    code: 'gift-card/unknown',
  },
  'DELETE /user/sessions/{id}': {
    make: async () => ({ path: `/user/sessions/${(await createSession(db, owner.id)).id}` }),
    status: 204,
    loggedInOnly: true,
  },
};

const catalogue = 'the catalogue is the same for all';
const unpublished = 'takes an audio: tried with a draft below';
const ownOnly = 'takes no id: of whoever asks';

/** Reasons why these calls cannot reach private data of others. */
const exemptions: Record<string, string> = {
  'GET /audios': catalogue,
  'GET /tags': catalogue,
  'GET /voices': catalogue,
  'GET /voices/{id}': catalogue,
  'GET /voices/{id}/audios': catalogue,
  'GET /categories': catalogue,
  'GET /categories/{id}': catalogue,
  'GET /categories/{id}/audios': catalogue,
  'GET /series': catalogue,
  'GET /series/{id}': catalogue,
  'GET /series/{id}/audios': catalogue,
  'GET /playlists': catalogue,
  'GET /playlists/{id}': catalogue,
  'GET /playlists/{id}/audios': catalogue,
  'GET /audios/{id}': unpublished,
  'GET /audios/{id}/transcript': unpublished,
  'GET /audios/{id}/related': unpublished,
  'GET /audios/{id}/similar': unpublished,
  'GET /content/entity/{id}': unpublished,
  'GET /audios/play/{id}': unpublished,
  'GET /audios/{id}/comments': unpublished,
  'POST /audios/{id}/comments': unpublished,
  'GET /users-playlists': 'public ones only, by its query',
  'GET /users-playlists/top-plays': 'public ones only, by its query',
  'GET /users/{id}/playlists': 'public ones only, by its query',
  'GET /users/{id}': 'the public profile',
  'GET /comments/{id}/replies': 'comments are public',
  'POST /comments/{id}/report': 'comments are public, and anyone but their author reports them',
  'POST /users-playlists': ownOnly,
  'GET /user/playlists': ownOnly,
  'GET /user/favorites': ownOnly,
  'GET /user/favorites/{group}': 'takes the name of a group: of whoever asks',
  'GET /user/hidden-tags': ownOnly,
  'POST /user/hidden-tags/{slug}': 'takes a tag, which is everybody’s: of whoever asks',
  'POST /user/block/{id}': 'takes a user, who is everybody’s to block',
  'GET /user/blocks': ownOnly,
  'GET /user/queue': ownOnly,
  'PUT /user/queue': ownOnly,
  'GET /history/me': ownOnly,
  'DELETE /history/me': ownOnly,
  'GET /history/me/items': ownOnly,
  'DELETE /history/me/items/{id}': 'takes an audio: what is forgotten is of whoever asks',
  'POST /history/me/increase-counter': ownOnly,
  'POST /history/me/value': ownOnly,
  'DELETE /history/me/value': ownOnly,
  'GET /user/recent-activity': ownOnly,
  'GET /search': 'finds what its lists show',
  'GET /algolia/search': 'finds what its lists show',
  'GET /user/recent-searches': ownOnly,
  'POST /user/recent-searches': ownOnly,
  'DELETE /user/recent-searches': ownOnly,
  'POST /events': 'events are nobody’s',
  'PUT /user/discreet': ownOnly,
  'GET /user/analytics-consent': ownOnly,
  'PUT /user/analytics-consent': ownOnly,
  'GET /blog': 'articles are public',
  'GET /blog/{id}': 'articles are public',
  'POST /auth/login': 'how one becomes somebody',
  'POST /auth/register': 'how one becomes somebody',
  'GET /auth/username/{username}': 'names are public',
  'POST /auth/session': ownOnly,
  'POST /auth/session/token': 'by the cookie, for pages of this site alone',
  'POST /auth/logout': ownOnly,
  'POST /auth/email/confirm': 'by a secret that was mailed',
  'GET /subscription/offer': 'prices are public',
  'POST /subscription/preview': 'prices are public; with a session, of whoever asks',
  'POST /stripe/create-subscription': ownOnly,
  'GET /user/subscription': ownOnly,
  'POST /user/subscription/cancel': ownOnly,
  'POST /user/subscription/card': ownOnly,
  'PUT /user/subscription/card': ownOnly,
  'POST /user/subscription/pay': ownOnly,
  'PUT /user/subscription/period': ownOnly,
  'POST /user/subscription/period/preview': ownOnly,
  'POST /user/subscription/promo-code': ownOnly,
  'POST /user/subscription/refresh': ownOnly,
  'POST /user/subscription/resume': ownOnly,
  'GET /user/invoices': ownOnly,
  'GET /user/invoices/{id}/pdf': 'no JSON: tried by a stranger where its bytes are read, in membership.test.ts',
  'POST /gift-cards': ownOnly,
  'POST /gift-cards/{id}/refresh':
    'bought without an account too: the id is the secret, and names are for the buyer alone',
  'GET /user/gift-cards': ownOnly,
  'POST /user/gift-card/redeem': 'by a secret that was mailed',
  'GET /user/me': ownOnly,
  'GET /profile': ownOnly,
  'POST /user/profile': ownOnly,
  'PUT /user/profile': ownOnly,
  'POST /user/password': ownOnly,
  'POST /user/email': ownOnly,
  'GET /user/sessions': ownOnly,
  'DELETE /user/sessions': ownOnly,
  'GET /user/export': ownOnly,
  'POST /studio/audios/acts': 'takes several ids: tried by a stranger in studio-audios.test.ts',
  'GET /studio/tags': 'tags are public',
  'DELETE /user': ownOnly,
};

const description = (await call(undefined, 'GET', '/openapi.json')).body as {
  paths: Record<string, Record<string, { security: object[]; requestBody?: object }>>;
};
const routes = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);

test('every call of the API has a case here or a reason for its absence, and each of these is a call', () => {
  expect(routes.length).toBeGreaterThan(60);
  expect([...Object.keys(cases), ...Object.keys(exemptions)].toSorted()).toEqual(routes.toSorted());
});

test('a visitor’s call that needs a session is a 401, whatever else is wrong with it', async () => {
  const ownCalls = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => JSON.stringify(security) === '[{"session":[]}]')
      .map(([method, { requestBody }]) => [method.toUpperCase(), path, requestBody && {}] as const),
  );
  expect(ownCalls.length).toBeGreaterThan(50);
  const statuses = await Promise.all(
    ownCalls.map(async ([method, path, body]) => {
      const { status } = await call(undefined, method, path.replaceAll(/\{\w+\}/g, 'x'), body);
      return `${method} ${path} ${status}`;
    }),
  );
  expect(statuses.filter((line) => !line.endsWith(' 401'))).toEqual([]);
});

/** All data of the owner, to check that nothing has changed. */
async function everythingOfOwner(): Promise<string> {
  const rows = [];
  for (const table of [
    'user_playlists',
    'comments',
    'audio_favorites',
    'user_playlist_favorites',
    'saved_queues',
    'listening_progress',
  ])
    rows.push(
      (
        await db.execute(
          sql`select to_jsonb(t) as row from ${sql.identifier(table)} t where user_id = ${owner.id} order by 1`,
        )
      ).rows,
    );
  rows.push(
    (
      await db.execute(
        sql`select i.* from user_playlist_items i join user_playlists p on p.id = i.user_playlist_id where p.user_id = ${owner.id} order by 1, 2`,
      )
    ).rows,
  );
  rows.push(
    await db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, owner.id)).orderBy(sessions.id),
  );
  rows.push(await db.select({ id: audios.id, off: audios.commentsDisabled }).from(audios).orderBy(audios.id));
  for (const table of ['audios', 'audio_drafts', 'audio_field_changes', 'audit_entries'])
    rows.push((await db.execute(sql`select to_jsonb(t) as row from ${sql.identifier(table)} t order by 1`)).rows);
  return JSON.stringify(rows);
}

test.each(Object.entries(cases))('%s finds nothing of another’s, and changes nothing', async (name, one) => {
  const [method = ''] = name.split(' ');
  const { path, body } = await one.make();
  const before = await everythingOfOwner();
  const code = one.code ?? 'request/not-found';
  const notFound = { status: 404, body: { error: { code, message: errorSentences[code] } } };
  expect(await call(stranger, method, path, body)).toEqual(notFound);
  // An unknown id gets the same answer, so that no answer reveals existence.
  const nowhere = path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b');
  expect(await call(stranger, method, nowhere, body)).toEqual(notFound);
  expect(await call(undefined, method, path, body)).toMatchObject({ status: one.loggedInOnly ? 401 : 404 });
  expect(await everythingOfOwner()).toBe(before);
  expect([name, (await call(owner, method, path, body)).status]).toEqual([name, one.status]);
});

test.each(Object.entries(exemptions).filter(([, reason]) => reason === unpublished))(
  '%s finds no draft',
  async (name) => {
    const [method = '', path = ''] = name.split(' ');
    const query = path.startsWith('/content') ? '?contentType=leanAudio' : '';
    const body = method === 'POST' ? { text: 'hello' } : undefined;
    expect(await call(stranger, method, path.replace('{id}', draft.id) + query, body)).toMatchObject({ status: 404 });
  },
);
