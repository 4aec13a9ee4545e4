import { type Socket, connect } from 'node:net';
import sharp from 'sharp';
import { afterAll, expect, test, vi } from 'vitest';
import { writeCustomer } from '#domain/membership/customers.ts';
import { createAudio } from '#test/support/factories.ts';
import { registerUser } from '#test/support/identity.ts';
import { type StripeHarness, stripeHarness } from '#test/support/payments/payment-harness.ts';
import { openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { startTestSite } from '#test/support/site.ts';
import { slow } from '#test/support/tags.ts';

/** Attacks by one client, and the delay that they cause for another one. */

const plain = openPlainPayments();
let harness: StripeHarness | undefined;
const transportKey = Buffer.alloc(32, 7).toString('base64');
const { url, port, site, identity, db, blobs, errors } = await startTestSite(
  { TRANSPORT_KEY: transportKey, CLIENT_CONNECTIONS: '150' },
  {
    async openPayments(database) {
      harness = await stripeHarness(database.url);
      afterAll(() => harness?.sandbox.close());
      return plain.provider;
    },
    paymentPage() {
      if (harness === undefined) throw new Error('The sandbox is not open');
      const { publishableKey, browserScript, browser } = harness.sandbox;
      return {
        browser: { form: 'card', provider: 'stripe', publishableKey, scriptSrc: browserScript.src, isSandbox: true },
        testCards: [],
        routes: browser,
      };
    },
  },
);
const member = await registerUser(site, identity);
const audio = await createAudio(db, { isFree: true });

const table: { attack: string; answers: string; 'longest wait of another (ms)': number }[] = [];
afterAll(() => {
  const lines = table.map((row) => `  ${row['longest wait of another (ms)']} ms  ${row.attack}: ${row.answers}`);
  process.stdout.write(`Longest wait of an innocent client:\n${lines.join('\n')}\n`);
});

/** Milliseconds: far above what a busy machine needs, and far below the delay of each known fault. */
const maxMs = 2500;

type Answer = number | 'closed';

/** Another client's call, which takes a place and queries the database. */
async function innocentCall(): Promise<void> {
  const answer = await fetch(`${url}/v1/api/user/me`, { headers: { authorization: `Bearer ${member.token}` } });
  expect(answer.status).toBe(200);
}

/** Repeats the call from the attack's beginning to its end. @returns the longest wait, in milliseconds */
async function meanwhile<Result>(attack: Promise<Result>, ask = innocentCall): Promise<[Result, number]> {
  let isOver = false;
  let longest = 0;
  const over = attack.finally(() => {
    isOver = true;
  });
  do {
    const start = performance.now();
    await ask();
    longest = Math.max(longest, performance.now() - start);
  } while (!isOver);
  return [await over, longest];
}

function note(attack: string, answers: Answer[], longest: number): void {
  const counts = [...new Set(answers)].map((answer) => `${answers.filter((one) => one === answer).length} × ${answer}`);
  table.push({ attack, answers: counts.join(', '), 'longest wait of another (ms)': Math.round(longest) });
}

const open: Socket[] = [];
afterAll(() => open.forEach((socket) => socket.destroy()));

function send(head: string): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(head);
  open.push(socket);
  return socket;
}

const json = { 'content-type': 'application/json' };
const withToken = { ...json, authorization: `Bearer ${member.token}` };

async function statusOf(path: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(url + path, init).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.status ?? 'closed';
}

test.each([
  ['a length and no body', 'POST /v1/api/auth/login', 'Content-Length: 9\r\n', 50],
  ['chunks that never come', 'POST /v1/api/auth/register', 'Transfer-Encoding: chunked\r\n', 50],
  ['no encrypted body', 'POST /v2/api/auth/login', 'Content-Length: 9\r\n', 50],
  ['no body for a payment', 'POST /v1/api/gift-cards', 'Content-Length: 9\r\n', 60],
])('%s: sockets that send it hold no place', async (attack, request, length, count) => {
  const paying = request.includes('gift-cards');
  const head = `${request} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${length}\r\n`;
  const sockets = Array.from({ length: count }, () => send(head));
  await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.once('connect', resolve))));
  const ask = paying
    ? async () => expect(await statusOf('/v1/api/user/gift-cards', { headers: withToken })).toBe(200)
    : innocentCall;
  const [, longest] = await meanwhile(ask(), ask);
  expect(longest).toBeLessThan(maxMs);
  note(
    `${count} sockets with ${attack}`,
    sockets.map(() => 'closed'),
    longest,
  );
  await Promise.all(
    sockets.map((socket) => new Promise<void>((resolve) => void socket.once('close', resolve).destroy())),
  );
});

