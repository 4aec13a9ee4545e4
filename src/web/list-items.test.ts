import { expect, test } from 'vitest';
import type { Audio } from '#domain/catalogue/audios.ts';
import { toAudioItem, toAudioItemPage } from './audio-items.ts';

const audio = { id: 'one', title: 'Bright Star', tags: [{ slug: 'star', label: 'star' }], totalComments: 3 } as Audio;

test('an audio of a list is sent without what no list shows', () => {
  expect(toAudioItem(audio)).toMatchObject({ id: 'one', title: 'Bright Star' });
  expect(toAudioItem(audio)).not.toHaveProperty('tags');
  expect(toAudioItem(audio)).not.toHaveProperty('totalComments');
});

test('the same audio and the same page give the same objects, as cached HTML needs', () => {
  const page = { items: [audio], nextCursor: 'next' };
  expect(toAudioItemPage(page)).toEqual({ items: [toAudioItem(audio)], nextCursor: 'next' });
  expect(toAudioItemPage(page)).toBe(toAudioItemPage(page));
  expect(toAudioItemPage(page).items[0]).toBe(toAudioItem(audio));
});
