import { createServer } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { parseConfig } from '#config';
import { listen } from './http-server.ts';

const server = createServer();
const asked: string[] = [];
const port = await listen(server, {
  config: parseConfig({ PORT: '0' }),
  fetch: ({ url }) => new Response(url),
  sendFromCaches(incoming) {
    asked.push(incoming.url ?? '');
    return false;
  },
  middlewares: undefined,
  isLeaving: () => true,
});
afterAll(() => server.close());

async function send(...lines: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
  return text(socket);
}

test.each([
  [['Host: sotto.example', 'Host: evil.example']],
  [['Host: sotto.example', 'Accept: text/html', 'hOST: sotto.example']],
  [['Host: a', 'Host: b', 'Host: c']],
])('several Host lines are refused, from the caches too: %s', async (hosts) => {
  asked.length = 0;
  const answer = await send('GET /audios HTTP/1.1', ...hosts);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('request/invalid');
  expect(asked).toEqual([]);
});

test('one Host line is answered, and so is a request of HTTP/1.0 without any', async () => {
  expect(await send('GET /audios HTTP/1.1', 'X-Forwarded-Host: b', 'Host: sotto.example')).toMatch(
    /^HTTP\/1\.1 200 [^]*sotto\.example\/audios/,
  );
  expect(await send('GET /readyz HTTP/1.0')).toMatch(/^HTTP\/1\.1 200 /);
});