test('a body that never comes is answered 408 after its time: a chunked one too, a picture later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const cover = 'PUT /v1/api/studio/audios/00000000-0000-7000-8000-000000000000/cover';
  try {
    for (const [request, length, min] of [
      ['POST /v1/api/auth/login', 'Content-Length: 9', 10],
      ['POST /v1/api/auth/login', 'Transfer-Encoding: chunked', 10],
      [cover, 'Content-Length: 2500000', 50],
    ] as const) {
      const head = `${request} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;
      const socket = send(head);
      const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
      let isAnswered = false;
      void answer.then(() => (isAnswered = true));
      let seconds = 0;
      while (!isAnswered) {
        await vi.advanceTimersByTimeAsync(1000);
        // The request and its answer go over a real socket.
        await new Promise((resolve) => setImmediate(resolve));
        seconds += 1;
      }
      expect(seconds).toBeGreaterThanOrEqual(min);
      expect(await answer).toMatch(/^HTTP\/1\.1 408 [^]*connection: close[^]*request\/timeout/i);
    }
  } finally {
    vi.useRealTimers();
  }
});

test('one client holds no more connections than it may, and others are let in', async () => {
  const sockets = Array.from({ length: 200 }, () => send(''));
  const closed = () => sockets.filter((socket) => socket.destroyed || socket.readableEnded).length;
  await vi.waitUntil(() => closed() >= 50);
  expect(sockets.length - closed()).toBeLessThanOrEqual(150);
  await Promise.all(
    sockets.map((socket) =>
      socket.destroyed ? undefined : new Promise<void>((resolve) => void socket.once('close', resolve).destroy()),
    ),
  );
  await vi.waitFor(innocentCall);
});

test('a list of 50,000 empty values at the payment sandbox is refused at once', async () => {
  const headers = {
    authorization: `Bearer ${harness?.sandbox.publishableKey}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const body = 'a[]=&'.repeat(50_000);
  const attack = Promise.all([
    ...[1, 2, 3, 4].map(() => statusOf('/stripe-sandbox/v1/payment_methods', { method: 'POST', headers, body })),
    statusOf('/stripe-sandbox/v1/payment_methods', { method: 'POST', headers, body: body.slice(0, 16_000) }),
  ]);
  const [answers, longest] = await meanwhile(attack);
  expect(answers).toEqual([413, 413, 413, 413, 400]);
  expect(longest).toBeLessThan(maxMs);
  note('lists of 50,000 values', answers, longest);
});

test('comments of spaces take no time of others', async () => {
  const body = JSON.stringify({ text: `a${' '.repeat(19_998)}b` });
  const path = `/v1/api/audios/${audio.id}/comments`;
  const attack = Promise.all(
    Array.from({ length: 10 }, () => statusOf(path, { method: 'POST', headers: withToken, body })),
  );
  const [answers, longest] = await meanwhile(attack);
  expect(new Set(answers)).toEqual(new Set([400]));
  expect(longest).toBeLessThan(maxMs);
  note('ten comments of 20,000 spaces', answers, longest);
});

test('pictures without waiting requests are not encoded, and others get theirs', async () => {
  const noise = { create: { width: 1600, height: 1200, channels: 3 as const, background: '#b05040' } };
  await blobs.write('images/abuse.webp', await sharp(noise).webp().toBuffer());
  const widths = [48, 64, 96, 128, 192, 256, 320, 384, 512, 640, 768, 1024];
  const heads = widths.flatMap((width) =>
    [40, 60, 80, 95].flatMap((quality) =>
      [1, 2].map((ratio) => {
        const query = `width=${width}&height=${width * ratio}&quality=${quality}&format=avif`;
        return `GET /images/abuse.webp?${query} HTTP/1.1\r\nHost: a\r\n\r\n`;
      }),
    ),
  );
  const sockets = heads.map(send);
  await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.once('connect', resolve))));
  await innocentCall();
  await Promise.all(
    sockets.map((socket) => new Promise<void>((resolve) => void socket.once('close', resolve).destroy())),
  );
  const start = performance.now();
  expect(await statusOf('/images/abuse.webp?width=128&format=webp')).toBe(200);
  const longest = performance.now() - start;
  expect(longest).toBeLessThan(maxMs);
  note(
    `${heads.length} pictures that were not waited for`,
    heads.map(() => 'closed'),
    longest,
  );
});

