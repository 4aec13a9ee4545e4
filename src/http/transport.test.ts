import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import { Hono } from 'hono';
import { setCookie } from 'hono/cookie';
import { expect, test } from 'vitest';
import { analyticsEvents } from '#domain/analytics/tables.ts';
import { createVoice } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';
import { openTransport } from './transport.ts';
import { slow } from '#test/support/tags.ts';

// Independent implementation, so that the test checks the decision's format and not the code's.
const key = Buffer.alloc(32, 7);
const { url, db } = await startTestSite({ TRANSPORT_KEY: key.toString('hex') });
await createVoice(db, { slug: 'maren-holt', name: 'Maren Holt' });

function seal(plain: string | Buffer, bound: string, by = key): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', by, nonce).setAAD(Buffer.from(bound));
  return Buffer.concat([nonce, cipher.update(Buffer.from(plain)), cipher.final(), cipher.getAuthTag()]).toString(
    'base64',
  );
}

function open(text: string, bound: string): unknown {
  const whole = Buffer.from(text, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, whole.subarray(0, 12))
    .setAAD(Buffer.from(bound))
    .setAuthTag(whole.subarray(-16));
  return JSON.parse(Buffer.concat([decipher.update(whole.subarray(12, -16)), decipher.final()]).toString());
}

function post(body: unknown, path = '/v2/api/events') {
  return fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

const events = (name: string) => JSON.stringify({ events: [{ name: 'screen_viewed', properties: { screen: name } }] });
const call = 'request POST /v2/api/events';
const answered = 'answer POST /v2/api/events';

async function marks(): Promise<unknown[]> {
  const rows = await db.select({ properties: analyticsEvents.properties }).from(analyticsEvents);
  return rows.map(({ properties }) => (properties as { screen?: string }).screen);
}

test('v2 answers are encrypted text marked as HTML; v1 answers are plain', async () => {
  const response = await fetch(`${url}/v2/api/voices/maren-holt`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('etag')).toBeNull();
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const text = await response.text();
  expect(text).not.toContain('Maren');
  const plain = await (await fetch(`${url}/v1/api/voices/maren-holt`)).json();
  expect(open(text, 'answer GET /v2/api/voices/maren-holt')).toEqual(plain);
  expect(plain).toMatchObject({ name: 'Maren Holt' });
});

test('the same answer never looks the same twice, cached or not', async () => {
  const texts = await Promise.all(
    Array.from({ length: 20 }, async () => (await fetch(`${url}/v2/api/categories`)).text()),
  );
  expect(new Set(texts.map((text) => text.slice(0, 16))).size).toBe(20);
  for (const text of texts) expect(open(text, 'answer GET /v2/api/categories')).toEqual({ items: [] });
});

test('an answer does not decrypt as the answer to another call', async () => {
  const text = await (await fetch(`${url}/v2/api/categories`)).text();
  expect(() => open(text, 'answer GET /v2/api/voices')).toThrow(/authenticate/);
});

test.each([
  ['GET', '/v2/api/audios/nope', 404, 'request/not-found'],
  ['GET', '/v2/api/nothing', 404, 'request/not-found'],
  ['GET', '/v2/api/audios?limit=0', 400, 'request/invalid'],
  ['POST', '/v2/api/audios', 405, 'request/method-not-allowed'],
])('%s %s answers its error encrypted, with the status kept', async (method, path, status, code) => {
  const response = await fetch(url + path, { method });
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toMatch(/^text\/html/);
  expect(open(await response.text(), `answer ${method} ${path.split('?')[0]}`)).toMatchObject({ error: { code } });
});

test('the description and the reference page stay plain', slow, async () => {
  const description = await fetch(`${url}/v2/api/openapi.json`);
  expect(description.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await description.json()).toHaveProperty('paths');
  expect(await (await fetch(`${url}/v2/api/reference`)).text()).toMatch(/^<!doctype html>/i);
});

test('HEAD has the headers of GET and no body', async () => {
  const response = await fetch(`${url}/v2/api/categories`, { method: 'HEAD' });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('etag')).toBeNull();
  expect(await response.text()).toBe('');
});

test('304 has no body and no entity tag', async () => {
  const etag = (await fetch(`${url}/v1/api/categories`)).headers.get('etag') ?? '';
  await fetch(`${url}/v2/api/categories`);
  const response = await fetch(`${url}/v2/api/categories`, { headers: { 'if-none-match': etag } });
  expect(response.status).toBe(304);
  expect(response.headers.get('etag')).toBeNull();
});

test('a body under rpc is accepted as its JSON', async () => {
  const response = await post({ rpc: seal(events('sealed'), call) });
  expect(response.status).toBe(202);
  expect(open(await response.text(), answered)).toEqual({ recorded: 1 });
  expect(await marks()).toContain('sealed');
});

test('a plain body is still accepted', async () => {
  const response = await post(events('plain'));
  expect(response.status).toBe(202);
  expect(await marks()).toContain('plain');
  // The word alone does not make an encrypted body.
  expect((await post({ events: [{ name: 'screen_viewed', properties: { screen: '"rpc"' } }] })).status).toBe(202);
});

