import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { createTestStandIns, press, visit } from '../test/test-stand-ins.ts';
import { digestOfForm } from './ccbill/digest.ts';
import { refuseLiveCredentials } from './live-credentials.ts';
import { noDisorder } from './postbacks/disorder.ts';
import { signPostback } from './verotel/signature.ts';

const { standIns, received, answers, clock, logged } = await createTestStandIns();
const { shopId, signatureKey } = standIns.credentials.verotel;

beforeEach(async () => {
  received.length = 0;
  answers.length = 0;
  logged.length = 0;
  await standIns.setDisorder(noDisorder);
});

let orders = 0;
function orderAt(url: string, more: Record<string, string> = {}): { url: string; reference: string } {
  orders += 1;
  const reference = `order-${orders}`;
  const parameters = {
    version: '4',
    shopID: shopId,
    type: 'subscription',
    subscriptionType: 'recurring',
    period: 'P1M',
    priceAmount: '7.99',
    priceCurrency: 'EUR',
    name: 'Sotto',
    referenceID: reference,
    successURL: 'https://sotto.example/return',
    declineURL: 'https://sotto.example/back',
    ...more,
  };
  const query = new URLSearchParams({ ...parameters, signature: signPostback(signatureKey, parameters) });
  return { url: `${url}/startorder?${query.toString()}`, reference };
}

async function buy(): Promise<string> {
  const { url, reference } = orderAt(standIns.url);
  await press(url, 'Pay');
  return (await standIns.sales.find('verotel', reference))?.id ?? '';
}

const eventsOf = () => received.splice(0).map(({ query }) => new URLSearchParams(query).get('event'));
const isSigned = (query: string) => {
  const { signature, ...parameters } = Object.fromEntries(new URLSearchParams(query));
  return signature === signPostback(signatureKey, parameters);
};

test('the public vectors of Verotel and CCBill', () => {
  expect(signPostback('aaB', { shopID: '123', saleID: '345' })).toBe(
    'acb4dd91827bc79999a04ac2082d0e43bb018a9ce563dfd3e863fbae32e5f381',
  );
  const form = { initialPrice: '10.00', initialPeriod: '30', currencyCode: '840' };
  const renewed = { ...form, recurringPrice: '10.00', recurringPeriod: '30', numRebills: '99' };
  expect(digestOfForm(form, '7d901dad245fd0ff6bc20d06')).toBe('a7459445d0e5dc0963fe736dc5cf900b');
  expect(digestOfForm(renewed, '7d901dad245fd0ff6bc20d06')).toBe('48f0b12e4307e64edb781c479665c899');
});

test('its credentials are no live ones', () => {
  const { ccbill, btcpay } = standIns.credentials;
  const secrets = [signatureKey, ccbill.salt, ccbill.dataLinkUser, ccbill.dataLinkPassword, ...Object.values(btcpay)];
  expect(() => refuseLiveCredentials(...secrets)).not.toThrow();
  expect(new Set(secrets).size).toBe(secrets.length);
});

