import { sql } from 'drizzle-orm';
import { extractText, getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import { lockPayouts, setPayoutPool } from '#domain/admin/money/payout-changes.ts';
import { findPayouts } from '#domain/admin/money/payouts.ts';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { verifyStatement } from '#domain/earnings/verify-statement.ts';
import { operator } from '#domain/kernel/actor.ts';
import { createAudio, createSession, createUser, createVoice } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';

const { url, db } = await startTestSite();

async function newPerson() {
  const { id } = await createUser(db);
  const { token } = await createSession(db, id);
  return {
    id,
    get: (path: string) => fetch(`${url}/v1/api${path}`, { headers: { authorization: `Bearer ${token}` } }),
  };
}

const [owner, stranger] = [await newPerson(), await newPerson()];
const voice = await createVoice(db, { name: 'Nora' });
const audio = await createAudio(db, { voiceId: voice.id, title: 'Evening' });
await setVoiceOwner(db, voice.slug, owner.id, true);
const month = '2024-05';
await db.execute(sql`
  insert into listened_seconds (day, audio_id, voice_id, milliseconds, reports)
  values (${`${month}-05T00:00:00Z`}, ${audio.id}, ${voice.id}, 7000, 1)`);
await setPayoutPool(db, operator, month, { pool: 1234, revision: 0 });
const checksum = (await findPayouts(db, operator, month))?.checksum ?? '';
await lockPayouts(db, operator, month, { checksum });
const files = ['earnings.csv', `earnings/${month}/csv`, `earnings/${month}/pdf`];

test('an owner gets the statement as CSV, whose proof leads to the published root, and as PDF', async () => {
  const csv = await owner.get(`/voices/${voice.slug}/earnings/${month}/csv`);
  expect(csv.headers.get('content-disposition')).toBe(`attachment; filename="earnings-${voice.slug}-${month}.csv"`);
  const roots = (await (await fetch(`${url}/v1/api/earnings/roots`)).json()) as { items: { root: string }[] };
  expect(verifyStatement(await csv.text())).toMatchObject({ ok: true, root: roots.items[0]?.root });
  const pdf = await owner.get(`/voices/${voice.id}/earnings/${month}/pdf`);
  expect(pdf.headers.get('content-type')).toBe('application/pdf');
  const document = await getDocumentProxy(new Uint8Array(await pdf.arrayBuffer()));
  const { text } = await extractText(document, { mergePages: true });
  // Heard by fewer than ten.
  for (const part of ['Statement, May 2024', 'Nora', 'Evening', '$12.34', 'Under 10', 'Locked', roots.items[0]?.root])
    expect(text.replaceAll(/\s+/g, ' ')).toContain(part);
  const months = await (await owner.get(`/voices/${voice.slug}/earnings.csv`)).text();
  expect(months).toContain(`${month},locked,Under 10 listeners,100.0000,12.34 USD`);
});

test('others get the answer of an unknown voice, visitors a 401, and nonsense is never a 5xx', async () => {
  for (const file of files) {
    expect((await owner.get(`/voices/${voice.slug}/${file}`)).status).toBe(200);
    const foreign = await stranger.get(`/voices/${voice.slug}/${file}`);
    expect(foreign.status).toBe(404);
    expect(await foreign.json()).toEqual(await (await stranger.get(`/voices/nobody-at-all/${file}`)).json());
    expect((await fetch(`${url}/v1/api/voices/${voice.slug}/${file}`)).status).toBe(401);
  }
  for (const of of ['9999-12', '2024-13', 'x', '%00'])
    for (const kind of ['csv', 'pdf'])
      expect((await owner.get(`/voices/${voice.slug}/earnings/${of}/${kind}`)).status).toBe(404);
});
