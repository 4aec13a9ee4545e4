import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { parseConfig } from '#config';
import { createTestDatabase } from '#test/support/database.ts';
import { openIdentityProvider } from './open-identity-provider.ts';

const { db, pool } = await createTestDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'sotto-identity-'));
const identity = await openIdentityProvider({
  config: parseConfig({ DATA_DIR: dataDir }),
  db,
  log: pino({ level: 'silent' }),
  siteName: () => 'Sotto',
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function accountWithNewEmail(newEmail: string): Promise<void> {
  const email = `user-${crypto.randomUUID()}@sotto.test`;
  const made = await identity.provider.createAccount({ email, password: 'open sesame' });
  if (!made.ok) throw new Error(made.reason);
  await identity.provider.requestEmailChange({ subject: made.subject, email }, { password: 'open sesame', newEmail });
}

test('the browser knows whether others can open the site', async () => {
  const config = parseConfig({ DATA_DIR: dataDir, SITE_URL: 'https://sotto.example' });
  const elsewhere = await openIdentityProvider({ config, db, log: pino({ level: 'silent' }), siteName: () => 'Sotto' });
  expect([identity.browser.isLocal, elsewhere.browser.isLocal]).toEqual([true, false]);
  await elsewhere.close();
});

test('the site can have links forgotten that ran out: they hold addresses', async () => {
  await accountWithNewEmail('new@sotto.test');
  const links = async () => (await pool.query('select from provider_verifications')).rowCount;
  await expect.poll(links).toBe(1);
  await identity.purgeExpired();
  expect(await links()).toBe(1);
  await pool.query(`update provider_verifications set expires_at = now() - interval '1 second'`);
  await identity.purgeExpired();
  expect(await links()).toBe(0);
});

test('a mail that is only being prepared when the site stops is in the outbox afterwards', async () => {
  await accountWithNewEmail('late@sotto.test');
  await identity.close();
  expect((await identity.mail.list()).map(({ to }) => to)).toContain('late@sotto.test');
});
