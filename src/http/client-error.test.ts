import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerClientError } from './client-error.ts';

const server = createServer((_request, response) => void response.write('half'));
server.on('clientError', answerClientError({ 'x-frame-options': 'DENY' }));

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

async function send(request: string): Promise<{ head: string; body: string }> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(request);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { head, body };
}

test.each([
  ['no HTTP', 'hello\r\n\r\n', 'HTTP/1.1 400 Bad Request', 'request/invalid'],
  ['an unknown method', 'FOO / HTTP/1.1\r\nHost: a\r\n\r\n', 'HTTP/1.1 400 Bad Request', 'request/invalid'],
  ['a method in small letters', 'get / HTTP/1.1\r\nHost: a\r\n\r\n', 'HTTP/1.1 400 Bad Request', 'request/invalid'],
  [
    'too large a head',
    `GET / HTTP/1.1\r\nHost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
    'HTTP/1.1 431 Request Header Fields Too Large',
    'request/too-large',
  ],
])('%s gets an error like any other', async (_name, request, statusLine, code) => {
  const { head, body } = await send(request);
  const [first, ...headers] = head.split('\r\n');
  expect(first).toBe(statusLine);
  expect(headers).toEqual(
    expect.arrayContaining(['x-frame-options: DENY', 'content-type: application/json', 'connection: close']),
  );
  expect(headers).toContain(`content-length: ${Buffer.byteLength(body)}`);
  expect(JSON.parse(body)).toEqual({ error: { code, message: expect.any(String) } });
});

test('invalid bytes after a request do not corrupt its answer', async () => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET /half HTTP/1.1\r\nHost: a\r\n\r\n');
  socket.once('data', () => socket.write('rubbish\r\n\r\n'));
  const answer = await text(socket).catch((error: Error) => error.message);
  expect(answer).toMatch(/^(?:HTTP\/1\.1 200 OK\r\n[^]*half\r\n|aborted|read ECONNRESET)$/);
});
