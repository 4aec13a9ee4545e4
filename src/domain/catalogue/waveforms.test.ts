import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio } from '#test/support/factories.ts';
import { recordings } from './tables.ts';
import { findWaveform, toBars } from './waveforms.ts';

const { db } = await createTestDatabase();

/** @param loudness of each of the 1,200 points, 0 to 255 */
const peaksOf = (loudness: (point: number) => number) =>
  Buffer.from(Array.from({ length: 1200 }, (_none, point) => [255, loudness(point)]).flat());

test('bars follow the loudness, and the loudest is as high as can be', () => {
  const bars = toBars(peaksOf((point) => (point < 400 ? 100 : point < 800 ? 0 : 50)));
  expect(bars).toMatch(/^z{50}0{50}i{50}$/);
  expect(toBars(peaksOf(() => 0))).toBe('0'.repeat(150));
});

test('only a published audio has a waveform, and only that of the file it has now', async () => {
  const audio = await createAudio(db);
  const draft = await createAudio(db, { publishedAt: null });
  expect(await findWaveform(db, audio.id)).toBeUndefined();
  const peaks = peaksOf((point) => point % 256);
  await db.insert(recordings).values([
    { audioId: audio.id, fileKey: audio.fileKey, peaks },
    { audioId: draft.id, fileKey: draft.fileKey, peaks },
  ]);
  expect(await findWaveform(db, audio.id)).toBe(toBars(peaks));
  expect(await findWaveform(db, draft.id)).toBeUndefined();
  expect(await findWaveform(db, 'no-id')).toBeUndefined();
  await db.update(recordings).set({ fileKey: 'audio/former.mp3' });
  expect(await findWaveform(db, audio.id)).toBeUndefined();
});
