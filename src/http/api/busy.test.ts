/** @module-tag slow */
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { audios } from '#domain/catalogue/tables.ts';
import { setAdmin } from '#domain/identity/operators.ts';
import { createAudio, createSession, createUser, createVoice } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';

vi.setConfig({ testTimeout: 300_000 });

const { url, db, errors } = await startTestSite();
const { id } = await createUser(db, { termsAcceptedAt: new Date() });
await setAdmin(db, id, true);
const { token } = await createSession(db, id);

const send = (method: string, path: string, body: unknown) =>
  fetch(`${url}/v1/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const publish = (audioId: string) => send('PUT', `/studio/audios/${audioId}/publication`, { state: 'published' });
const isPublic = (audioId: string) => db.$count(audios, and(eq(audios.id, audioId), isNotNull(audios.publishedAt)));

/** @returns status, code and Retry-After */
async function answerOf(sent: Promise<Response>) {
  const answer = await sent;
  const body = (await answer.json()) as { error?: { code: string } };
  return [answer.status, body.error?.code, answer.headers.get('retry-after')];
}

const busy = [503, 'server/busy', '10'];

test('publishing while the creator is changed for long gives its connection back soon, and changes nothing', async () => {
  const voice = await createVoice(db);
  const draft = await createAudio(db, { voiceId: voice.id, publishedAt: null });
  await db.transaction(async (tx) => {
    await tx.execute(sql`select from voices where id = ${voice.id} for no key update`);
    const began = performance.now();
    expect(await answerOf(publish(draft.id))).toEqual(busy);
    expect(performance.now() - began).toBeLessThan(8000);
  });
  expect(await isPublic(draft.id)).toBe(0);
  expect((await publish(draft.id)).status).toBe(200);
  expect(await isPublic(draft.id)).toBe(1);
});

test('an act on an audio that another transaction keeps for long', async () => {
  const audio = await createAudio(db);
  await db.transaction(async (tx) => {
    await tx.execute(sql`select from audios where id = ${audio.id} for update`);
    expect(await answerOf(send('PUT', `/studio/audios/${audio.id}/publication`, { state: 'unpublished' }))).toEqual(
      busy,
    );
  });
});

test('a creator of 20,000 audios is hidden and shown, and publishing meanwhile is refused for now', async () => {
  const voice = await createVoice(db);
  const draft = await createAudio(db, { voiceId: voice.id, publishedAt: null, tagLabels: ['Rain', 'Sea', 'Night'] });
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = '5min'`);
    await tx.execute(sql`
      insert into audios (id, slug, title, sort_title, voice_id, file_key, file_mime, file_bytes, duration_ms, published_at)
      select gen_random_uuid(), ${draft.slug} || '-' || n, title, sort_title, voice_id, file_key, file_mime, file_bytes,
        duration_ms, now()
      from audios, generate_series(1, 20000) n where id = ${draft.id}`);
    await tx.execute(sql`
      insert into audio_tags (audio_id, tag_id)
      select a.id, t.id from audios a, tags t where a.voice_id = ${voice.id} and a.id <> ${draft.id}`);
  });
  const change = (isHidden: boolean) => send('PATCH', `/admin/voices/${voice.id}`, { isHidden, before: {} });
  const countPublic = () => db.$count(audios, and(eq(audios.voiceId, voice.id), isNotNull(audios.publishedAt)));
  expect((await change(true)).status).toBe(204);
  expect(await countPublic()).toBe(0);
  // Showing takes longer than hiding: it fills the lists.
  const showing = change(false);
  await vi.waitUntil(isBeingChanged, { timeout: 20_000, interval: 5 });
  expect(await answerOf(publish(draft.id))).toEqual(busy);
  expect((await showing).status).toBe(204);
  expect(await countPublic()).toBe(20_000);
  expect((await publish(draft.id)).status).toBe(200);
  expect(errors).toEqual([]);
});

async function isBeingChanged(): Promise<boolean> {
  const { rows } = await db.execute(
    sql`select from pg_stat_activity where datname = current_database() and query like 'update "voices"%' and state = 'active'`,
  );
  return rows.length > 0;
}
