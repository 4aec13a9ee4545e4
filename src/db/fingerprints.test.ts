import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Blobs } from '#domain/gateways.ts';
import { refuseInTransaction } from '#domain/kernel/open-transaction.ts';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { runSotto } from '#test/support/processes/command-line.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { StartError } from './embedded/start-error.ts';
import { recordFingerprints, refuseOtherFingerprints, storageIdKey } from './fingerprints.ts';
import { lockStart } from './session-lock.ts';

const { db, pool, url } = await createTestDatabase();
const dir = await mkdtemp(join(tmpdir(), 'sotto-fingerprints-'));
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Fails when it is asked within a transaction, which would hold locks for as long as a storage takes. */
function outsideTransactions(blobs: Blobs): Blobs {
  return {
    ...blobs,
    stat(key) {
      refuseInTransaction('The storage');
      return blobs.stat(key);
    },
    write(...args) {
      refuseInTransaction('The storage');
      return blobs.write(...args);
    },
  };
}

const secret = 'the secret of every process on this database';
async function checkFingerprints(options: Parameters<typeof recordFingerprints>[0]): Promise<void> {
  const { release } = await lockStart(url, () => {});
  try {
    await refuseOtherFingerprints(options);
    await recordFingerprints(options);
  } finally {
    await release();
  }
}

const [here, there] = ['here', 'there'].map((name) => outsideTransactions(openDiskBlobs({ dir: join(dir, name) })));
if (here === undefined || there === undefined) throw new Error('two are needed');

beforeEach(async () => {
  await pool.query('delete from operations.fingerprints');
  for (const blobs of [here, there]) await blobs.remove(storageIdKey);
});

const refusedFor = async (starting: Promise<void>) =>
  starting.then(
    () => undefined,
    (error: unknown) => (error instanceof StartError ? error.message : error),
  );

test('processes with the same secret and files start, also all at once', async () => {
  await Promise.all(Array.from({ length: 4 }, () => checkFingerprints({ db, blobs: here, secret })));
  const { rows } = await pool.query<{ name: string; fingerprint: string }>('select * from operations.fingerprints');
  expect(rows.map(({ name }) => name).toSorted()).toEqual(['secret', 'storage']);
  expect(JSON.stringify(rows)).not.toContain(secret);
});

test('another secret is refused, until the operator says that it was changed', async () => {
  await checkFingerprints({ db, blobs: here, secret });
  await pool.query(`insert into provider_keys (id, public_key, private_key, alg) values ('old', '{}', 'x', 'EdDSA')`);
  const changed = { db, blobs: here, secret: `${secret}, changed` };
  expect(await refusedFor(checkFingerprints(changed))).toBe(
    'SECRET differs from that of the other processes on this database; give every process the same; after a change on purpose, stop them all and run: npm run sotto -- changed secret',
  );
  const command = (...args: string[]) => runSotto(['changed', ...args], { environment: { DATABASE_URL: url } });
  expect(await command('everything')).toMatchObject({ code: 2 });
  expect(await command('secret')).toMatchObject({ code: 0 });
  await checkFingerprints(changed);
  expect(await refusedFor(checkFingerprints({ db, blobs: here, secret }))).toContain('SECRET differs');
  // They were encrypted with the former secret.
  expect((await pool.query('select from provider_keys')).rowCount).toBe(0);
});

test('another folder of files is refused, empty or with files of its own', async () => {
  await checkFingerprints({ db, blobs: here, secret });
  const refusal = expect.stringMatching(/^the files are in a different place .* npm run sotto -- changed storage$/);
  expect(await refusedFor(checkFingerprints({ db, blobs: there, secret }))).toEqual(refusal);
  expect(await there.stat(storageIdKey)).toBeUndefined();
  await there.write(storageIdKey, new TextEncoder().encode('of another site'));
  expect(await refusedFor(checkFingerprints({ db, blobs: there, secret }))).toEqual(refusal);
  await runSotto(['changed', 'storage'], { environment: { DATABASE_URL: url } });
  await checkFingerprints({ db, blobs: there, secret });
});
