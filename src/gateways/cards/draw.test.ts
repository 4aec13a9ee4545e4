import { expect, test } from 'vitest';
import { drawCard, drawFeedCover } from './draw.ts';

const cardOf = (title: string) => drawCard({ title, line: 'Ana', siteName: 'Sotto', picture: undefined });

test.each([
  ['🎧🔥 Night 🌙 letter', 'Night letter'],
  ['Night letter 👩‍❤️‍👩🏽 🏳️‍🌈', 'Night letter'],
  ['🇩🇪 Night letter ♥️ 1️⃣', 'Night letter 1'],
  ['🔥💋', ''],
])('emoji are left out of cards and covers: %s', async (title, plain) => {
  expect(Buffer.compare(await cardOf(title), await cardOf(plain))).toBe(0);
});

test('signs that the font has are drawn', async () => {
  expect(Buffer.compare(await cardOf('Night™'), await cardOf('Night'))).not.toBe(0);
  expect((await drawFeedCover('🔥 Night', 'Sotto')).byteLength).toBeGreaterThan(1000);
});
