import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Audio } from '#domain/catalogue/audios.ts';
import { type AnalyticsEvent, AnalyticsReport } from '#domain/analytics/forms.ts';
import { createTestPlayer } from '#test/support/player/fake-player.ts';
import { createTrack } from '#test/support/player/fake-tracks.ts';
import { reportEvent } from './report-event.ts';

const id = '0193b3e2-6c4f-7c1e-9a51-0b9b1c2d3e4f';
const voiceId = '0193b3e2-6c4f-7c1e-9a51-0b9b1c2d3e50';
const categoryId = '0193b3e2-6c4f-7c1e-9a51-0b9b1c2d3e51';

let sent: AnalyticsEvent[];

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    sent.push(...AnalyticsReport.parse(JSON.parse(String(init.body))).events);
    return new Response(null, { status: 202 });
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('every player event is accepted by the events route, with audio and source', () => {
  const audio = { categories: [{ id: categoryId, slug: 'sonnets', label: 'Sonnets' }] } as Audio;
  const { player, media, hear } = createTestPlayer({ report: (event) => reportEvent(event, audio) });
  player.playList([createTrack(id, { voice: { id: voiceId, name: 'Maren Holt', slug: 'maren-holt' } })], 0);
  media.receiveFile(300);
  hear(40);
  player.seekBy(15);
  media.finishSeek();
  player.pause();
  vi.advanceTimersByTime(5000);

  const times = sent.filter((event) => event.name === 'audio_time');
  expect(sent.filter((event) => event.name !== 'audio_time').map((event) => event.name)).toEqual([
    'play_click',
    'audio_played',
    'voice_played',
    'category_played',
    'seek_15s_forward',
    'pause_click',
  ]);
  expect(new Set(sent.map((event) => event.source))).toEqual(new Set(['category']));
  expect(times.map((event) => [event.subjectId, event.properties?.['voiceId']])).toEqual(
    times.map(() => [id, voiceId]),
  );
  expect(times.reduce((sum, event) => sum + Number(event.properties?.['seconds']), 0)).toBeCloseTo(40, 0);
  expect(sent.find((event) => event.name === 'voice_played')?.subjectId).toBe(voiceId);
  expect(sent.find((event) => event.name === 'category_played')?.subjectId).toBe(categoryId);
});

test('a playback failure is reported with its reason', () => {
  reportEvent({ name: 'error', code: 'gone', trackId: id, voiceId, source: 'preview', position: 3.2 }, undefined);
  vi.advanceTimersByTime(5000);
  expect(sent).toEqual([
    { name: 'player_error', source: 'preview', subjectId: id, properties: { code: 'gone', position: 3 } },
  ]);
});
