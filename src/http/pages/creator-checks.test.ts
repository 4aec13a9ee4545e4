import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { operator } from '#domain/kernel/actor.ts';
import { auditEntries } from '#domain/kernel/audit.ts';
import { voiceVerifications } from '#domain/verification/tables.ts';
import { createSession, createUser, createVoice } from '#test/support/factories.ts';
import { startOpenIdChecks } from '#test/support/servers/openid-checks.ts';
import { shortenCallLimits } from '#test/support/servers/silent-peer.ts';
import { startTestSite } from '#test/support/site.ts';

const provider = await startOpenIdChecks();
afterAll(provider.close);
const settings = {
  TRUST_PROXY: '1',
  SITE_URL: 'http://localhost:3000',
  VERIFICATION_PROVIDER_ISSUER: provider.issuer,
  VERIFICATION_PROVIDER_CLIENT_ID: 'sotto',
  VERIFICATION_PROVIDER_CLIENT_SECRET: 'a secret',
  VERIFICATION_PROVIDER_NAME: 'Ids Example',
  VERIFICATION_PROVIDER_DAYS: '100',
};
const { url, db, site, database, logged } = await startTestSite(settings);
const yes = { identity_verified: true, txn: ' A-17\n03 ' };
beforeEach(() => Object.assign(provider.state, { claims: yes, userInfo: {}, isSilent: false }));

let address = 0;
function ask(path: string, { cookie, headers }: { cookie?: string; headers?: object } = {}) {
  return fetch(url + path, {
    redirect: 'manual',
    headers: { 'x-forwarded-for': `198.51.100.${address}`, ...(cookie && { cookie }), ...headers },
  });
}
beforeEach(() => void (address += 1));

async function newPerson(voiceId: string, isOwner = true) {
  const { id } = await createUser(db);
  await setVoiceOwner(db, voiceId, id, isOwner);
  const { token } = await createSession(db, id);
  return { id, cookie: `sotto_session=${token}` };
}
async function owned() {
  const voice = await createVoice(db);
  return { voice, owner: await newPerson(voice.id) };
}
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
const pathTo = (slug: string, language = 'en') => `/verification/provider?voice=${slug}&language=${language}`;

/** A browser that has come back from the provider. */
async function visit(slug: string, session: string, back = (one: string) => one, language = 'en') {
  const begun = await ask(pathTo(slug, language), { cookie: session });
  const page = begun.headers.get('location') ?? '';
  const ticket = cookieOf(begun);
  if (!page.startsWith(provider.issuer)) return { page, ticket, answer: begun };
  const returned = await provider.allow(new URL(page));
  expect(returned.origin + returned.pathname).toBe('http://localhost:3000/verification/return');
  const path = back(`/verification/return${returned.search}`);
  return { page, ticket, path, answer: await ask(path, { cookie: `${session}; ${ticket}` }) };
}
const outcomeOf = ({ answer }: { answer: Response }) =>
  /check=([\w-]+)$/.exec(answer.headers.get('location') ?? '')?.[1];
const recordOf = async (voiceId: string) => {
  const [row] = await db.select().from(voiceVerifications).where(eq(voiceVerifications.voiceId, voiceId));
  return row;
};

test('an owner is verified by the provider’s word, and only its result, number and date are kept', async () => {
  const { voice, owner } = await owned();
  await site.verification.askForVerification(
    { kind: 'user', id: owner.id, isSubscribed: false, isComplete: true, voiceRoles: { [voice.id]: 'owner' } },
    voice.id,
    {},
  );
  const visited = await visit(voice.slug, owner.cookie, undefined, 'de');
  expect([visited.answer.status, visited.answer.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(new RegExp(`/studio/${voice.slug}/verification\\?check=done$`)),
  ]);
  expect(visited.answer.headers.getSetCookie()[0]).toMatch(/^sotto_creator_check=; Max-Age=0/);
  expect(await recordOf(voice.id)).toMatchObject({
    decision: 'verified',
    method: 'Ids Example',
    reference: 'A-17 03',
    checkedOn: inDays(0),
    verifiedUntil: inDays(100),
    decidedBy: null,
    askedAt: null,
  });
  const acts = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, voice.id));
  expect(acts.map(({ action, actorRole }) => [action, actorRole])).toContainEqual(['verification.provider', 'owner']);
  const { rows } = await database.pool.query('select t::text as row from voice_verifications t');
  for (const text of [JSON.stringify(rows), JSON.stringify(acts), JSON.stringify(logged)])
    for (const secret of ['person-4711', 'person@example.org', '1990-01-02']) expect(text).not.toContain(secret);
  // The answer counts once.
  const again = await ask(visited.path ?? '', { cookie: `${owner.cookie}; ${visited.ticket}` });
  expect(outcomeOf({ answer: again })).not.toBe('done');
});