test('questions to a payment provider that hangs take no place of other payers, and are few', slow, async () => {
  await writeCustomer(db, member.id, 'customer of nobody');
  const other = await registerUser(site, identity);
  const hanging = Promise.withResolvers<void>();
  plain.waitFor = hanging.promise;
  const asked = plain.calls.length;
  const refresh = () => statusOf('/v1/api/user/subscription/refresh', { method: 'POST', headers: withToken });
  const attack = Promise.all(Array.from({ length: 80 }, refresh));
  await vi.waitUntil(() => plain.calls.length > asked);
  const [, longest] = await meanwhile(innocentCall(), async () => {
    const headers = { authorization: `Bearer ${other.token}` };
    expect(await statusOf('/v1/api/user/gift-cards', { headers })).toBe(200);
  });
  expect(longest).toBeLessThan(maxMs);
  expect(plain.calls.length - asked).toBe(1);
  hanging.resolve();
  plain.waitFor = undefined;
  const answers = await attack;
  expect(answers.filter((answer) => answer === 200).length).toBe(60);
  expect(answers.filter((answer) => answer === 429).length).toBe(20);
  // One in progress, and one for all that arrived meanwhile; each response reads the rest of the page too.
  expect(plain.calls.slice(asked).filter((call) => call === 'readCustomer').length).toBeLessThanOrEqual(4);
  note('80 questions to a provider that hangs', answers, longest);
});

test('an account that is deleted beside its own comments', slow, async () => {
  for (let round = 0; round < 3; round += 1) {
    const user = await registerUser(site, identity);
    const headers = { ...json, authorization: `Bearer ${user.token}` };
    const write = (text: string) =>
      statusOf(`/v1/api/audios/${audio.id}/comments`, { method: 'POST', headers, body: JSON.stringify({ text }) });
    await write('First.');
    const body = JSON.stringify({ password: user.password });
    const attack = Promise.all([
      statusOf('/v1/api/user', { method: 'DELETE', headers, body }),
      ...Array.from({ length: 8 }, (_, index) => write(`Comment ${index}`)),
    ]);
    const [answers, longest] = await meanwhile(attack);
    expect(answers.filter((answer) => answer === 'closed' || answer >= 500)).toEqual([]);
    note('a deletion beside eight comments', answers, longest);
  }
});

test('signatures and addresses that cannot be read are the asker’s mistakes', async () => {
  const answers = await Promise.all([
    ...['t=1,v1=', 't=,v1=', ',', 'v1=x'].map((signature) =>
      statusOf('/webhooks/payments', {
        method: 'POST',
        headers: { ...json, 'stripe-signature': signature },
        body: '{}',
      }),
    ),
    ...['/%', '/audio/%E0%A4%A', '/%E2%80%A8', '/images/%', '/v1/api/audios/%', '/media/audios/%E0'].map((path) =>
      statusOf(path),
    ),
  ]);
  expect(answers).toEqual([...Array<number>(4).fill(400), ...Array<number>(6).fill(404)]);
});

test('none of it was a failure of the site', () => {
  expect(errors).toEqual([]);
});
