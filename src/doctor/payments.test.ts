import { createTestStandIns } from 'payment-stand-ins/testing';
import { beforeEach, expect, test } from 'vitest';
import { type Config, parseConfig } from '#config';
import type { HostedProvider } from '#domain/membership/hosted/hosted-provider.ts';
import type { PaymentProvider } from '#domain/membership/payment-provider.ts';
import { openBtcpay } from '#gateways/btcpay/btcpay.ts';
import { openCcbill } from '#gateways/ccbill/ccbill.ts';
import { openVerotel } from '#gateways/verotel/verotel.ts';
import { openStripePayments } from '#gateways/stripe/stripe-payments.ts';
import { openStandIn } from '#start/open-hosted-payments.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { reportInto } from '#test/support/findings.ts';
import { openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { checkPayments } from './payments.ts';

const { url } = await createTestDatabase();
const { standIns } = await createTestStandIns({ databaseUrl: url, now: () => new Date() });
const { credentials, publicUrl, url: askUrl } = standIns;
const names = ['verotel', 'ccbill', 'btcpay'] as const;

let findings: string[];
beforeEach(() => (findings = []));

const publicly: Config = parseConfig({ SITE_URL: 'https://sotto.example' });
const check = (hosted: HostedProvider[], config = publicly, stripe?: PaymentProvider) =>
  checkPayments(config, (...finding) => reportInto(findings)(...finding), { hosted, stripe });

test('each provider with keys answers, and its address for messages is said', async () => {
  await check(names.map((name) => openStandIn(standIns, name)));
  expect(findings.toSorted()).toEqual([
    'ok BTCPay Server it answers; it has to tell what happened at https://sotto.example/webhooks/payments/btcpay, which is entered there',
    'ok CCBill it answers; it has to tell what happened at https://sotto.example/webhooks/payments/ccbill, which is entered there',
    'ok Verotel it answers; it has to tell what happened at https://sotto.example/webhooks/payments/verotel, which is entered there',
  ]);
});

const secrets = {
  verotel: 'another signature key',
  ccbill: 'another password',
  btcpay: 'another api key',
};
const withWrongKeys = {
  verotel: openVerotel({ ...credentials.verotel, signatureKey: secrets.verotel, baseUrl: publicUrl, askUrl }),
  ccbill: openCcbill({ ...credentials.ccbill, dataLinkPassword: secrets.ccbill, dataLinkUrl: askUrl }),
  btcpay: openBtcpay({ ...credentials.btcpay, apiKey: secrets.btcpay, baseUrl: askUrl }),
};

test.each(names)('%s with a wrong key fails, and no key is said', async (name) => {
  await check([withWrongKeys[name]]);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatch(/^FAIL .*it does not answer with the keys of the settings \(.+\)/);
  expect(findings[0]).not.toContain(secrets[name]);
  expect(findings[0]).not.toMatch(/signature=|token |password/i);
});

test('a store that the server does not have fails', async () => {
  await check([openBtcpay({ ...credentials.btcpay, storeId: 'AnotherStore1', baseUrl: askUrl })]);
  expect(findings).toEqual([
    'FAIL BTCPay Server it does not answer with the keys of the settings (BTCPay Server: there is no such store)',
  ]);
});

test('one that is off fails, and the others are checked', async () => {
  await standIns.setDisorder({ off: ['ccbill'] });
  try {
    await check(names.map((name) => openStandIn(standIns, name)));
  } finally {
    await standIns.setDisorder({ off: [] });
  }
  expect(findings.filter((one) => one.startsWith('FAIL'))).toEqual([
    'FAIL CCBill it does not answer with the keys of the settings (CCBill: status 503)',
  ]);
  expect(findings).toHaveLength(3);
});

test('a site on loopback cannot be told anything', async () => {
  await check([openStandIn(standIns, 'verotel')], parseConfig({}));
  expect(findings).toEqual([
    'warn Verotel it answers, and cannot tell this site what happened: SITE_URL is an address of this machine',
  ]);
});

test('Stripe answers with its key, or not; without a provider nothing is said', async () => {
  const plain = openPlainPayments();
  await check([], publicly, plain.provider);
  expect(findings.splice(0)).toEqual([
    'ok Stripe it answers; it has to tell what happened at https://sotto.example/webhooks/payments, which is entered there',
  ]);
  const connection = { protocol: 'http' as const, host: '127.0.0.1', port: 9 };
  await check(
    [],
    publicly,
    openStripePayments({ apiKey: 'sk_test_secret', webhookSecret: 'w', siteName: () => '', connection }),
  );
  expect(findings[0]).toMatch(/^FAIL Stripe it does not answer/);
  expect(findings.splice(0).join(' ')).not.toContain('sk_test_secret');
  await check([]);
  expect(findings).toEqual([]);
});