test('any other word changes nothing', async () => {
  const { voice, owner } = await owned();
  for (const [claims, outcome] of [
    [{ identity_verified: 'true' }, 'not-verified'],
    [{ identity_verified: false }, 'not-verified'],
    [{ identity_verified: undefined }, 'not-verified'],
    [{ ...yes, aud: 'another site' }, 'unchecked'],
    [{ ...yes, nonce: 'another' }, 'unchecked'],
    [{ ...yes, exp: 1000 }, 'unchecked'],
  ] as const) {
    provider.state.claims = claims;
    expect([claims, outcomeOf(await visit(voice.slug, owner.cookie))]).toEqual([claims, outcome]);
  }
  provider.state.claims = yes;
  const denied = (path: string) => path.replace(/code=[^&]*/, 'error=access_denied');
  expect(outcomeOf(await visit(voice.slug, owner.cookie, denied))).toBe('denied');
  const otherState = (path: string) => path.replace(/state=[^&]*/, 'state=other');
  expect(outcomeOf(await visit(voice.slug, owner.cookie, otherState))).toBe('unchecked');
  const restore = shortenCallLimits(50);
  try {
    const silent = await visit(voice.slug, owner.cookie, (path) => {
      provider.state.isSilent = true;
      return path;
    });
    expect(outcomeOf(silent)).toBe('unavailable');
  } finally {
    restore();
  }
  expect(await recordOf(voice.id)).toBeUndefined();
});

test('only an owner begins a visit, and only the same person ends it, for the same creator', async () => {
  const { voice, owner } = await owned();
  const other = await owned();
  expect((await ask(pathTo(voice.slug))).status).toBe(404);
  expect((await ask(pathTo(voice.slug), { cookie: other.owner.cookie })).status).toBe(404);
  expect((await ask(pathTo('unknown'), { cookie: owner.cookie })).status).toBe(404);
  const elsewhere = { cookie: owner.cookie, headers: { 'sec-fetch-site': 'cross-site' } };
  expect((await ask(pathTo(voice.slug), elsewhere)).status).toBe(400);
  expect((await ask('/verification/return?code=x', { cookie: owner.cookie })).status).toBe(404);
  const begun = await ask(pathTo(voice.slug), { cookie: owner.cookie });
  const { search } = await provider.allow(new URL(begun.headers.get('location') ?? ''));
  const ticket = cookieOf(begun);
  const [, , signed = ''] = ticket.split('~');
  const finish = (session: string, line: string) =>
    ask(`/verification/return${search}`, { cookie: `${session}; ${line}` });
  const strangers = [
    await finish(other.owner.cookie, ticket),
    await finish(owner.cookie, ticket.replace(voice.id, other.voice.id)),
    await finish(owner.cookie, ticket.replace(/\.\d{13}\./, `.${Date.now() - 31 * 60_000}.`)),
    await finish('', ticket),
  ];
  expect(signed).not.toBe('');
  for (const answer of strangers) expect(outcomeOf({ answer })).not.toBe('done');
  expect([await recordOf(voice.id), await recordOf(other.voice.id)]).toEqual([undefined, undefined]);
});

test('what an operator has decided against stays, and a check that counts is not made again', async () => {
  const { voice, owner } = await owned();
  expect(outcomeOf(await visit(voice.slug, owner.cookie))).toBe('done');
  expect(outcomeOf(await visit(voice.slug, owner.cookie))).toBe('not-now');
  await site.admin.content.withdrawVerification(operator, voice.id, { reason: 'Somebody else' });
  expect(outcomeOf(await visit(voice.slug, owner.cookie))).toBe('not-now');
  expect(await recordOf(voice.id)).toMatchObject({ decision: 'withdrawn' });
});
