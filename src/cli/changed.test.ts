import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readOwnPayee, sealPayee } from '#domain/studio/payees/sealed-payees.ts';
import { payees } from '#domain/studio/payees/tables.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser } from '#test/support/factories.ts';
import { runSotto } from '#test/support/processes/command-line.ts';

const { db, url } = await createTestDatabase();

test('after a change of the secret, bank and tax data are encrypted anew where the former one is given along', async () => {
  const [former, secret] = ['f'.repeat(40), 's'.repeat(40)];
  const { id } = await createUser(db);
  const payee = {
    kind: 'person',
    name: 'Maren Holt',
    address: 'Lindenstraße 14',
    country: 'DE',
    vatId: '',
    taxNumber: '',
    taxForm: '',
    account: { account: 'Bank of Oslo' },
  } as const;
  await db.insert(payees).values({ userId: id, sealed: sealPayee(former, id, payee) });
  const file = join(await mkdtemp(join(tmpdir(), 'sotto-former-')), 'former');
  await writeFile(file, `${former}\n`);
  const changed = (...args: string[]) =>
    runSotto(['changed', ...args], { environment: { DATABASE_URL: url, SECRET: secret } });
  expect(await changed('storage', '--former', file)).toMatchObject({ code: 2 });
  expect(await readOwnPayee(db, secret, id)).toBeUndefined();
  const ran = await changed('secret', '--former', file);
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('Encrypted anew: 1') });
  expect(ran.stdout).not.toContain('Maren');
  expect(await readOwnPayee(db, secret, id)).toEqual(payee);
});
