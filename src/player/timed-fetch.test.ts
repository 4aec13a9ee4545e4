import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTime, timedHead } from './browser-limits.ts';
import { callLimitMs, timedFetch } from './timed-fetch.ts';

/** Accepts connections; answers nothing, or the beginning of a body. */
const sockets = new Set<Socket>();
let beginning = '';
const silent: Server = createServer((socket) => {
  sockets.add(socket);
  socket.on('error', () => undefined);
  socket.on('data', () => beginning !== '' && socket.write(beginning));
});
let address = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  silent.close();
});
const half = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf';

test('a request that is accepted and never answered ends at its limit', async () => {
  beginning = '';
  const began = performance.now();
  await expect(timedFetch(address, { limitMs: 150 })).rejects.toThrow();
  await expect(timedHead(address, { limitMs: 150 })).rejects.toThrow();
  expect(performance.now() - began).toBeLessThan(callLimitMs);
});

test('an answer that stops in the middle ends at the limit too, unless its body has one of its own', async () => {
  beginning = half;
  const answer = await timedFetch(address, { limitMs: 300 });
  await expect(answer.text()).rejects.toThrow();
  const head = await timedHead(address, { limitMs: 300 });
  const reader = head.body?.getReader();
  await reader?.read();
  await expect(inTime<unknown>(reader?.read() ?? Promise.resolve(), 400)).rejects.toThrow('No answer in time');
});

test('a signal of the caller ends it before, also one that was aborted already', async () => {
  beginning = '';
  const stop = new AbortController();
  const running = [timedFetch(address, { signal: stop.signal }), timedHead(address, { signal: stop.signal })];
  stop.abort();
  for (const one of [
    ...running,
    timedFetch(address, { signal: stop.signal }),
    timedHead(address, { signal: stop.signal }),
  ])
    await expect(one).rejects.toThrow();
});