describe('postbacks', () => {
  test('come again after 10 s, 1 min and 10 min, until the answer is OK', async () => {
    answers.push({ status: 500, body: '' }, { status: 200, body: 'Thanks' }, { status: 404, body: 'OK' });
    const before = clock.now().getTime();
    await buy();
    const arrivals = [0];
    expect(received).toHaveLength(1);
    for (let second = 0; second < 800; second += 5) {
      clock.pass(5000);
      await standIns.tick();
      if (received.length > arrivals.length) arrivals.push((clock.now().getTime() - before) / 1000);
    }
    expect(arrivals).toEqual([0, 10, 70, 670]);
    expect(new Set(received.map(({ query }) => query)).size).toBe(1);
    expect(logged).toHaveLength(3);
    expect(logged.join()).not.toContain(signatureKey);
  });

  test('are given up in the end', async () => {
    answers.push(...Array.from({ length: 20 }, () => ({ status: 503, body: '' })));
    await buy();
    for (let round = 0; round < 20; round += 1) {
      clock.pass(600_000);
      await standIns.tick();
    }
    expect(received).toHaveLength(9);
  });

  test('come twice', async () => {
    await standIns.setDisorder({ duplicates: true });
    await buy();
    expect(eventsOf()).toEqual(['initial', 'initial']);
  });

  test('come in reverse at the next tick', async () => {
    await standIns.setDisorder({ reversed: true });
    const id = await buy();
    await standIns.sales.advance(id, { days: 31 });
    await standIns.sales.cancel(id);
    expect(received).toEqual([]);
    await standIns.tick();
    expect(eventsOf()).toEqual(['cancel', 'rebill', 'initial']);
  });

  test('come an hour late', async () => {
    await standIns.setDisorder({ lateMs: 3_600_000 });
    await buy();
    clock.pass(3_599_000);
    await standIns.tick();
    expect(received).toEqual([]);
    clock.pass(1000);
    await standIns.tick();
    expect(eventsOf()).toEqual(['initial']);
  });

  test('one is lost for ever', async () => {
    await standIns.setDisorder({ lose: 1 });
    const id = await buy();
    await standIns.sales.advance(id, { days: 31 });
    clock.pass(86_400_000);
    await standIns.tick();
    expect(eventsOf()).toEqual(['rebill']);
  });

  test('have a wrong signature at first', async () => {
    await standIns.setDisorder({ wrongSignature: true });
    answers.push({ status: 400, body: '' });
    await buy();
    clock.pass(10_000);
    await standIns.tick();
    expect(received.map(({ query }) => isSigned(query))).toEqual([false, true]);
  });

  test('come after the buyer is back', async () => {
    await standIns.setDisorder({ returnFirst: true });
    await buy();
    expect(received).toEqual([]);
    await standIns.tick();
    expect(eventsOf()).toEqual(['initial']);
  });

  test('do not come from a provider that is off, whose pages answer 503', async () => {
    const { url } = orderAt(standIns.url);
    const open = await visit(url);
    const id = await buy();
    received.length = 0;
    await standIns.setDisorder({ off: ['verotel'] });
    const page = /action="([^"]+)"/.exec(open.text)?.[1] ?? '';
    expect((await visit(url)).status).toBe(503);
    // oxlint-disable-next-line no-restricted-globals -- of tests
    expect((await fetch(new URL(page, url), { method: 'POST', redirect: 'manual' })).status).toBe(503);
    clock.pass(32 * 86_400_000);
    await standIns.tick();
    expect(received).toEqual([]);
    expect((await visit(`${standIns.url}/i/x`)).status).toBe(400);
    await standIns.setDisorder({ off: [] });
    await standIns.tick();
    expect(eventsOf()).toContain('rebill');
    expect((await standIns.sales.advance(id, {})).renewals).toBe(1);
  });
});

describe('pages', () => {
  test('are mounted at the site too', async () => {
    const { url } = orderAt('http://site.example/payment-stand-ins');
    const shown = await standIns.browser.request(url);
    const text = await shown.text();
    const action = /action="([^"]+)"><button[^>]*>Pay</.exec(text)?.[1] ?? '';
    expect(action).toMatch(/^\/payment-stand-ins\/stand-in\/[0-9a-f]{32}\/pay$/);
    expect(text).toContain('href="/payment-stand-ins/stand-in/page.css"');
    const paid = await standIns.browser.request(`http://site.example${action}`, { method: 'POST' });
    expect([paid.status, paid.headers.get('location')]).toEqual([303, 'https://sotto.example/return']);
    expect(eventsOf()).toEqual(['initial']);
    const again = await standIns.browser.request(`http://site.example${action}`, { method: 'POST' });
    expect(await again.text()).toContain('This order is active.');
    expect(eventsOf()).toEqual([]);
  });

  test('texts of the site are no HTML', async () => {
    const { url } = orderAt(standIns.url, { name: '<b>"Sotto"</b>' });
    expect((await visit(url)).text).toContain('&#60;b&#62;&#34;Sotto&#34;&#60;/b&#62;');
  });

  test('a signature by SHA-1, or of nothing, is refused', async () => {
    const { url } = orderAt(standIns.url);
    const address = new URL(url);
    const sha1 = createHash('sha1').update('x').digest('hex');
    for (const signature of [sha1, '']) {
      address.searchParams.set('signature', signature);
      expect((await visit(address.href)).status).toBe(400);
    }
  });

  test.each([
    ['priceAmount', '7.9'],
    ['priceAmount', '0.00'],
    ['priceCurrency', 'JPY'],
    ['period', 'P0M'],
    ['type', 'gift'],
    ['subscriptionType', 'always'],
    ['referenceID', ''],
    ['version', '3'],
    ['trialAmount', '1.00'],
  ])('an order with %s %j is refused', async (name, value) => {
    const { url } = orderAt(standIns.url, { [name]: value });
    expect((await visit(url)).status).toBe(400);
  });
});
