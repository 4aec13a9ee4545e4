import { afterAll, beforeEach, expect, test } from 'vitest';
import { withinTransaction } from '#domain/kernel/open-transaction.ts';
import { startOpenIdChecks } from '#test/support/servers/openid-checks.ts';
import { shortenCallLimits } from '#test/support/servers/silent-peer.ts';
import { openOpenIdProvider } from './openid-provider.ts';

const server = await startOpenIdChecks();
afterAll(server.close);
beforeEach(() => Object.assign(server.state, { claims: { age_over_18: true }, userInfo: {}, isSilent: false }));

const open = (issuer = server.issuer) =>
  openOpenIdProvider({ issuer, clientId: 'sotto', clientSecret: 'a secret', scope: 'openid' });
const visit = {
  returnTo: 'https://sotto.example/age/return',
  state: 'state-1',
  nonce: 'nonce-1',
  codeVerifier: 'v'.repeat(43),
};
const claim = ['age_over_18'];

async function come(provider = open(), asked = visit) {
  const page = await provider.begin(asked);
  if (page === undefined) throw new Error('There is no page');
  return server.allow(page);
}

test('the named claim is read, and nothing else', async () => {
  const provider = open();
  const back = await come(provider);
  expect(back.href).toMatch(/^https:\/\/sotto\.example\/age\/return\?/);
  // Behind a proxy, the site sees itself at another address.
  const seen = new URL(`http://127.0.0.1:3000/age/return${back.search}`);
  expect(await provider.finish(seen, visit, claim)).toEqual({ ok: true, claims: { age_over_18: true } });
});

test('a claim keeps its type, and is asked for where the answer lacks it', async () => {
  const provider = open();
  server.state.claims = { age_over_18: 'true' };
  expect(await provider.finish(await come(provider), visit, claim)).toMatchObject({ claims: { age_over_18: 'true' } });
  Object.assign(server.state, { claims: {}, userInfo: { age_over_18: true } });
  expect(await provider.finish(await come(provider), visit, claim)).toEqual({
    ok: true,
    claims: { age_over_18: true },
  });
  server.state.userInfo = {};
  expect(await provider.finish(await come(provider), visit, claim)).toEqual({
    ok: true,
    claims: { age_over_18: undefined },
  });
});

test.each([
  ['another state', { state: 'state-2' }],
  ['another nonce', { nonce: 'nonce-2' }],
  ['another code verifier', { codeVerifier: 'w'.repeat(43) }],
])('an answer with %s is refused', async (_name, other) => {
  const provider = open();
  const back = await come(provider);
  expect(await provider.finish(back, { ...visit, ...other }, claim)).toMatchObject({ ok: false });
});

test('an answer that has run out or is of another issuer is refused', async () => {
  const provider = open();
  for (const claims of [{ exp: 1000 }, { iss: 'https://other.example' }, { aud: 'another site' }]) {
    server.state.claims = { age_over_18: true, ...claims };
    expect(await provider.finish(await come(provider), visit, claim)).toEqual({ ok: false, reason: 'invalid' });
  }
});

test('a refusal of the person is one, and everything else that comes back is not an answer', async () => {
  const provider = open();
  const back = (query: string) => new URL(`https://sotto.example/age/return${query}`);
  const finish = (query: string) => provider.finish(back(query), visit, claim);
  expect(await finish('?error=access_denied&state=state-1')).toEqual({ ok: false, reason: 'denied' });
  for (const query of ['', '?code=x', '?code=x&state=state-2', '?error=access_denied&state=other', '?state=state-1'])
    expect([query, await finish(query)]).toEqual([query, { ok: false, reason: 'invalid' }]);
});

test('a provider that is away or silent is named so, and asked again', async () => {
  expect(await open('http://127.0.0.1:1').begin(visit)).toBeUndefined();
  // Another machine needs TLS.
  expect(await open('http://sotto.example').begin(visit)).toBeUndefined();
  const provider = open();
  const back = await come(provider);
  const restore = shortenCallLimits(50);
  try {
    server.state.isSilent = true;
    expect(await provider.finish(back, visit, claim)).toEqual({ ok: false, reason: 'unavailable' });
  } finally {
    restore();
  }
});

test('a provider is not asked within a transaction', async () => {
  await expect(withinTransaction(() => open().begin(visit))).rejects.toThrow('within a database transaction');
});
