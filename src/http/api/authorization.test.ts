import { eq, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { calls } from '#api/calls.ts';
import { BulkActForm } from '#domain/admin/forms.ts';
import {
  categories,
  facets,
  playlists,
  reviews,
  tags,
  transcriptTranslations,
  voices,
} from '#domain/catalogue/tables.ts';
import { comments, heldComments } from '#domain/community/tables.ts';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { type ErrorCode, englishErrors } from '#domain/kernel/errors.ts';
import { setAdmin, setModerator } from '#domain/identity/operators.ts';
import { sessions, users } from '#domain/identity/tables.ts';
import { operator } from '#domain/kernel/actor.ts';
import { newId } from '#domain/kernel/ids.ts';
import { emptySavedQueue } from '#domain/library/saved-queue.ts';
import { ReportContent } from '#domain/notices/forms.ts';
import type { LookPart } from '#domain/look/settings.ts';
import { credits } from '#domain/catalogue/credits/tables.ts';
import { hashOfCode } from '#domain/studio/feed-imports/owner-code.ts';
import type { FeedImportState } from '#domain/studio/feed-imports/rules.ts';
import { feedImports, scriptTimings, uploads } from '#domain/studio/tables.ts';
import { consents, performers } from '#domain/verification/tables.ts';
import { giveMonths } from '#domain/membership/entitlement.ts';
import { tips } from '#domain/membership/tips/tables.ts';
import type { GiftCardForm } from '#domain/membership/forms.ts';
import {
  createAudio,
  createSeries,
  createCategory,
  createPlaylist,
  createSession,
  createUser,
  createUserPlaylist,
  createVoice,
} from '#test/support/factories.ts';
import { openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { startTestSite } from '#test/support/site.ts';

const plain = openPlainPayments();
const { url, db, site } = await startTestSite(
  { TRUST_PROXY: '1', SPEECH_URL: 'http://127.0.0.1:9' },
  { openPayments: async () => plain.provider },
);

type Person = { id: string; username: string; token: string; sessionId: string };

async function newPerson(): Promise<Person> {
  const { id, username } = await createUser(db);
  const { token, id: sessionId } = await createSession(db, id);
  return { id, username: username ?? '', token, sessionId };
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
/** Becomes an editor. */
const newcomer = await newPerson();
const newcomerName =
  (await db.select({ username: users.username }).from(users).where(eq(users.id, newcomer.id)))[0]?.username ?? '';
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

const checkMade = () => ({
  method: 'Video call',
  reference: '06-112',
  checkedOn: new Date().toISOString().slice(0, 10),
  until: `${new Date().getUTCFullYear() + 2}-01-01`,
});

/** Address of a performer of an own audio. */
async function ownPerformer(): Promise<string> {
  const { id, voiceId } = await createAudio(db);
  await setVoiceOwner(db, voiceId, owner.id, true);
  const performerId = newId();
  await db.insert(performers).values({ id: performerId, voiceId, name: 'Hanna', email: 'hanna@post.example' });
  await db.insert(consents).values({ audioId: id, performerId });
  return `/studio/audios/${id}/performers/${performerId}`;
}

/** Addresses of a credit that names an own creator in an own audio, for the manager of each. */
async function ownCredit() {
  const { id, voiceId: ofAudio } = await createAudio(db);
  const { id: voiceId } = await createVoice(db);
  for (const one of [ofAudio, voiceId]) await setVoiceOwner(db, one, owner.id, true);
  const creditId = newId();
  const asked = { state: 'asked', askedAt: new Date() } as const;
  await db.insert(credits).values({ id: creditId, audioId: id, position: 0, role: 'writer', voiceId, ...asked });
  return {
    inAudio: `/studio/audios/${id}/credits/${creditId}`,
    ofVoice: `/studio/voices/${voiceId}/credits/${creditId}`,
  };
}

async function ownVoice() {
  const voice = await createVoice(db);
  await setVoiceOwner(db, voice.id, owner.id, true);
  return voice;
}

async function ownUpload(): Promise<string> {
  const { id: voiceId } = await ownVoice();
  const failed = { state: 'failed', failure: 'failed', originalKey: 'originals/1.wav' } as const;
  const upload = { id: newId(), voiceId, userId: owner.id, fileName: 'one.wav', title: 'One', bytes: 10, ...failed };
  await db.insert(uploads).values(upload);
  return upload.id;
}

async function ownFeed(): Promise<string> {
  await giveMonths(db, owner.id, 1);
  const { body } = await call(owner, 'POST', '/user/feeds', { kind: 'all' });
  return body.id as string;
}

async function ownOfflineDevice(): Promise<string> {
  await giveMonths(db, owner.id, 1);
  const outcome = await site.listening.addOfflineDevice(owner.id, owner.sessionId);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.deviceId;
}

/** A stranger's request; its target is created again for each attempt. */
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

const onMix = (path: string, status: number, body?: unknown): Case => ({
  async make() {
    const made = await call(owner, 'POST', '/user/mixes', { name: 'Mine', filter: {}, sort: 'recent' });
    if (path === '/restore') await call(owner, 'DELETE', `/user/mixes/${made.body.id}`);
    return { path: `/user/mixes/${made.body.id}${path}`, body };
  },
  status,
  loggedInOnly: true,
});

const onMoment: Case = {
  async make() {
    const id = newId();
    await call(owner, 'POST', '/user/moments', { id, audioId: audio.id, position: 95_000 });
    return { path: `/user/moments/${id}` };
  },
  status: 204,
  loggedInOnly: true,
};

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

const translation = { cues: [{ start: 0, end: 1, text: 'Hush' }] };

const onOwnTranslation = (status: number, body?: unknown): Case => ({
  async make() {
    const own = await ownAudio();
    await db.insert(transcriptTranslations).values({ audioId: own.id, language: 'de', ...translation });
    return { path: `/studio/audios/${own.id}/translations/de`, body };
  },
  status,
  loggedInOnly: true,
});

const onOwnTiming = (path: string, status: number, body?: unknown): Case => ({
  async make() {
    const { id } = await ownAudio();
    await db.insert(scriptTimings).values({
      id: newId(),
      audioId: id,
      lines: ['Hush'],
      state: 'ready',
      times: [{ start: 0, end: 1, certainty: 'sure' }],
      timedFile: sql`(select file_key from audios where id = ${id})`,
    });
    return { path: `/studio/audios/${id}/timing${path}`, body };
  },
  status,
  loggedInOnly: true,
});

const onOwnImport = (path: string, state: FeedImportState, status: number, body?: unknown): Case => ({
  async make() {
    const { voiceId } = await ownAudio();
    const id = newId();
    const asks = state === 'asking' && {
      codeHash: hashOfCode(id, 'ABCD-EFGH'),
      codeUntil: new Date(Date.now() + 60_000),
    };
    await db.insert(feedImports).values({ id, voiceId, state, url: 'https://old.example/feed.xml', ...asks });
    return { path: `/studio/feed-imports/${id}${path}`, body };
  },
  status,
  loggedInOnly: true,
});

const onVoiceOfImport = (path: string, status: number, body?: unknown): Case => ({
  async make() {
    const { voiceId } = await ownAudio();
    if (body === undefined)
      await db.insert(feedImports).values({ id: newId(), voiceId, url: 'https://old.example/feed.xml' });
    return { path: `/studio/voices/${voiceId}/${path}`, body };
  },
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
  'DELETE /user/moments/{id}': onMoment,
  'PATCH /user/mixes/{id}': onMix('', 200, { name: 'Mine now' }),
  'GET /user/mixes/{id}/audios': onMix('/audios', 200),
  'POST /user/mixes/{id}/visit': onMix('/visit', 200),
  'DELETE /user/mixes/{id}': onMix('', 200),
  'POST /user/mixes/{id}/restore': onMix('/restore', 200),
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
  'PATCH /comments/{id}': {
    make: async () => ({ path: `/comments/${await ownComment()}`, body: { text: 'Softer' } }),
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
  'GET /studio/audios/{id}/translations': onOwnAudio('/translations', 200),
  'GET /studio/audios/{id}/translations/{language}': onOwnTranslation(200),
  'PUT /studio/audios/{id}/translations/{language}': onOwnTranslation(204, translation),
  'DELETE /studio/audios/{id}/translations/{language}': onOwnTranslation(204),
  'GET /studio/audios/{id}/timing': onOwnTiming('', 200),
  'PUT /studio/audios/{id}/timing': onOwnTiming('', 202, { script: 'Hush' }),
  'DELETE /studio/audios/{id}/timing': onOwnTiming('', 204),
  'POST /studio/audios/{id}/timing/draft': onOwnTiming('/draft', 202),
  'POST /studio/audios/{id}/timing/take': onOwnTiming('/take', 200, { version: 0 }),
  'POST /studio/voices/{id}/feed-imports': onVoiceOfImport('feed-imports', 201, {
    url: 'https://old.example/feed.xml',
  }),
  'GET /studio/voices/{id}/feed-import': onVoiceOfImport('feed-import', 200),
  'GET /studio/voices/{id}/old-pages': onVoiceOfImport('old-pages', 200),
  'GET /studio/feed-imports/{id}/items': onOwnImport('/items', 'planned', 200),
  'POST /studio/feed-imports/{id}/confirm': onOwnImport('/confirm', 'asking', 204, { code: 'abcd efgh' }),
  'POST /studio/feed-imports/{id}/run': onOwnImport('/run', 'planned', 204, {}),
  'POST /studio/feed-imports/{id}/choose': onOwnImport('/choose', 'running', 204, { positions: [0], comes: false }),
  'POST /studio/feed-imports/{id}/stop': onOwnImport('/stop', 'running', 204),
  'DELETE /studio/feed-imports/{id}': onOwnImport('', 'planned', 204),
  'PUT /studio/audios/{id}/cover': onOwnAudio('/cover', 200, { version: 0, choice: { drawn: true } }),
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
  'DELETE /user/feeds/{id}': {
    make: async () => ({ path: `/user/feeds/${await ownFeed()}` }),
    status: 204,
    loggedInOnly: true,
  },
  'POST /user/feeds/{id}/address': {
    make: async () => ({ path: `/user/feeds/${await ownFeed()}/address` }),
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
  'POST /tips/{id}/refresh': {
    async make() {
      const [tipId, voice] = [newId(), await ownVoice()];
      await db.insert(tips).values({
        id: tipId,
        voiceId: voice.id,
        voiceName: voice.name,
        giverId: owner.id,
        isAnonymous: false,
        amount: 500,
        currency: 'usd',
        sharePermille: 100,
        awaitsDocument: false,
        awaitsCreditNote: false,
      });
      return { path: `/tips/${tipId}/refresh` };
    },
    status: 200,
    loggedInOnly: true,
  },
  'GET /studio/voices/{id}/uploads': {
    make: async () => ({ path: `/studio/voices/${(await ownVoice()).id}/uploads` }),
    status: 200,
    loggedInOnly: true,
  },
  'PATCH /studio/uploads/{id}': {
    make: async () => ({ path: `/studio/uploads/${await ownUpload()}`, body: { title: 'Mine now' } }),
    status: 204,
    loggedInOnly: true,
  },
  'POST /studio/uploads/{id}/retry': {
    make: async () => ({ path: `/studio/uploads/${await ownUpload()}/retry` }),
    status: 204,
    loggedInOnly: true,
  },
  'DELETE /studio/uploads/{id}': {
    make: async () => ({ path: `/studio/uploads/${await ownUpload()}` }),
    status: 204,
    loggedInOnly: true,
  },
  ...studioCases(),
  'DELETE /user/push-subscriptions/{id}': {
    async make() {
      const id = newId();
      await db.execute(sql`
        insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, device)
        values (${id}, ${owner.id}, ${owner.sessionId}, ${`https://push.example/${id}`}, 'key', 'auth', 'Chrome on Linux')`);
      return { path: `/user/push-subscriptions/${id}` };
    },
    status: 204,
    loggedInOnly: true,
  },
  'POST /user/offline-devices/{id}/licence': {
    make: async () => ({ path: `/user/offline-devices/${await ownOfflineDevice()}/licence` }),
    status: 200,
    loggedInOnly: true,
  },
  'DELETE /user/offline-devices/{id}': {
    make: async () => ({ path: `/user/offline-devices/${await ownOfflineDevice()}` }),
    status: 204,
    loggedInOnly: true,
  },
  'DELETE /user/sessions/{id}': {
    make: async () => ({ path: `/user/sessions/${(await createSession(db, owner.id)).id}` }),
    status: 204,
    loggedInOnly: true,
  },
};

const payee = {
  kind: 'person',
  name: 'Maren Holt',
  address: 'Lindenstraße 14',
  country: 'DE',
  way: 'iban',
  iban: 'DE89370400440532013000',
  bic: '',
  account: '',
  vatId: '',
  taxNumber: '',
  taxForm: '',
};

/** Calls on a voice that the owner manages; strangers own no voice. */
function studioCases(): Record<string, Case> {
  const inVoice = (
    path: (made: { voiceId: string; audioId: string; seriesId: string; commentId: string }) => string,
    status: number,
    body?: (made: { audioId: string }) => unknown,
  ): Case => ({
    async make() {
      const { id: audioId, voiceId } = await createAudio(db);
      await setVoiceOwner(db, voiceId, owner.id, true);
      const { id: seriesId } = await createSeries(db, { voiceId, audioIds: [audioId] });
      const written = await call(owner, 'POST', `/audios/${audioId}/comments`, {
        text: `hello ${crypto.randomUUID()}`,
      });
      const made = { voiceId, audioId, seriesId, commentId: String(written.body.id) };
      return { path: path(made), body: body?.(made) };
    },
    status,
    loggedInOnly: true,
  });
  return {
    'GET /studio/voices/{id}/comments': inVoice(({ voiceId }) => `/studio/voices/${voiceId}/comments`, 200),
    'PUT /studio/comments/{id}/hidden': inVoice(
      ({ commentId }) => `/studio/comments/${commentId}/hidden`,
      200,
      () => ({
        isHidden: true,
      }),
    ),
    'PUT /studio/voices/{id}/commenters': inVoice(
      ({ voiceId }) => `/studio/voices/${voiceId}/commenters`,
      200,
      () => ({ commenters: 'subscribers' }),
    ),
    'PUT /studio/voices/{id}/holds-links': inVoice(
      ({ voiceId }) => `/studio/voices/${voiceId}/holds-links`,
      200,
      () => ({ holdsLinks: true }),
    ),
    'PUT /studio/comments/{id}/pinned': inVoice(
      ({ commentId }) => `/studio/comments/${commentId}/pinned`,
      200,
      () => ({ isPinned: true }),
    ),
    'PUT /studio/comments/{id}/hearted': inVoice(
      ({ commentId }) => `/studio/comments/${commentId}/hearted`,
      200,
      () => ({ isHearted: true }),
    ),
    'GET /studio/voices/{id}/comment-settings': inVoice(
      ({ voiceId }) => `/studio/voices/${voiceId}/comment-settings`,
      200,
    ),
    'PATCH /studio/voices/{id}/comment-settings': inVoice(
      ({ voiceId }) => `/studio/voices/${voiceId}/comment-settings`,
      200,
      () => ({ hold: 'all', words: ['address'] }),
    ),
    'GET /studio/audios/{id}/comment-settings': inVoice(
      ({ audioId }) => `/studio/audios/${audioId}/comment-settings`,
      200,
    ),
    'PATCH /studio/audios/{id}/comment-settings': inVoice(
      ({ audioId }) => `/studio/audios/${audioId}/comment-settings`,
      200,
      () => ({ hold: 'none' }),
    ),
    'GET /studio/voices/{id}/blocked': inVoice(({ voiceId }) => `/studio/voices/${voiceId}/blocked`, 200),
    'PUT /studio/voices/{id}/blocked/{userId}': inVoice(
      ({ voiceId }) => `/studio/voices/${voiceId}/blocked/${stranger.id}`,
      200,
      () => ({ isBlocked: true }),
    ),
    'PATCH /studio/voices/{id}': inVoice(
      ({ voiceId }) => `/studio/voices/${voiceId}`,
      200,
      () => ({ bio: 'Mine' }),
    ),
    'GET /studio/last-change': {
      async make() {
        const { id } = await ownVoice();
        await call(owner, 'PATCH', `/studio/voices/${id}`, { bio: 'Mine' });
        return { path: `/studio/last-change?type=voice&id=${id}` };
      },
      status: 200,
      loggedInOnly: true,
    },
    'GET /studio/audios/{id}/performers': inVoice(({ audioId }) => `/studio/audios/${audioId}/performers`, 200),
    'POST /studio/audios/{id}/performers': inVoice(
      ({ audioId }) => `/studio/audios/${audioId}/performers`,
      201,
      () => ({ name: 'Hanna', email: 'hanna@post.example' }),
    ),
    'PUT /studio/audios/{id}/performers/owner': inVoice(
      ({ audioId }) => `/studio/audios/${audioId}/performers/owner`,
      204,
      () => ({ isHeard: false }),
    ),
    'POST /studio/audios/{id}/performers/{performerId}/link': {
      make: async () => ({ path: `${await ownPerformer()}/link`, body: { by: 'copy' } }),
      status: 200,
      loggedInOnly: true,
    },
    'DELETE /studio/audios/{id}/performers/{performerId}': {
      make: async () => ({ path: await ownPerformer() }),
      status: 204,
      loggedInOnly: true,
    },
    'GET /studio/audios/{id}/credits': inVoice(({ audioId }) => `/studio/audios/${audioId}/credits`, 200),
    'POST /studio/audios/{id}/credits': inVoice(
      ({ audioId }) => `/studio/audios/${audioId}/credits`,
      201,
      () => ({ role: 'writer', name: 'John Keats' }),
    ),
    'PUT /studio/audios/{id}/credits/order': inVoice(
      ({ audioId }) => `/studio/audios/${audioId}/credits/order`,
      204,
      () => ({ ids: [] }),
    ),
    'PATCH /studio/audios/{id}/credits/{creditId}': {
      make: async () => ({ path: (await ownCredit()).inAudio, body: { role: 'sound' } }),
      status: 204,
      loggedInOnly: true,
    },
    'DELETE /studio/audios/{id}/credits/{creditId}': {
      make: async () => ({ path: (await ownCredit()).inAudio }),
      status: 204,
      loggedInOnly: true,
    },
    'GET /voices/{id}/earnings': inVoice(({ voiceId }) => `/voices/${voiceId}/earnings`, 200),
    'GET /voices/{id}/earnings/{month}': inVoice(({ voiceId }) => `/voices/${voiceId}/earnings/2024-05`, 200),
    'GET /voices/{id}/payee': inVoice(({ voiceId }) => `/voices/${voiceId}/payee`, 200),
    'PUT /voices/{id}/payee': inVoice(
      ({ voiceId }) => `/voices/${voiceId}/payee`,
      204,
      () => payee,
    ),
    'DELETE /voices/{id}/payee': {
      async make() {
        const { id: voiceId } = await createVoice(db);
        await setVoiceOwner(db, voiceId, owner.id, true);
        await call(owner, 'PUT', `/voices/${voiceId}/payee`, payee);
        return { path: `/voices/${voiceId}/payee` };
      },
      status: 204,
      loggedInOnly: true,
    },
    'GET /studio/audios/{id}/splits': inVoice(({ audioId }) => `/studio/audios/${audioId}/splits`, 200),
    'PUT /studio/audios/{id}/splits': {
      async make() {
        const { id: audioId, voiceId } = await createAudio(db);
        await setVoiceOwner(db, voiceId, owner.id, true);
        return { path: `/studio/audios/${audioId}/splits`, body: { shares: [{ voiceId, share: 100 }] } };
      },
      status: 204,
      loggedInOnly: true,
    },
    'GET /studio/voices/{id}/splits': inVoice(({ voiceId }) => `/studio/voices/${voiceId}/splits`, 200),
    'PUT /studio/voices/{id}/splits/{splitId}': {
      async make() {
        const { id: audioId } = await createAudio(db);
        const { id: voiceId } = await createVoice(db);
        await setVoiceOwner(db, voiceId, owner.id, true);
        const splitId = newId();
        await db.execute(sql`insert into splits (id, audio_id) values (${splitId}, ${audioId})`);
        await db.execute(sql`
          insert into split_parts (split_id, voice_id, share, state) values (${splitId}, ${voiceId}, 100, 'asked')`);
        return { path: `/studio/voices/${voiceId}/splits/${splitId}`, body: { state: 'agreed' } };
      },
      status: 204,
      loggedInOnly: true,
    },
    'DELETE /studio/audios/{id}/splits': inVoice(({ audioId }) => `/studio/audios/${audioId}/splits`, 204),
    'GET /studio/voices/{id}/credits': inVoice(({ voiceId }) => `/studio/voices/${voiceId}/credits`, 200),
    'PUT /studio/voices/{id}/credits/{creditId}': {
      make: async () => ({ path: (await ownCredit()).ofVoice, body: { state: 'accepted' } }),
      status: 204,
      loggedInOnly: true,
    },
    'GET /studio/voices/{id}/verification': inVoice(({ voiceId }) => `/studio/voices/${voiceId}/verification`, 200),
    'POST /studio/voices/{id}/verification': inVoice(
      ({ voiceId }) => `/studio/voices/${voiceId}/verification`,
      204,
      () => ({}),
    ),
    // A site without an agreement.
    'GET /studio/voices/{id}/agreement': inVoice(({ voiceId }) => `/studio/voices/${voiceId}/agreement`, 404),
    'POST /studio/voices/{id}/agreement': inVoice(
      ({ voiceId }) => `/studio/voices/${voiceId}/agreement`,
      409,
      () => ({ version: 1, agrees: true }),
    ),
    'GET /studio/voices/{id}/people': inVoice(({ voiceId }) => `/studio/voices/${voiceId}/people`, 200),
    'PUT /studio/voices/{id}/people': inVoice(
      ({ voiceId }) => `/studio/voices/${voiceId}/people`,
      204,
      () => ({
        name: newcomerName,
        role: 'editor',
      }),
    ),
    'DELETE /studio/voices/{id}/people/{userId}': {
      async make() {
        const { voiceId } = await createAudio(db);
        const { id: other } = await createUser(db);
        for (const id of [owner.id, other]) await setVoiceOwner(db, voiceId, id, true);
        return { path: `/studio/voices/${voiceId}/people/${other}` };
      },
      status: 204,
      loggedInOnly: true,
    },
    'GET /studio/voices/{id}/series': inVoice(({ voiceId }) => `/studio/voices/${voiceId}/series`, 200),
    'POST /studio/voices/{id}/series': inVoice(
      ({ voiceId }) => `/studio/voices/${voiceId}/series`,
      201,
      () => ({
        title: 'Mine',
      }),
    ),
    'GET /studio/voices/{id}/series-audios': inVoice(({ voiceId }) => `/studio/voices/${voiceId}/series-audios`, 200),
    'GET /studio/series/{id}': inVoice(({ seriesId }) => `/studio/series/${seriesId}`, 200),
    'PATCH /studio/series/{id}': inVoice(
      ({ seriesId }) => `/studio/series/${seriesId}`,
      204,
      () => ({ title: 'Mine' }),
    ),
    'POST /studio/series/{id}/audios': inVoice(
      ({ seriesId }) => `/studio/series/${seriesId}/audios`,
      204,
      ({ audioId }) => ({ audioId }),
    ),
    'POST /studio/series/{id}/move': inVoice(
      ({ seriesId }) => `/studio/series/${seriesId}/move`,
      204,
      ({ audioId }) => ({ audioId, after: null }),
    ),
    'DELETE /studio/series/{id}/audios/{audioId}': inVoice(
      ({ seriesId, audioId }) => `/studio/series/${seriesId}/audios/${audioId}`,
      204,
    ),
    'DELETE /studio/series/{id}': inVoice(({ seriesId }) => `/studio/series/${seriesId}`, 204),
    'POST /studio/series/{id}/restore': {
      async make() {
        const { voiceId } = await createAudio(db);
        await setVoiceOwner(db, voiceId, owner.id, true);
        const { id } = await createSeries(db, { voiceId });
        await call(owner, 'DELETE', `/studio/series/${id}`);
        return { path: `/studio/series/${id}/restore` };
      },
      status: 204,
      loggedInOnly: true,
    },
  };
}

const catalogue = 'the catalogue is the same for all';
const unpublished = 'takes an audio: tried with drafts and others below';
const ownOnly = 'takes no id: of whoever asks';

/** Reasons why these calls cannot reach private data of others. */
const exemptions: Record<string, string> = {
  'POST /age/statement': ownOnly,
  'GET /age/proof': ownOnly,
  'POST /age/proof/answer': ownOnly,
  'POST /notices': 'anybody reports what everybody sees',
  'POST /notices/{token}/appeal': 'takes the secret of a private page',
  'POST /notices/{token}/answer': 'takes the secret of a private page',
  'GET /audios': catalogue,
  'GET /audios/filters': catalogue,
  'GET /facets': catalogue,
  'GET /tags': catalogue,
  'GET /languages': catalogue,
  'GET /voices': catalogue,
  'GET /voices/{id}': catalogue,
  'GET /voices/{id}/audios': catalogue,
  'GET /voices/{id}/credited': catalogue,
  'GET /voices/{id}/recommended': catalogue,
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
  'GET /audios/{id}/chapters': unpublished,
  'GET /audios/{id}/waveform': unpublished,
  'GET /audios/{id}/related': unpublished,
  'GET /audios/{id}/similar': unpublished,
  'GET /content/entity/{id}': unpublished,
  'GET /audios/play/{id}': unpublished,
  'GET /audios/{id}/comments': unpublished,
  'POST /audios/{id}/comments': unpublished,
  'POST /audios/{id}/clips': unpublished,
  'GET /clips/{id}': 'a part of what everyone may hear, and gone when that is over',
  'GET /users-playlists': 'public ones only, by its query',
  'GET /users-playlists/top-plays': 'public ones only, by its query',
  'GET /users/{id}/playlists': 'public ones only, by its query',
  'GET /users/{id}': 'the public profile',
  'GET /comments/{id}/replies': 'comments are public',
  'POST /comments/{id}/report': 'comments are public, and anyone but their author reports them',
  'POST /users-playlists': ownOnly,
  'GET /user/playlists': ownOnly,
  'GET /user/favorites': ownOnly,
  'GET /user/favorites/audios/filters': ownOnly,
  'GET /user/favorites/{group}': 'takes the name of a group: of whoever asks',
  'GET /user/hidden': ownOnly,
  'POST /user/hidden/audios/{id}': 'takes an audio, which is everybody’s: of whoever asks',
  'POST /user/hidden/voices/{id}': 'takes a creator, who is everybody’s: of whoever asks',
  'GET /user/hidden-tags': ownOnly,
  'GET /user/mixes': ownOnly,
  'GET /user/moments': ownOnly,
  'POST /user/moments': ownOnly,
  'POST /user/mixes': ownOnly,
  'POST /user/hidden-tags/{slug}': 'takes a tag, which is everybody’s: of whoever asks',
  'POST /user/block/{id}': 'takes a user, who is everybody’s to block',
  'GET /user/blocks': ownOnly,
  'GET /user/notifications': ownOnly,
  'GET /user/notifications/unread': ownOnly,
  'POST /user/notifications/read': 'takes ids; those of others change nothing',
  'GET /user/notification-preferences': ownOnly,
  'PUT /user/notification-preferences': ownOnly,
  'PUT /user/notification-voices/{id}': 'takes a voice, which is everybody’s: of whoever asks',
  'PUT /user/notification-series/{id}': 'takes a series, which is everybody’s: of whoever asks',
  'GET /user/push-subscriptions': ownOnly,
  'POST /user/push-subscriptions': ownOnly,
  'GET /user/queue': ownOnly,
  'PUT /user/queue': ownOnly,
  'GET /history/me': ownOnly,
  'GET /history/me/heard': ownOnly,
  'DELETE /history/me': ownOnly,
  'GET /history/me/items': ownOnly,
  'DELETE /history/me/items/{id}': 'takes an audio: what is forgotten is of whoever asks',
  'POST /history/me/increase-counter': ownOnly,
  'POST /history/me/value': ownOnly,
  'DELETE /history/me/value': ownOnly,
  'POST /history/me/play-here': ownOnly,
  'GET /user/recent-activity': ownOnly,
  'GET /search': 'finds what its lists show',
  'GET /search/filters': 'counts what its lists show',
  'GET /algolia/search': 'finds what its lists show',
  'GET /user/recent-searches': ownOnly,
  'POST /user/recent-searches': ownOnly,
  'DELETE /user/recent-searches': ownOnly,
  'POST /events': 'events are nobody’s',
  'PATCH /user/me': ownOnly,
  'PUT /user/discreet': ownOnly,
  'PUT /user/language': ownOnly,
  'GET /user/languages': ownOnly,
  'PUT /user/languages': ownOnly,
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
  'GET /subscription/currency': 'chosen by the region and the subscription of whoever asks',
  'POST /subscription/preview': 'prices are public; with a session, of whoever asks',
  'POST /stripe/create-subscription': ownOnly,
  'GET /user/subscription': ownOnly,
  'GET /user/vat-id': ownOnly,
  'PUT /user/vat-id': ownOnly,
  'POST /user/subscription/cancel': ownOnly,
  'POST /user/subscription/card': ownOnly,
  'PUT /user/subscription/card': ownOnly,
  'POST /user/subscription/pause': ownOnly,
  'POST /user/subscription/pause/end': ownOnly,
  'POST /user/subscription/pay': ownOnly,
  'PUT /user/subscription/period': ownOnly,
  'POST /user/subscription/period/preview': ownOnly,
  'POST /user/subscription/promo-code': ownOnly,
  'POST /user/subscription/checkout': ownOnly,
  'POST /user/subscription/checkouts/{reference}/refresh':
    'needs an order at a provider: tried by a stranger in hosted-payments.test.ts',
  'POST /user/subscription/refresh': ownOnly,
  'POST /user/subscription/resume': ownOnly,
  'POST /user/subscription/stay': ownOnly,
  'GET /user/invoices': ownOnly,
  'GET /user/invoices/{id}/pdf': 'no JSON: tried by a stranger where its bytes are read, in membership.test.ts',
  'GET /earnings/roots': 'hashes that are published on purpose',
  'GET /voices/{id}/earnings.csv': 'no JSON: tried by strangers in api/studio/earnings.test.ts',
  'GET /voices/{id}/earnings/{month}/csv': 'no JSON: tried by strangers in api/studio/earnings.test.ts',
  'GET /voices/{id}/earnings/{month}/pdf': 'no JSON: tried by strangers in api/studio/earnings.test.ts',
  'GET /studio/voices/{id}/old-pages.csv': 'no JSON: tried by strangers in api/studio/feed-imports.test.ts',
  'GET /voices/{id}/figures.csv': 'no JSON: tried by strangers in studio-figures.test.ts',
  'POST /gift-cards': ownOnly,
  'POST /tips': ownOnly,
  'POST /gift-cards/{id}/refresh':
    'bought without an account too: the id is the secret, and names are for the buyer alone',
  'GET /user/gift-cards': ownOnly,
  'GET /user/feeds': ownOnly,
  'POST /user/feeds': ownOnly,
  'POST /user/gift-card/redeem': 'by a secret that was mailed',
  'GET /user/me': ownOnly,
  'GET /profile': ownOnly,
  'POST /user/profile': ownOnly,
  'PUT /user/profile': ownOnly,
  'POST /user/password': ownOnly,
  'POST /user/email': ownOnly,
  'GET /user/sessions': ownOnly,
  'GET /user/offline-devices': ownOnly,
  'POST /user/offline-devices': ownOnly,
  'DELETE /user/sessions': ownOnly,
  'GET /user/export': ownOnly,
  'POST /studio/audios/acts': 'takes several ids: tried by a stranger in studio-audios.test.ts',
  'GET /studio/tags': 'tags are public',
  'DELETE /user': ownOnly,
};

/** A normal user, and an admin. */
const admin = await newPerson();
await setAdmin(db, admin.id, true);
const moderator = await newPerson();
await setModerator(db, moderator.id, true);

/** Comments are limited per user, and these are many. */
const reported = async () => {
  const outcome = await call(await newPerson(), 'POST', `/audios/${audio.id}/comments`, { text: 'hello' });
  const id = outcome.body.id as string;
  expect((await call(stranger, 'POST', `/comments/${id}/report`, { reason: 'spam' })).status).toBe(204);
  return id;
};
const decided = async () => {
  const outcome = await call(admin, 'POST', `/admin/reports/${await reported()}/decision`, { verb: 'keep' });
  return String(outcome.body.decisionId);
};
async function noticeId(): Promise<string> {
  const about = `audio/${audio.id}`;
  const more = { kind: 'rights', details: newId(), name: 'Ruth', email: 'ruth@adeyemi.example', goodFaith: 'on' };
  const given = await site.notices.giveNotice({ kind: 'visitor' }, ReportContent.parse({ about, ...more }), 'en');
  if (!given.ok) throw new Error(given.reason);
  const { rows } = await db.execute<{ id: string }>(sql`select id from notices order by number desc limit 1`);
  return rows[0]?.id ?? '';
}
const newCategory = () => createCategory(db, { slug: `made-${newId()}` });
const newHousePlaylist = () => createPlaylist(db, { slug: `made-${newId()}` });
const newTag = async () => {
  const id = newId();
  await db.insert(tags).values({ id, slug: `tag-${id}`, label: id });
  return id;
};
const newFacet = async () => {
  const id = newId();
  await db.insert(facets).values({ id, slug: `facet-${id}`, label: id, chooses: 'many' });
  return id;
};
const startedAct = async () => {
  const { id: audioId } = await createAudio(db);
  const form = BulkActForm.parse({ verb: 'free', ids: [audioId] });
  const user = { kind: 'user', id: admin.id, isSubscribed: false, isComplete: true, isAdmin: true } as const;
  const outcome = await site.admin.content.startBulkAct(user, form);
  return outcome.ok ? outcome.id : '';
};
const idsOf = async (table: typeof categories | typeof playlists) =>
  (await db.select({ id: table.id }).from(table).orderBy(table.position, table.id)).map(({ id }) => id);

async function newArticle(): Promise<string> {
  return (await call(admin, 'POST', '/admin/articles', { title: 'An article' })).body.id as string;
}

/** Operators' calls: everyone else gets the answer for an unknown address. `status` is the admin's answer. */
async function newLook(part: LookPart, value: object) {
  return { value, revision: (await site.admin.site.findLook(operator))[part].revision };
}

const aPicture = () =>
  sharp({ create: { width: 120, height: 63, channels: 3, background: '#334455' } })
    .png()
    .toBuffer();

/** Id of the review of an audio. */
async function inReview(): Promise<string> {
  const { id: audioId, fileKey } = await createAudio(db, { publishedAt: null, reviewState: 'waiting' });
  const id = newId();
  await db.insert(reviews).values({ id, audioId, cause: 'all', sound: fileKey });
  return id;
}

async function heldComment(): Promise<string> {
  const written = await call(await newPerson(), 'POST', `/audios/${audio.id}/comments`, { text: `hello ${newId()}` });
  const commentId = String(written.body.id);
  await db.update(comments).set({ hiddenAt: new Date(), waitsForCreator: true }).where(eq(comments.id, commentId));
  await db.insert(heldComments).values({ commentId, forCreator: false });
  return commentId;
}

const adminCases: Record<string, Case> = {
  'GET /admin/settings': { make: async () => ({ path: '/admin/settings' }), status: 200 },
  'PUT /admin/settings/limits': {
    async make() {
      const { value, revision } = (await site.admin.site.findSiteSettings(operator)).limits;
      return { path: '/admin/settings/limits', body: { value: { ...value, commentsPerHour: 99 }, revision } };
    },
    status: 204,
  },
  'PUT /admin/settings/keeping': {
    async make() {
      const { value, revision } = (await site.admin.site.findSiteSettings(operator)).keeping;
      return { path: '/admin/settings/keeping', body: { value: { ...value, renewalDays: 40 }, revision } };
    },
    status: 204,
  },
  'PUT /admin/settings/age': {
    async make() {
      const { value, revision } = (await site.admin.site.findSiteSettings(operator)).age;
      return { path: '/admin/settings/age', body: { value: { ...value, asks: 'first' }, revision } };
    },
    status: 204,
  },
  'POST /admin/settings/age/presets/{name}': {
    make: async () => ({ path: '/admin/settings/age/presets/united-kingdom' }),
    status: 200,
  },
  'PUT /admin/settings/review': {
    async make() {
      const { revision } = (await site.admin.site.findSiteSettings(operator)).review;
      return { path: '/admin/settings/review', body: { value: { mode: 'off' }, revision } };
    },
    status: 204,
  },
  'PUT /admin/settings/words': {
    async make() {
      const { value, revision } = (await site.admin.site.findSiteSettings(operator)).words;
      return { path: '/admin/settings/words', body: { value: { ...value, watched: ['zanzibar'] }, revision } };
    },
    status: 204,
  },
  'PUT /admin/settings/tax': {
    async make() {
      const { value, revision } = (await site.admin.site.findSiteSettings(operator)).tax;
      return { path: '/admin/settings/tax', body: { value: { ...value, numberPrefix: 'SO' }, revision } };
    },
    status: 204,
  },
  'POST /admin/settings/tax/presets': { make: async () => ({ path: '/admin/settings/tax/presets' }), status: 200 },
  'GET /admin/revenue': { make: async () => ({ path: '/admin/revenue' }), status: 200 },
  'GET /admin/tax/{quarter}': { make: async () => ({ path: '/admin/tax/2026-Q4' }), status: 200 },
  'GET /admin/reviews': { make: async () => ({ path: '/admin/reviews' }), status: 200 },
  'POST /admin/reviews/{id}/decision': {
    make: async () => ({
      path: `/admin/reviews/${await inReview()}/decision`,
      body: { decision: 'approved', heard: 1, words: [] },
    }),
    status: 204,
  },
  'GET /admin/held-comments': { make: async () => ({ path: '/admin/held-comments' }), status: 200 },
  'POST /admin/held-comments/{id}/decision': {
    make: async () => ({ path: `/admin/held-comments/${await heldComment()}/decision`, body: { decision: 'show' } }),
    status: 204,
  },
  'POST /admin/reports/{id}/decision': {
    make: async () => ({ path: `/admin/reports/${await reported()}/decision`, body: { verb: 'remove' } }),
    status: 200,
  },
  'PUT /admin/settings/notices': {
    async make() {
      const { value, revision } = (await site.admin.site.findSiteSettings(operator)).notices;
      return { path: '/admin/settings/notices', body: { value: { ...value, holidays: ['2026-12-25'] }, revision } };
    },
    status: 204,
  },
  'POST /admin/notices/{id}/decision': {
    make: async () => ({
      path: `/admin/notices/${await noticeId()}/decision`,
      body: { verb: 'keep', ground: 'none', reasons: 'Nothing is wrong with it.' },
    }),
    status: 200,
  },
  'POST /admin/notice-decisions/{id}/undo': {
    async make() {
      const body = { verb: 'keep', ground: 'none', reasons: 'Nothing is wrong with it.' };
      const outcome = await call(admin, 'POST', `/admin/notices/${await noticeId()}/decision`, body);
      return { path: `/admin/notice-decisions/${outcome.body.decisionId}/undo` };
    },
    status: 204,
  },
  'POST /admin/notices/{id}/reporter': {
    make: async () => ({ path: `/admin/notices/${await noticeId()}/reporter` }),
    status: 200,
  },
  'POST /admin/notices/{id}/question': {
    make: async () => ({ path: `/admin/notices/${await noticeId()}/question` }),
    status: 204,
  },
  'POST /admin/decisions/{id}/undo': {
    make: async () => ({ path: `/admin/decisions/${await decided()}/undo` }),
    status: 204,
  },
  'POST /admin/voices': {
    make: async () => ({ path: '/admin/voices', body: { name: 'A voice', voiceType: 'male' } }),
    status: 201,
  },
  'PATCH /admin/voices/{id}': {
    make: async () => ({ path: `/admin/voices/${audio.voiceId}`, body: { bio: 'Changed' } }),
    status: 204,
  },
  'GET /admin/audios/{id}/chain': { make: async () => ({ path: `/admin/audios/${audio.id}/chain` }), status: 200 },
  'PUT /admin/audios/{id}/performers/{performerId}/consent': {
    make: async () => ({
      path: `${(await ownPerformer()).replace('/studio', '/admin')}/consent`,
      body: { reference: '10-417' },
    }),
    status: 204,
  },
  'PUT /admin/audios/{id}/performers/{performerId}/verification': {
    make: async () => ({
      path: `${(await ownPerformer()).replace('/studio', '/admin')}/verification`,
      body: checkMade(),
    }),
    status: 204,
  },
  'PUT /admin/settings/chain': {
    async make() {
      const { value, revision } = (await site.admin.site.findSiteSettings(operator)).chain;
      return { path: '/admin/settings/chain', body: { value, revision } };
    },
    status: 204,
  },
  'PUT /admin/voices/{id}/verification': {
    make: async () => ({ path: `/admin/voices/${(await createVoice(db)).id}/verification`, body: checkMade() }),
    status: 204,
  },
  'POST /admin/voices/{id}/verification/refuse': {
    // It has not asked.
    make: async () => ({
      path: `/admin/voices/${(await createVoice(db)).id}/verification/refuse`,
      body: { reason: 'Another name' },
    }),
    status: 409,
  },
  'POST /admin/voices/{id}/verification/withdraw': {
    async make() {
      const { id } = await createVoice(db);
      await call(admin, 'PUT', `/admin/voices/${id}/verification`, checkMade());
      return { path: `/admin/voices/${id}/verification/withdraw`, body: { reason: 'Another name' } };
    },
    status: 204,
  },
  'GET /admin/creator-agreements': { make: async () => ({ path: '/admin/creator-agreements' }), status: 200 },
  'POST /admin/creator-agreements': {
    // The version is not the next one.
    make: async () => ({ path: '/admin/creator-agreements', body: { text: 'You keep all rights.', version: 9 } }),
    status: 409,
  },
  'PUT /admin/voices/{id}/owners': {
    make: async () => ({
      path: `/admin/voices/${(await createVoice(db)).id}/owners`,
      body: { account: admin.username, isOwner: true },
    }),
    status: 204,
  },
  'POST /admin/voices/{id}/merge': {
    async make() {
      const [from, to] = [await createVoice(db), await createVoice(db)];
      return { path: `/admin/voices/${from.id}/merge`, body: { into: to.id, name: from.name } };
    },
    status: 200,
  },
  'POST /admin/categories': {
    make: async () => ({ path: '/admin/categories', body: { label: 'A category' } }),
    status: 201,
  },
  'PATCH /admin/categories/{id}': {
    make: async () => ({ path: `/admin/categories/${(await newCategory()).id}`, body: { isHidden: true } }),
    status: 204,
  },
  'PUT /admin/categories/order': {
    make: async () => ({ path: '/admin/categories/order', body: { ids: await idsOf(categories) } }),
    status: 204,
  },
  'POST /admin/categories/{id}/delete': {
    async make() {
      const { id, label } = await newCategory();
      return { path: `/admin/categories/${id}/delete`, body: { name: label } };
    },
    status: 204,
  },
  'POST /admin/categories/{id}/restore': {
    async make() {
      const { id, label } = await newCategory();
      await call(admin, 'POST', `/admin/categories/${id}/delete`, { name: label });
      return { path: `/admin/categories/${id}/restore` };
    },
    status: 204,
  },
  'POST /admin/voices/{id}/delete': {
    async make() {
      const { id, name } = await createVoice(db);
      return { path: `/admin/voices/${id}/delete`, body: { name } };
    },
    status: 204,
  },
  'POST /admin/voices/{id}/restore': {
    async make() {
      const { id, name } = await createVoice(db);
      await call(admin, 'POST', `/admin/voices/${id}/delete`, { name });
      return { path: `/admin/voices/${id}/restore` };
    },
    status: 204,
  },
  'GET /admin/facets': { make: async () => ({ path: '/admin/facets' }), status: 200 },
  'POST /admin/facets': { make: async () => ({ path: '/admin/facets', body: { label: 'A facet' } }), status: 201 },
  'POST /admin/facets/presets': { make: async () => ({ path: '/admin/facets/presets' }), status: 200 },
  'PATCH /admin/facets/{id}': {
    make: async () => ({ path: `/admin/facets/${await newFacet()}`, body: { isRequired: true } }),
    status: 204,
  },
  'PUT /admin/facets/order': {
    make: async () => ({
      path: '/admin/facets/order',
      body: { ids: (await db.select({ id: facets.id }).from(facets)).map(({ id }) => id) },
    }),
    status: 204,
  },
  'PUT /admin/facets/{id}/tags': {
    make: async () => ({ path: `/admin/facets/${await newFacet()}/tags`, body: { tagIds: [await newTag()] } }),
    status: 204,
  },
  'POST /admin/facets/{id}/tags': {
    make: async () => ({ path: `/admin/facets/${await newFacet()}/tags`, body: { label: 'A tag of a facet' } }),
    status: 200,
  },
  'DELETE /admin/facets/{id}': { make: async () => ({ path: `/admin/facets/${await newFacet()}` }), status: 204 },
  'GET /admin/tags/{id}': { make: async () => ({ path: `/admin/tags/${await newTag()}` }), status: 200 },
  'PATCH /admin/tags/{id}': {
    make: async () => ({ path: `/admin/tags/${await newTag()}`, body: { label: `Named ${newId()}` } }),
    status: 204,
  },
  'POST /admin/tags/{id}/merge': {
    make: async () => ({ path: `/admin/tags/${await newTag()}/merge`, body: { into: await newTag() } }),
    status: 204,
  },
  'DELETE /admin/tags/{id}': { make: async () => ({ path: `/admin/tags/${await newTag()}` }), status: 204 },
  'POST /admin/playlists': {
    make: async () => ({ path: '/admin/playlists', body: { title: 'A playlist' } }),
    status: 201,
  },
  'PATCH /admin/playlists/{id}': {
    make: async () => ({ path: `/admin/playlists/${(await newHousePlaylist()).id}`, body: { publishedAt: null } }),
    status: 204,
  },
  'PUT /admin/playlists/{id}/audios': {
    make: async () => ({
      path: `/admin/playlists/${(await newHousePlaylist()).id}/audios`,
      body: { audioIds: [audio.id], before: [] },
    }),
    status: 204,
  },
  'PUT /admin/playlists/order': {
    make: async () => ({ path: '/admin/playlists/order', body: { ids: await idsOf(playlists) } }),
    status: 204,
  },
  'DELETE /admin/playlists/{id}': {
    make: async () => ({ path: `/admin/playlists/${(await newHousePlaylist()).id}` }),
    status: 204,
  },
  'POST /admin/playlists/{id}/restore': {
    async make() {
      const { id } = await newHousePlaylist();
      await call(admin, 'DELETE', `/admin/playlists/${id}`);
      return { path: `/admin/playlists/${id}/restore` };
    },
    status: 204,
  },
  'POST /admin/articles': {
    make: async () => ({ path: '/admin/articles', body: { title: 'An article' } }),
    status: 201,
  },
  'PATCH /admin/articles/{id}': {
    make: async () => ({ path: `/admin/articles/${await newArticle()}`, body: { revision: 1, title: 'Changed' } }),
    status: 200,
  },
  'PUT /admin/articles/{id}/publication': {
    make: async () => ({
      path: `/admin/articles/${await newArticle()}/publication`,
      body: { revision: 1, at: null },
    }),
    status: 200,
  },
  'PUT /admin/articles/{id}/picture': {
    make: async () => ({ path: `/admin/articles/${await newArticle()}/picture`, body: { revision: 1, drawn: true } }),
    status: 200,
  },
  'DELETE /admin/articles/{id}': {
    make: async () => ({ path: `/admin/articles/${await newArticle()}` }),
    status: 204,
  },
  'POST /admin/articles/{id}/restore': {
    async make() {
      const id = await newArticle();
      await call(admin, 'DELETE', `/admin/articles/${id}`);
      return { path: `/admin/articles/${id}/restore` };
    },
    status: 204,
  },
  'POST /admin/markdown-preview': {
    make: async () => ({ path: '/admin/markdown-preview', body: { text: '# One' } }),
    status: 200,
  },
  'PUT /admin/blog-topics': {
    make: async () => ({
      path: '/admin/blog-topics',
      body: {
        revision: 0,
        topics: ['sex', 'wellness', 'culture', 'relationships'].map((slug) => ({ slug, label: `On ${slug}` })),
      },
    }),
    status: 204,
  },
  'GET /admin/translations': { make: async () => ({ path: '/admin/translations?language=de' }), status: 200 },
  'PUT /admin/translations': {
    async make() {
      const { id } = await createCategory(db);
      return {
        path: '/admin/translations',
        body: { texts: [{ key: `category/${id}/label`, language: 'de', text: 'Regen' }] },
      };
    },
    status: 204,
  },
  'POST /admin/translations/import': {
    make: async () => ({
      path: '/admin/translations/import',
      body: { file: 'msgid ""\nmsgstr ""\n"Language: de\\n"\n', isPlan: true },
    }),
    status: 200,
  },
  'PUT /admin/info-pages/{name}': {
    make: async () => ({ path: '/admin/info-pages/about', body: { text: '# About\n\nUs.', revision: 0 } }),
    status: 204,
  },
  'POST /admin/info-pages/{name}/preview': {
    make: async () => ({ path: '/admin/info-pages/about/preview', body: { text: '# About\n\nUs.' } }),
    status: 200,
  },
  'PUT /admin/retention': {
    make: async () => ({ path: '/admin/retention', body: { logDays: 7, backupDays: null, revision: 0 } }),
    status: 204,
  },
  'PUT /admin/mails/{key}': {
    make: async () => ({
      path: '/admin/mails/password-changed',
      body: { text: { subject: 'One', body: 'Two' }, revision: 0 },
    }),
    status: 204,
  },
  'POST /admin/mails/{key}/preview': {
    make: async () => ({ path: '/admin/mails/password-changed/preview', body: { subject: 'One', body: 'Two' } }),
    status: 200,
  },
  'PUT /admin/look/name': {
    make: async () => ({ path: '/admin/look/name', body: await newLook('name', {}) }),
    status: 204,
  },
  'PUT /admin/look/colors': {
    make: async () => ({ path: '/admin/look/colors', body: await newLook('colors', { dark: null }) }),
    status: 204,
  },
  'PUT /admin/look/hero': {
    make: async () => ({ path: '/admin/look/hero', body: await newLook('hero', { title: 'Hello' }) }),
    status: 204,
  },
  'PUT /admin/look/sign-up': {
    make: async () => ({ path: '/admin/look/sign-up', body: await newLook('sign-up', { note: 'Free' }) }),
    status: 204,
  },
  'PUT /admin/look/footer': {
    make: async () => ({ path: '/admin/look/footer', body: await newLook('footer', { line: 'For adults.' }) }),
    status: 204,
  },
  'PUT /admin/look/home': {
    make: async () => ({ path: '/admin/look/home', body: await newLook('home', { visitors: [{ kind: 'new' }] }) }),
    status: 204,
  },
  'PUT /admin/look/pictures/{part}': {
    async make() {
      const { revision } = await newLook('card', {});
      return { path: '/admin/look/pictures/card', body: { picture: (await aPicture()).toString('base64'), revision } };
    },
    status: 200,
  },
  'POST /admin/look/{part}/reset': {
    async make() {
      const { revision } = await newLook('name', {});
      return { path: '/admin/look/name/reset', body: { revision } };
    },
    status: 204,
  },
  'POST /admin/look/import': {
    async make() {
      return { path: '/admin/look/import', body: { file: await site.admin.site.exportLook(operator) } };
    },
    status: 204,
  },
  'POST /admin/look/undo-import': {
    async make() {
      await site.admin.site.importLook(operator, await site.admin.site.exportLook(operator));
      return { path: '/admin/look/undo-import' };
    },
    status: 204,
  },
  'GET /admin/audios': { make: async () => ({ path: '/admin/audios?q=audio' }), status: 200 },
  'POST /admin/audios/acts': {
    make: async () => ({
      path: '/admin/audios/acts',
      body: { verb: 'free', ids: [(await createAudio(db)).id] },
    }),
    status: 200,
  },
  'GET /admin/bulk-acts': { make: async () => ({ path: '/admin/bulk-acts' }), status: 200 },
  'GET /admin/bulk-acts/{id}': {
    make: async () => ({ path: `/admin/bulk-acts/${await startedAct()}` }),
    status: 200,
  },
  'POST /admin/bulk-acts/{id}/stop': {
    make: async () => ({ path: `/admin/bulk-acts/${await startedAct()}/stop` }),
    status: 204,
  },
  'POST /admin/bulk-acts/{id}/undo': {
    async make() {
      const id = await startedAct();
      await site.admin.content.runBulkAct(id);
      return { path: `/admin/bulk-acts/${id}/undo` };
    },
    status: 200,
  },
  'GET /admin/series': { make: async () => ({ path: '/admin/series?q=a' }), status: 200 },
  'PUT /admin/series/{id}/hidden': {
    make: async () => ({
      path: `/admin/series/${(await createSeries(db, { voiceId: audio.voiceId })).id}/hidden`,
      body: { isHidden: true },
    }),
    status: 204,
  },
  'PUT /admin/voices/{id}/linked-series': {
    async make() {
      const voice = await createVoice(db);
      const { id } = await createSeries(db, { voiceId: voice.id });
      return { path: `/admin/voices/${voice.id}/linked-series`, body: { seriesId: id, before: null } };
    },
    status: 204,
  },
  'GET /admin/preview': { make: async () => ({ path: '/admin/preview' }), status: 200 },
  'PUT /admin/preview': {
    make: async () => ({ path: '/admin/preview', body: { audioId: audio.id, revision: 0 } }),
    status: 204,
  },
  'PUT /admin/categories/{id}/picture': {
    make: async () => ({
      path: `/admin/categories/${(await newCategory()).id}/picture`,
      body: { picture: null, before: null },
    }),
    status: 204,
  },
  'PUT /admin/playlists/{id}/picture': {
    make: async () => ({
      path: `/admin/playlists/${(await newHousePlaylist()).id}/picture`,
      body: { picture: null, before: null },
    }),
    status: 204,
  },
  'GET /admin/tag-choices': { make: async () => ({ path: '/admin/tag-choices?q=rain' }), status: 200 },
  'GET /admin/voice-choices': { make: async () => ({ path: '/admin/voice-choices?q=voice' }), status: 200 },
  'GET /admin/audio-choices': { make: async () => ({ path: '/admin/audio-choices?q=audio' }), status: 200 },
};

const description = (await call(undefined, 'GET', '/openapi.json')).body as {
  paths: Record<string, Record<string, { security: object[]; requestBody?: object }>>;
};
const routes = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);

/** For operators only, all with the same guards; tested with everyone else below. */
const adminRoutes = routes.filter((route) => / \/admin\//.test(route));

test('every call of the API has a case here or a reason for its absence, and each of these is a call', () => {
  expect(routes.length).toBeGreaterThan(60);
  const others = routes.filter((route) => !adminRoutes.includes(route));
  expect([...Object.keys(cases), ...Object.keys(exemptions)].toSorted()).toEqual(others.toSorted());
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
  const rowsOf = (table: string) => sql`select ${table} as "table", to_jsonb(t) as row from ${sql.identifier(table)} t`;
  const own = [
    'user_playlists',
    'comments',
    'audio_favorites',
    'user_playlist_favorites',
    'saved_queues',
    'listening_progress',
    'offline_devices',
    'uploads',
  ].map((table) => sql`${rowsOf(table)} where user_id = ${owner.id}`);
  const all = ['audios', 'audio_drafts', 'audio_field_changes', 'audit_entries'].map(rowsOf);
  const items = sql`select 'user_playlist_items', to_jsonb(i) from user_playlist_items i
    join user_playlists p on p.id = i.user_playlist_id where p.user_id = ${owner.id}`;
  const ownSessions = sql`select 'sessions', to_jsonb(s.id) from sessions s where s.user_id = ${owner.id}`;
  const { rows } = await db.execute(sql`
    select * from (${sql.join([...own, ...all, items, ownSessions], sql` union all `)}) everything order by 1, 2`);
  expect(rows.length).toBeGreaterThan(0);
  return JSON.stringify(rows);
}

test.each(Object.entries(cases))('%s finds nothing of another’s, and changes nothing', async (name, one) => {
  const [method = ''] = name.split(' ');
  const { path, body } = await one.make();
  const before = await everythingOfOwner();
  const code = one.code ?? 'request/not-found';
  const notFound = { status: 404, body: { error: { code, message: englishErrors[code] } } };
  const isActOfCreators = name.includes(' /studio/') && method !== 'GET';
  const noCreator = {
    status: 403,
    body: { error: { code: 'studio/no-creator', message: englishErrors['studio/no-creator'] } },
  };
  const refused = isActOfCreators ? noCreator : notFound;
  expect(await call(stranger, method, path, body)).toEqual(refused);
  // An unknown id gets the same answer, so that no answer reveals existence.
  const nowhere = path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b');
  expect(await call(stranger, method, nowhere, body)).toEqual(refused);
  expect(await call(undefined, method, path, body)).toMatchObject({ status: one.loggedInOnly ? 401 : 404 });
  if (name.includes(' /studio/')) {
    // A creator of another voice, and an admin without the second factor.
    for (const by of [creator, strictAdmin])
      expect([name, await call(by, method, path, body)]).toEqual([name, notFound]);
    expect(await call(suspendedAdmin, method, path, body)).toMatchObject({ status: 401 });
  }
  expect(await everythingOfOwner()).toBe(before);
  expect([name, (await call(owner, method, path, body)).status]).toEqual([name, one.status]);
});

async function everythingOfOperators(): Promise<string> {
  const counts = await db.execute(sql`
    select (select json_agg(v order by id) from voices v) as voices, (select json_agg(c order by id) from categories c) as c,
      (select json_agg(t order by id) from tags t) as tags, (select json_agg(f order by id) from facets f) as facets, (select json_agg(p order by id) from playlists p) as playlists,
      (select json_agg(s order by id) from series s) as series, (select json_agg(s order by key) from site_settings s) as settings,
      (select json_agg(b order by id) from bulk_acts b) as acts, (select json_agg(a order by id) from audios a) as audios,
      (select count(*) from playlist_items) as items, (select count(*) from voice_owners) as owners,
      (select json_agg(c order by id) from comments c) as comments, (select count(*) from audit_entries) as entries, (select json_agg(n order by id) from notices n) as notices,
      (select json_agg(d order by id) from notice_decisions d) as decisions`);
  return JSON.stringify(counts.rows);
}

/** Admin's calls that moderators may make; to the others they are strangers. */
const ofDesk = new Set(
  calls
    .filter(({ call: { who } }) => who === 'moderator' || who === 'any-operator')
    .map(({ call: { method, path } }) => `${method.toUpperCase()} ${path}`),
);

test('moderators decide at the desk, and do nothing else', async () => {
  expect([...ofDesk].filter((name) => !name.includes('/admin/second-factor')).toSorted()).toEqual([
    'GET /admin/held-comments',
    'GET /admin/notice-reports/{period}',
    'GET /admin/reviews',
    'POST /admin/decisions/{id}/undo',
    'POST /admin/held-comments/{id}/decision',
    'POST /admin/notice-decisions/{id}/undo',
    'POST /admin/notices/{id}/decision',
    'POST /admin/notices/{id}/question',
    'POST /admin/notices/{id}/reporter',
    'POST /admin/reports/{id}/decision',
    'POST /admin/reviews/{id}/decision',
    'PUT /admin/notices/{id}/reader',
  ]);
  const id = await reported();
  const path = `/admin/reports/${id}/decision`;
  // Accounts are the admins' alone.
  expect(await call(moderator, 'POST', path, { verb: 'suspend' })).toMatchObject({ status: 404 });
  const { status, body } = await call(moderator, 'POST', path, { verb: 'remove' });
  expect(status).toBe(200);
  expect(await call(moderator, 'POST', `/admin/decisions/${body.decisionId}/undo`)).toMatchObject({ status: 204 });
});

test.each(Object.entries(adminCases))(
  '%s is there for admins only, and changes nothing for others',
  async (name, one) => {
    const [method = ''] = name.split(' ');
    const { path, body } = await one.make();
    // The owner of the voice has no rights here either.
    await setVoiceOwner(db, audio.voiceId, owner.id, true);
    const before = await everythingOfOperators();
    const notFound = { status: 404, body: { error: { code: 'request/not-found', message: expect.any(String) } } };
    for (const by of [stranger, owner, ...(ofDesk.has(name) ? [] : [moderator])]) {
      expect(await call(by, method, path, body)).toEqual(notFound);
      // Refused before the body is parsed.
      if (body !== undefined) expect(await call(by, method, path, { verb: 7, ids: 'x' })).toEqual(notFound);
    }
    expect(await call(undefined, method, path, body)).toMatchObject({ status: 401 });
    expect(await everythingOfOperators()).toBe(before);
    expect([name, (await call(admin, method, path, body)).status]).toEqual([name, one.status]);
    if (/\{id\}/.test(name) && !name.includes('voices')) {
      const nowhere = path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, newId());
      expect((await call(admin, method, nowhere, body)).status).toBe(404);
    }
  },
);

test('what gives power over a voice, or is for good, needs a fresh log-in', async () => {
  const since = async (provenAt: Date) => db.update(sessions).set({ provenAt }).where(eq(sessions.userId, admin.id));
  await since(new Date(Date.now() - 11 * 60_000));
  const before = await everythingOfOperators();
  for (const name of [
    'PUT /admin/voices/{id}/owners',
    'PUT /admin/voices/{id}/verification',
    'PUT /admin/audios/{id}/performers/{performerId}/consent',
    'PUT /admin/audios/{id}/performers/{performerId}/verification',
    'POST /admin/voices/{id}/verification/refuse',
    'POST /admin/voices/{id}/verification/withdraw',
    'POST /admin/creator-agreements',
    'POST /admin/voices/{id}/merge',
    'POST /admin/voices/{id}/delete',
    'POST /admin/categories/{id}/delete',
    'DELETE /admin/facets/{id}',
    'POST /admin/tags/{id}/merge',
    'DELETE /admin/tags/{id}',
  ]) {
    const [method = '', path = ''] = name.split(' ');
    const body = method === 'DELETE' ? undefined : {};
    expect([name, await call(admin, method, path.replace('{id}', audio.voiceId), body)]).toMatchObject([
      name,
      { status: 403, body: { error: { code: 'auth/fresh-login-required' } } },
    ]);
  }
  expect(await everythingOfOperators()).toBe(before);
  await since(new Date());
});

const ofHiddenCreator = await createAudio(db, { isFree: true });
await db.update(voices).set({ hiddenAt: new Date() }).where(eq(voices.id, ofHiddenCreator.voiceId));
const withdrawn = {
  'a draft': draft.id,
  'a scheduled audio': (await createAudio(db, { publishedAt: new Date(Date.now() + 3_600_000) })).id,
  'a deleted audio': (await createAudio(db, { publishedAt: null, deletedAt: new Date() })).id,
  'an audio of a hidden creator': ofHiddenCreator.id,
};

type Act = (id: string) => { path: string; body?: unknown };
/** Calls that take an audio of the catalogue in their path, and those that take one in their body. */
const actsOnAudios: Record<string, Act> = {
  ...Object.fromEntries(
    Object.entries(exemptions)
      .filter(([, reason]) => reason === unpublished)
      .map(([name]): [string, Act] => [
        name,
        (id) => {
          const path = name.split(' ')[1] ?? '';
          const query = path.startsWith('/content') ? '?contentType=leanAudio' : '';
          return {
            path: path.replace('{id}', id) + query,
            ...(name.startsWith('POST') && {
              body: path.endsWith('/clips') ? { start: 0, end: 5 } : { text: 'hello' },
            }),
          };
        },
      ]),
  ),
  'POST /user/favorite/{id}': (id) => ({
    path: `/user/favorite/${id}`,
    body: { contentTypeId: 'audio', isFavorite: true },
  }),
  'POST /users-playlists/{id}/audios': (id) => ({
    path: `/users-playlists/${ownList.id}/audios`,
    body: { audioIds: [id] },
  }),
  'POST /history/me/value': (id) => ({
    path: '/history/me/value',
    body: { type: 'currentlyListening', id, seconds: 5 },
  }),
  'POST /history/me/increase-counter': (id) => ({
    path: '/history/me/increase-counter',
    body: { type: 'listenCounter', key: id },
  }),
};
const ownList = await createUserPlaylist(db, { userId: stranger.id });

test('comments under an audio that listeners do not see any more are not found', async () => {
  const commented = await createAudio(db);
  const outcome = await call(await newPerson(), 'POST', `/audios/${commented.id}/comments`, { text: 'hello' });
  const path = `/comments/${outcome.body.id}`;
  expect(await call(stranger, 'GET', `${path}/replies`)).toMatchObject({ status: 200 });
  await db.update(voices).set({ hiddenAt: new Date() }).where(eq(voices.id, commented.voiceId));
  expect(await call(stranger, 'GET', `${path}/replies`)).toMatchObject({ status: 404 });
  expect(await call(stranger, 'POST', `${path}/report`, { reason: 'spam' })).toMatchObject({ status: 404 });
});

test.each(Object.entries(actsOnAudios))('%s finds no audio that listeners do not see', async (name, act) => {
  const [method = ''] = name.split(' ');
  for (const [state, id] of Object.entries(withdrawn)) {
    const { path, body } = act(id);
    expect([state, await call(stranger, method, path, body)]).toMatchObject([state, { status: 404 }]);
  }
});

test('a queue keeps no audio that listeners do not see', async () => {
  const list = Object.values(withdrawn).map((id) => ({ id, source: 'home' }));
  const outcome = await fetch(`${url}/v1/api/user/queue`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${stranger.token}`, 'content-type': 'application/json', 'if-match': '"0"' },
    body: JSON.stringify({ ...emptySavedQueue, list }),
  });
  expect(await outcome.json()).toMatchObject({ dropped: list.length });
});

const hiddenAt = new Date();
const soon = new Date(Date.now() + 3_600_000);
const hiddenVoice = () => createVoice(db, { hiddenAt });
const favorite = (contentTypeId: string, make: () => Promise<{ id: string }>) => async () => ({
  path: `/user/favorite/${(await make()).id}`,
  body: { contentTypeId, isFavorite: true },
});
const follow =
  (what: 'voices' | 'series', make: () => Promise<{ id: string }>, isOn = true) =>
  async () => ({
    path: `/user/notification-${what}/${(await make()).id}`,
    body: { isOn },
  });
const hiddenSeries = () => createSeries(db, { hiddenAt });
const seriesOfHidden = async () => createSeries(db, { voiceId: (await hiddenVoice()).id });
const hiddenContent: Record<string, () => Promise<Try>> = {
  'POST /user/favorite/{id} of a hidden creator': favorite('voice', hiddenVoice),
  'POST /user/favorite/{id} of a hidden category': favorite('category', () => createCategory(db, { hiddenAt })),
  'POST /user/favorite/{id} of a draft of a playlist': favorite('playlist', () =>
    createPlaylist(db, { publishedAt: null }),
  ),
  'POST /user/favorite/{id} of a scheduled playlist': favorite('playlist', () =>
    createPlaylist(db, { publishedAt: soon }),
  ),
  'POST /user/favorite/{id} of a deleted playlist': favorite('playlist', () =>
    createPlaylist(db, { publishedAt: null, deletedAt: hiddenAt }),
  ),
  'PUT /user/notification-voices/{id} of a hidden creator': follow('voices', hiddenVoice),
  'PUT /user/notification-voices/{id}, off, of a hidden creator': follow('voices', hiddenVoice, false),
  'PUT /user/notification-series/{id} of a hidden series': follow('series', hiddenSeries),
  'PUT /user/notification-series/{id} of a series of a hidden creator': follow('series', seriesOfHidden),
  'POST /user/feeds of a hidden creator': async () => {
    await giveMonths(db, stranger.id, 1);
    return { path: '/user/feeds', body: { kind: 'voice', subject: (await hiddenVoice()).id } };
  },
};

test.each(Object.entries(hiddenContent))('%s is not found', async (name, make) => {
  const { path, body } = await make();
  expect(await call(stranger, name.split(' ')[0] ?? '', path, body)).toMatchObject({ status: 404 });
});

const [creator, suspendedAdmin, strictAdmin, freshAdmin] = [
  await newPerson(),
  await newPerson(),
  await newPerson(),
  await newPerson(),
];
await setVoiceOwner(db, audio.voiceId, creator.id, true);
for (const { id } of [suspendedAdmin, strictAdmin, freshAdmin]) await setAdmin(db, id, true);
await db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, suspendedAdmin.id));
// Has a passkey, which this session has not used.
await db.execute(sql`
  insert into passkeys (id, user_id, name, credential_id, public_key, counter)
  values (${newId()}, ${strictAdmin.id}, 'key', 'credential', '', 0)`);

test.each(adminRoutes)('%s is for operators only', async (route) => {
  const [method = '', template = ''] = route.split(' ');
  const path = template.replace('{voice}', 'a-voice').replaceAll(/\{\w+\}/g, owner.id);
  const body = method === 'POST' || method === 'PUT' || method === 'PATCH' ? {} : undefined;
  const answer = async (by: Person | undefined) => {
    const { status, body: result } = await call(by, method, path, body);
    return `${status} ${(result as { error?: { code?: string } } | null)?.error?.code ?? ''}`;
  };
  const before = await adminState();
  expect(await answer(undefined)).toBe('401 auth/login-required');
  expect(await answer(suspendedAdmin)).toBe('401 auth/login-required');
  // For users and creators, Admin does not exist.
  expect(await answer(stranger)).toBe('404 request/not-found');
  expect(await answer(creator)).toBe('404 request/not-found');
  if (!ofDesk.has(route)) expect(await answer(moderator)).toBe('404 request/not-found');
  const isAboutFactor = template.startsWith('/admin/second-factor');
  if (!isAboutFactor) expect(await answer(strictAdmin)).toBe('403 auth/second-factor-required');
  expect(await adminState()).toBe(before);
  // The same call by an operator gets past the guards.
  expect(await answer(freshAdmin)).not.toMatch(/^401|second-factor-required/);
});

/** Everything about the owner that these calls could have changed. */
async function adminState(): Promise<string> {
  const { rows } = await db.execute(sql`
    select u.is_admin, u.is_moderator, u.suspended_at, (select count(*) from sessions s where s.user_id = u.id) as sessions,
      (select count(*) from voice_owners o where o.user_id = u.id) as voices,
      (select count(*) from given_months g where g.user_id = u.id) as gifts,
      (select count(*) from account_deletions d where d.user_id = u.id) as deletions,
      (select count(*) from audit_entries) as entries
    from users u where u.id = ${owner.id}`);
  return JSON.stringify(rows);
}
