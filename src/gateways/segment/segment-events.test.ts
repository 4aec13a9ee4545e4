import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import type { TakenEvent } from '#domain/analytics/events.ts';
import { openSegmentEvents } from './segment-events.ts';

type Sent = { type: string; event?: string; userId?: string; anonymousId?: string; messageId: string } & Record<
  string,
  unknown
>;

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A fake of Segment's HTTP API: `POST /v1/batch`, with the write key as the user name of Basic authentication. */
async function startCollector(status = 200) {
  const sent: Sent[] = [];
  const keys = new Set<string>();
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as { batch: Sent[]; writeKey?: string };
    keys.add(body.writeKey ?? Buffer.from((request.headers.authorization ?? '').slice(6), 'base64').toString());
    sent.push(...body.batch);
    response.writeHead(request.url === '/v1/batch' ? status : 404).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  return { host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent, keys };
}

function event(overrides: Partial<TakenEvent> = {}): TakenEvent {
  return {
    id: '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b',
    name: 'play_click',
    source: 'blog',
    subjectId: '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5c',
    properties: { position: 12 },
    at: new Date('2026-01-02T03:04:05.678Z'),
    userId: undefined,
    ...overrides,
  };
}

test('events are sent in one batch with names, times and sources; only consenting users are named', async () => {
  const { host, sent, keys } = await startCollector();
  const lost = vi.fn();
  const forwarder = openSegmentEvents({ writeKey: 'key-1', host, onLost: lost });
  forwarder.identify({ id: 'user-1', email: 'a@b.example' });
  forwarder.forward([event(), event({ id: 'other', name: 'audio_played', userId: 'user-1' })]);
  await forwarder.close();
  expect(sent).toMatchObject([
    { type: 'identify', userId: 'user-1', traits: { email: 'a@b.example' } },
    {
      type: 'track',
      event: 'play_click',
      messageId: '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b',
      anonymousId: 'nobody',
      timestamp: '2026-01-02T03:04:05.678Z',
      properties: { position: 12, source: 'blog', subjectId: '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5c' },
    },
    { type: 'track', event: 'audio_played', userId: 'user-1' },
  ]);
  expect(sent[1]).not.toHaveProperty('userId');
  expect([...keys].join()).toContain('key-1');
  expect(lost).not.toHaveBeenCalled();
});

test('refused and excess events are dropped and counted', async () => {
  const { host } = await startCollector(400);
  const lost = vi.fn();
  const forwarder = openSegmentEvents({ writeKey: 'key-1', host, max: 3, onLost: lost });
  forwarder.forward([event(), event(), event(), event(), event()]);
  expect(lost).toHaveBeenCalledTimes(2);
  await forwarder.close();
  expect(lost).toHaveBeenCalledTimes(5);
});
