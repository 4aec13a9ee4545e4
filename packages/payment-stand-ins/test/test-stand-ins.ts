import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestDatabase } from 'stripe-sandbox/testing/database';
import { afterAll } from 'vitest';
import {
  type PaymentStandIns,
  type PaymentStandInsOptions,
  type Provider,
  openPaymentStandIns,
} from '../src/payment-stand-ins.ts';

export type Received = {
  provider: Provider;
  method: string;
  /** Raw, without the question mark. */
  query: string;
  body: string;
  header: (name: string) => string | undefined;
  address: string | undefined;
};

export type Answer = { status: number; body: string };

export type TestStandIns = {
  standIns: PaymentStandIns;
  databaseUrl: string;
  /** Postbacks in order of arrival, as they came. */
  received: Received[];
  /** The next answers, instead of the usual ones. */
  answers: Answer[];
  logged: string[];
  clock: { now: () => Date; pass(ms: number): void };
  /** Another process with the same database and clock, after this one was closed. */
  reopen(): Promise<PaymentStandIns>;
};

/** 15 January 2027, 12:00 UTC. */
export const start = Date.UTC(2027, 0, 15, 12);

export type TestOptions = Partial<PaymentStandInsOptions> & {
  /** The site's answer to a postback, unless `answers` has one. Default: 200 and `OK` */
  answer?: (postback: Received) => Promise<Answer>;
  /** Gets what closes them; default: the tests of this file. */
  atEnd?: (close: () => Promise<void>) => void;
};

/** Stand-ins with their own database and clock, and a site that receives their postbacks. */
export async function createTestStandIns({
  answer,
  atEnd = afterAll,
  ...options
}: TestOptions = {}): Promise<TestStandIns> {
  const databaseUrl = options.databaseUrl ?? (await createTestDatabase()).url;
  const received: Received[] = [];
  const answers: Answer[] = [];
  const logged: string[] = [];
  const log = (facts: object, message: string) => void logged.push(`${message} ${JSON.stringify(facts)}`);
  let time = start;
  const clock = { now: () => new Date(time), pass: (ms: number) => void (time += ms) };
  const site = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, search } = new URL(request.url ?? '', 'http://site');
    const postback: Received = {
      provider: pathname.split('/').at(-1) as Provider,
      method: request.method ?? '',
      query: search.slice(1),
      body: Buffer.concat(chunks).toString(),
      header: (name) => request.headers[name.toLowerCase()]?.toString(),
      address: request.socket.remoteAddress,
    };
    received.push(postback);
    const { status, body } = answers.shift() ?? (await answer?.(postback)) ?? { status: 200, body: 'OK' };
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => {
    site.listen(0, '127.0.0.1', resolve);
  });
  const siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const open = () =>
    openPaymentStandIns({
      databaseUrl,
      siteUrl,
      log: { info: log, warn: log },
      now: clock.now,
      postbackUrls: {
        verotel: `${siteUrl}/webhooks/verotel`,
        ccbill: `${siteUrl}/webhooks/ccbill`,
        btcpay: `${siteUrl}/webhooks/btcpay`,
      },
      ...options,
    });
  let standIns = await open();
  atEnd(async () => {
    await standIns.close();
    site.closeAllConnections();
    await new Promise((resolve) => {
      site.close(resolve);
    });
  });
  return {
    standIns,
    databaseUrl,
    received,
    answers,
    logged,
    clock,
    async reopen() {
      await standIns.close();
      standIns = await open();
      return standIns;
    },
  };
}

export type Shown = { status: number; text: string; headers: Headers };

/** Opens a page as a browser without scripts does. */
export async function visit(url: string): Promise<Shown> {
  // oxlint-disable-next-line no-restricted-globals -- of tests
  const response = await fetch(url, { redirect: 'manual' });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** Presses the button with this name. @returns the address to which it leads */
export async function press(url: string, button: string): Promise<string> {
  const { text } = await visit(url);
  const action = new RegExp(`action="([^"]+)"><button[^>]*>${button}</button>`).exec(text)?.[1];
  if (action === undefined) throw new Error(`there is no button ${button} on ${url}`);
  // oxlint-disable-next-line no-restricted-globals -- of tests
  const response = await fetch(new URL(action, url), { method: 'POST', redirect: 'manual' });
  return response.headers.get('location') ?? '';
}
