import { eq } from 'drizzle-orm';
import { extractText, getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { setAdmin, setModerator } from '#domain/identity/operators.ts';
import { operator } from '#domain/kernel/actor.ts';
import { newId } from '#domain/kernel/ids.ts';
import { agreementAcceptances, consents, performers } from '#domain/verification/tables.ts';
import { createAudio, createSession, createUser } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';

const { url, db, site } = await startTestSite();
const audio = await createAudio(db, { title: 'Night, Łódź', publishedAt: null });
const { voiceId } = audio;
const today = new Date().toISOString().slice(0, 10);
const words = Array.from(
  { length: 400 },
  (_, index) => `Paragraph ${index} of the agreement, which is long enough to be wrapped once over its line.`,
);

async function newPerson() {
  const { id, username } = await createUser(db);
  return { id, username: username ?? '', token: (await createSession(db, id)).token };
}
const owner = await newPerson();
await setVoiceOwner(db, voiceId, owner.id, true);
await site.admin.content.recordCheck(operator, voiceId, {
  method: 'Video call',
  reference: '06-112',
  checkedOn: today,
  until: '2030-01-01',
});
await site.admin.texts.publishAgreement(operator, {
  text: `## 1. Yours\n\n${words.join('\n\n')}\n\nThe last words.`,
  version: 1,
});
const actor = {
  kind: 'user',
  id: owner.id,
  isSubscribed: false,
  isComplete: true,
  voiceRoles: { [voiceId]: 'owner' },
} as const;
await site.verification.acceptAgreement(actor, voiceId, 1);
const performerId = newId();
await db.insert(performers).values({ id: performerId, voiceId, email: 'hanna@example.org', name: 'Hanna' });
const given = { state: 'given', recorded: true, published: true, name: 'Hanna Brandt', sound: audio.fileKey } as const;
await db.insert(consents).values({ audioId: audio.id, performerId, ...given, answeredAt: new Date() });
await site.studio.publishAudio(operator, audio.id);

const paths = {
  archive: `/admin/audios/${audio.id}/chain/pdf`,
  agreement: `/admin/voices/${voiceId}/agreements/pdf`,
};
const ask = (path: string, token?: string) =>
  fetch(`${url}/v1/api${path}`, { headers: token ? { authorization: `Bearer ${token}` } : {} });
const admin = await newPerson();
await setAdmin(db, admin.id, true);

async function read(path: string) {
  const answer = await ask(path, admin.token);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  const document = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()));
  const { text, totalPages } = await extractText(document, { mergePages: true });
  const name = /filename="([^"]*)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
  return { text: text.replaceAll(/\s+/g, ' '), totalPages, name };
}

test('only operators get the files', async () => {
  const moderator = await newPerson();
  await setModerator(db, moderator.id, true);
  for (const path of Object.values(paths)) {
    const tokens = [undefined, owner.token, moderator.token, (await newPerson()).token];
    const statuses = await Promise.all(tokens.map(async (token) => (await ask(path, token)).status));
    expect([path, ...statuses]).toEqual([path, 401, 404, 404, 404]);
  }
  for (const path of Object.values(paths))
    expect((await ask(path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, newId()), admin.token)).status).toBe(404);
});

test('the archive has the chain from the upload to the acts', async () => {
  const { text, name } = await read(paths.archive);
  expect(name).toBe(`chain-${audio.slug}.pdf`);
  for (const part of [
    'Night, Łódź',
    audio.fileKey,
    'Nothing that the site asks for is missing.',
    'Video call',
    '06-112',
    `Version 1 (en), ${today}`,
    `by ${owner.username}`,
    'Performer 1: Hanna Brandt',
    'hanna@example.org',
    'Downloaded no',
    'verification.record',
    'audio.publish',
  ])
    expect(text).toContain(part);
});

test('the agreement has all its words, over many pages, and says when it cannot show them', async () => {
  const { text, totalPages, name } = await read(paths.agreement);
  expect(name).toMatch(/^agreement-.*\.pdf$/);
  expect(totalPages).toBeGreaterThan(8);
  for (const part of [owner.username, '1. Yours', ...words, 'The last words.']) expect(text).toContain(part);
  await db
    .update(agreementAcceptances)
    .set({ text: 'شروط', language: 'ar' })
    .where(eq(agreementAcceptances.voiceId, voiceId));
  expect((await read(paths.agreement)).text).toContain('This file has no letters for the words.');
});
