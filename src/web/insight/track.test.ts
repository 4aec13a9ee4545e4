import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { flushOnLeave, track } from './track.ts';

type Call = { url: string; keepalive: boolean | undefined; names: string[] };

let calls: Call[];
let page: EventTarget & { visibilityState?: string };
let answer: () => Promise<Response>;

beforeEach(() => {
  vi.useFakeTimers();
  calls = [];
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  answer = async () => new Response(null, { status: 202 });
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const { events } = JSON.parse(String(init.body)) as { events: { name: string }[] };
    calls.push({ url, keepalive: init.keepalive, names: events.map((event) => event.name) });
    return answer();
  });
});

afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a name, a source or a property that the table does not have fails the type check', () => {
  // @ts-expect-error no such event
  track('audio_clicked');
  // @ts-expect-error no such source
  track('audio_click', { source: 'elsewhere' });
  // @ts-expect-error this event tells no position
  track('audio_click', { properties: { position: 1 } });
  // @ts-expect-error a position is a number
  track('play_click', { properties: { position: 'late' } });
  track('play_click', { source: 'blog', properties: { position: 1 } });
});

test('events go together, some seconds after the first', () => {
  track('play_click', { source: 'category' });
  vi.advanceTimersByTime(4000);
  track('pause_click');
  expect(calls).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(calls).toEqual([{ url: '/v1/api/events', keepalive: false, names: ['play_click', 'pause_click'] }]);
  vi.advanceTimersByTime(60_000);
  expect(calls).toHaveLength(1);
});

test('never more than fifty in one call', () => {
  for (let count = 0; count < 120; count += 1) track('audio_click');
  vi.advanceTimersByTime(5000);
  expect(calls.map((call) => call.names.length)).toEqual([50, 50, 20]);
});

test('what is waiting goes when the page is hidden or left', () => {
  const stop = flushOnLeave();
  track('play_click');
  page.dispatchEvent(new Event('visibilitychange'));
  expect(calls).toHaveLength(0);
  page.visibilityState = 'hidden';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(calls).toHaveLength(1);
  track('pause_click');
  window.dispatchEvent(new Event('pagehide'));
  expect(calls.map((call) => call.names)).toEqual([['play_click'], ['pause_click']]);
  expect(calls.map((call) => call.keepalive)).toEqual([true, true]);
  stop();
});

test('a lost connection loses them without a word', async () => {
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  track('play_click');
  vi.advanceTimersByTime(5000);
  await Promise.resolve();
  answer = async () => new Response(null, { status: 202 });
  track('pause_click');
  vi.advanceTimersByTime(5000);
  expect(calls.map((call) => call.names)).toEqual([['play_click'], ['pause_click']]);
});

test.each([{ doNotTrack: '1' }, { globalPrivacyControl: true }])(
  'nothing is sent where the browser says %j',
  (wish) => {
    vi.stubGlobal('navigator', wish);
    track('play_click');
    vi.advanceTimersByTime(5000);
    expect(calls).toEqual([]);
  },
);

test('on the server it does nothing', () => {
  vi.stubGlobal('document', undefined);
  track('play_click');
  vi.advanceTimersByTime(5000);
  expect(calls).toEqual([]);
});