const sealed = Buffer.from(seal(events('bad'), call), 'base64');
const flipped = (at: number) => {
  const copy = Buffer.from(sealed);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy.toString('base64');
};

test.each<[string, unknown]>([
  ['a changed nonce', { rpc: flipped(0) }],
  ['a changed text', { rpc: flipped(20) }],
  ['a changed tag', { rpc: flipped(sealed.length - 1) }],
  ['a text cut short', { rpc: sealed.subarray(0, -1).toString('base64') }],
  ['less than a nonce and a tag', { rpc: sealed.subarray(0, 27).toString('base64') }],
  ['nothing', { rpc: '' }],
  ['what is not base64', { rpc: `${sealed.toString('base64').slice(0, -4)}!!!!` }],
  ['base64 with a space in it', { rpc: sealed.toString('base64').replace(/^.{4}/, '$& ') }],
  ['a number', { rpc: 5 }],
  ['null', { rpc: null }],
  ['something beside it', { rpc: sealed.toString('base64'), events: [{ name: 'play_click' }] }],
  ['no JSON inside', { rpc: seal('events', call) }],
  ['no UTF-8 inside', { rpc: seal(Buffer.from([0x22, 0xff, 0x22]), call) }],
  ['another key', { rpc: seal(events('bad'), call, Buffer.alloc(32, 8)) }],
  ['another path', { rpc: seal(events('bad'), 'request POST /v2/api/audios') }],
  ['another method', { rpc: seal(events('bad'), 'request PUT /v2/api/events') }],
  ['an answer sent back', { rpc: seal(events('bad'), answered) }],
  ['nothing bound', { rpc: seal(events('bad'), '') }],
])('%s under rpc is refused, and nothing is done', async (_, body) => {
  const response = await post(body);
  expect(response.status).toBe(400);
  expect(open(await response.text(), answered)).toMatchObject({ error: { code: 'request/invalid' } });
  expect(await marks()).not.toContain('bad');
});

test('the body limit applies to the plain text, not to the encrypted size', async () => {
  const filled = (bytes: number) => {
    const body = events('long');
    return body + ' '.repeat(bytes - body.length);
  };
  expect((await post({ rpc: seal(filled(64 * 1024), call) })).status).toBe(202);
  // Oversized events count as an invalid report.
  expect((await post({ rpc: seal(filled(64 * 1024 + 1), call) })).status).toBe(400);
  expect(await postAlone((sent) => sent.end(JSON.stringify({ rpc: 'A'.repeat(1024 * 1024) })))).toBe(413);
});

test('large bodies pass where a call accepts them, such as a look with its pictures', async () => {
  const path = '/v2/api/admin/look/import';
  const large = seal(JSON.stringify('x'.repeat(2 * 1024 * 1024)), `request POST ${path}`);
  const answer = await post({ rpc: large }, path);
  // Not 413: it was read, and the visitor may not import.
  expect(answer.status).toBe(401);
});

/** Uses its own connection, since the site closes one with an unread body. @returns the status */
function postAlone(write: (sent: ClientRequest) => void): Promise<number | undefined> {
  const headers = { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/v2/api/events`, { method: 'POST', headers, agent: false }, (answer) => {
      resolve(answer.statusCode);
      answer.destroy();
    });
    sent.on('error', reject);
    write(sent);
  });
}

test('a sealed body in chunks is accepted', async () => {
  const body = JSON.stringify({ rpc: seal(events('chunked'), call) });
  const status = await postAlone((sent) => {
    sent.write(body.slice(0, 50));
    sent.end(body.slice(50));
  });
  expect(status).toBe(202);
  expect(await marks()).toContain('chunked');
});

test('an endless body in chunks is cut off', async () => {
  const status = await postAlone((sent) => {
    sent.write('{"rpc":"');
    const more = () => {
      if (!sent.destroyed) sent.write('A'.repeat(64 * 1024), () => setImmediate(more));
    };
    more();
  });
  expect(status).toBe(413);
});

test('v1 does not support rpc', async () => {
  const response = await post({ rpc: seal(events('v1'), 'request POST /v1/api/events') }, '/v1/api/events');
  expect(response.status).toBe(400);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
});

test('cookies are preserved, and non-JSON passes unchanged', async () => {
  const { encryptResponses } = openTransport(key.toString('base64'));
  const app = new Hono();
  app.use(encryptResponses);
  app.get('/cookies', (context) => {
    setCookie(context, 'a', '1');
    setCookie(context, 'b', '2');
    return context.json({ ok: true });
  });
  app.get('/file', () => new Response('PK', { headers: { 'content-type': 'application/zip', etag: '"1"' } }));
  app.get('/empty', () => new Response(null, { status: 204 }));
  const cookies = await app.request('/cookies');
  expect(cookies.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2; Path=/']);
  expect(open(await cookies.text(), 'answer GET /cookies')).toEqual({ ok: true });
  const file = await app.request('/file');
  expect([file.headers.get('etag'), await file.text()]).toEqual(['"1"', 'PK']);
  const empty = await app.request('/empty');
  expect([empty.status, empty.headers.get('content-type'), await empty.text()]).toEqual([204, null, '']);
});
