import { expect, test } from 'vitest';
import { drawCard, drawFeedCover } from './draw.ts';

const cardOf = (title: string) => drawCard({ title, line: 'Ana', siteName: 'Sotto', picture: undefined });

test.each([
  ['🎧🔥 Night 🌙 letter', 'Night letter'],
  ['Night letter 👩‍❤️‍👩🏽 🏳️‍🌈', 'Night letter'],
  ['🇩🇪 Night letter ♥️ 1️⃣', 'Night letter 1'],
  ['🔥💋', ''],
  // Professions, families, flags of regions, signs with a selector, keycaps, buttons, joined signs, skins.
  ['👩🏽‍🚀 Night 👨‍👩‍👧‍👦 🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F} ☔️⚡️ letter 🎵🎶', 'Night letter'],
  ['#️⃣ Night *️⃣ 🈂️ 🆒 ❤️‍🔥 ❣️ 🧑‍🤝‍🧑 letter 🏴‍☠️ 🫶🏿 🥹', '# Night * letter'],
])('emoji are left out of cards and covers: %s', async (title, plain) => {
  expect(Buffer.compare(await cardOf(title), await cardOf(plain))).toBe(0);
});

test('signs that the font has are drawn', async () => {
  expect(Buffer.compare(await cardOf('Night™'), await cardOf('Night'))).not.toBe(0);
  expect((await drawFeedCover('🔥 Night', 'Sotto')).byteLength).toBeGreaterThan(1000);
});
