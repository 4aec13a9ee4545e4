import { expect, test } from 'vitest';
import type { Audio } from '#domain/catalogue/audios.ts';
import { audioCards, audioRows } from './list-items.ts';

const audio = {
  id: 'one',
  title: 'Bright Star',
  description: 'Keats.',
  tags: [{ slug: 'star' }],
  totalComments: 3,
} as Audio;

test('an audio of a list is sent without what no list shows', () => {
  expect(audioRows.one(audio)).toMatchObject({ id: 'one', title: 'Bright Star', description: 'Keats.' });
  expect(audioCards.one(audio)).toMatchObject({ id: 'one', title: 'Bright Star' });
  expect(audioCards.one(audio)).not.toHaveProperty('description');
  for (const item of [audioRows.one(audio), audioCards.one(audio)])
    for (const name of ['tags', 'totalComments']) expect(item).not.toHaveProperty(name);
});

test('the same audio and the same page give the same objects, as cached HTML needs', () => {
  const page = { items: [audio], nextCursor: 'next' };
  expect(audioRows.page(page)).toEqual({ items: [audioRows.one(audio)], nextCursor: 'next' });
  expect(audioRows.page(page)).toBe(audioRows.page(page));
  expect(audioRows.page(page).items[0]).toBe(audioRows.one(audio));
});
