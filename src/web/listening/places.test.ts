import { expect, test } from 'vitest';
import type { PlayerEvent } from '#player/player-events.ts';
import { createPlaces } from './places.ts';

function told(name: 'audio_progress' | 'audio_completed', position: number): PlayerEvent {
  return { name, trackId: 'a', voiceId: 'v', source: 'category', position };
}

test('an audio goes on where the account left it', () => {
  const places = createPlaces();
  expect(places.of('a')).toBe(0);
  places.take({ a: 95 });
  expect(places.of('a')).toBe(95);
  expect(places.find('b')).toBeUndefined();
});

test('what was heard on this page is newer than what the account had', () => {
  const places = createPlaces();
  places.report(told('audio_progress', 40));
  places.take({ a: 95, b: 7 });
  expect(places.of('a')).toBe(40);
  expect(places.of('b')).toBe(7);
});

test('heard to its end, it has no place, whatever the account says', () => {
  const places = createPlaces();
  places.take({ a: 95 });
  places.report(told('audio_completed', 300));
  places.take({ a: 95 });
  expect(places.of('a')).toBe(0);
});

test('what the account has no more is gone; what was removed from the history too', () => {
  const places = createPlaces();
  places.take({ a: 95, b: 7 });
  places.take({ b: 7 });
  expect(places.of('a')).toBe(0);
  places.report(told('audio_progress', 40));
  places.forget('a');
  expect(places.of('a')).toBe(0);
  places.forgetAll();
  expect(places.of('b')).toBe(0);
});
