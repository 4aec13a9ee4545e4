import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { flushOnLeave, logEvent } from './log-event.ts';

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

test('a name, source or property that is not in the table fails the type check', () => {
  // @ts-expect-error no such event
  logEvent('audio_clicked');
  // @ts-expect-error no such source
  logEvent('audio_click', { source: 'elsewhere' });
  // @ts-expect-error this event has no position
  logEvent('audio_click', { properties: { position: 1 } });
  // @ts-expect-error a position is a number
  logEvent('play_click', { properties: { position: 'late' } });
  logEvent('play_click', { source: 'blog', properties: { position: 1 } });
});

test('events are batched a few seconds after the first', () => {
  logEvent('play_click', { source: 'category' });
  vi.advanceTimersByTime(4000);
  logEvent('pause_click');
  expect(calls).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(calls).toEqual([{ url: '/v1/api/events', keepalive: false, names: ['play_click', 'pause_click'] }]);
  vi.advanceTimersByTime(60_000);
  expect(calls).toHaveLength(1);
});

test('a call has at most fifty events', () => {
  for (let count = 0; count < 120; count += 1) logEvent('audio_click');
  vi.advanceTimersByTime(5000);
  expect(calls.map((call) => call.names.length)).toEqual([50, 50, 20]);
});

test('pending events are sent when the page is hidden or left', () => {
  const stop = flushOnLeave();
  logEvent('play_click');
  page.dispatchEvent(new Event('visibilitychange'));
  expect(calls).toHaveLength(0);
  page.visibilityState = 'hidden';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(calls).toHaveLength(1);
  logEvent('pause_click');
  window.dispatchEvent(new Event('pagehide'));
  expect(calls.map((call) => call.names)).toEqual([['play_click'], ['pause_click']]);
  expect(calls.map((call) => call.keepalive)).toEqual([true, true]);
  stop();
});

test('events are dropped silently when the connection is lost', async () => {
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  logEvent('play_click');
  vi.advanceTimersByTime(5000);
  await Promise.resolve();
  answer = async () => new Response(null, { status: 202 });
  logEvent('pause_click');
  vi.advanceTimersByTime(5000);
  expect(calls.map((call) => call.names)).toEqual([['play_click'], ['pause_click']]);
});

test.each([{ doNotTrack: '1' }, { globalPrivacyControl: true }])(
  'nothing is sent when the browser signals %j',
  (signal) => {
    vi.stubGlobal('navigator', signal);
    logEvent('play_click');
    vi.advanceTimersByTime(5000);
    expect(calls).toEqual([]);
  },
);

test('on the server it does nothing', () => {
  vi.stubGlobal('document', undefined);
  logEvent('play_click');
  vi.advanceTimersByTime(5000);
  expect(calls).toEqual([]);
});
