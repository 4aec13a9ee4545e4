import { asc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { audioDays, audioSourceDays, voiceDays } from '#domain/listening/tables.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createVoice } from '#test/support/factories.ts';
import { addDemoFigures, addDemoTakes } from './figures.ts';

const { db, pool } = await createTestDatabase();

test('the demo’s figures agree with the plays that listeners see', async () => {
  const now = new Date('2026-11-23T15:00:00Z');
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const voice = await createVoice(db, { slug: 'maren-holt' });
  const young = await createAudio(db, { voiceId: voice.id, publishedAt: ago(40), plays: 900 });
  const old = await createAudio(db, { voiceId: voice.id, publishedAt: ago(400), plays: 2000 });
  await addDemoFigures(db, voice.slug, now);
  const daysOf = (id: string) =>
    db.select().from(audioDays).where(eq(audioDays.audioId, id)).orderBy(asc(audioDays.day));
  const sum = (list: { plays: number }[]) => list.reduce((all, { plays }) => all + plays, 0);

  const [ofYoung, ofOld] = [await daysOf(young.id), await daysOf(old.id)];
  expect([sum(ofYoung), ofYoung.length]).toEqual([900, 41]);
  expect(sum(ofOld)).toBe(600);
  expect([ofYoung.at(-1)?.playsTotal, ofOld.at(-1)?.playsTotal]).toEqual([900, 2000]);
  expect(sum(await db.select().from(audioSourceDays).where(eq(audioSourceDays.audioId, old.id)))).toBe(600);
  const ofVoice = await db.select().from(voiceDays).where(eq(voiceDays.voiceId, voice.id));
  expect([sum(ofVoice), ofVoice.length]).toEqual([1500, 120]);
  for (const { plays, memberPlays, ends } of ofVoice) {
    expect(memberPlays).toBeLessThanOrEqual(plays);
    expect(ends).toBeLessThanOrEqual(memberPlays);
  }
});

test('one take waits as a draft without a description, one is scheduled', async () => {
  await createAudio(db, { slug: 'when-our-two-souls', description: 'Told.' });
  await createAudio(db, { slug: 'if-thou-must-love-me', description: 'Told.' });
  await addDemoTakes(db, new Date());
  const { rows } = await pool.query<{ slug: string; published_at: Date | null; description: string }>(
    `select slug, published_at, description from audios where slug ~ '(second-take|slower)$' order by slug`,
  );
  expect(rows.map(({ published_at }) => published_at && published_at > new Date())).toEqual([true, null]);
  expect(rows.map(({ description }) => description !== '')).toEqual([true, false]);
});
