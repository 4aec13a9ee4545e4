import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Blobs } from '#domain/gateways.ts';
import type { Db } from '#domain/kernel/db.ts';
import { StartError } from './embedded-start-error.ts';

/** Settings that must be the same in every process on one database. */
export const fingerprinted = ['secret', 'storage'] as const;
export type Fingerprinted = (typeof fingerprinted)[number];

/** A blob with a random id, which identifies one folder or bucket. */
export const storageIdKey = 'storage-id';

const fingerprintLock = 7_150_689;

const refusals: Record<Fingerprinted, string> = {
  secret: 'SECRET differs from that of the other processes on this database; give every process the same',
  storage:
    'the files are in a different place than those of the other processes on this database; give every process the same folder (DATA_DIR) or bucket',
};

/**
 * Compares secret and storage with those of the first process on this database, which records them as hashes.
 * @throws StartError when one of them differs
 */
export async function checkFingerprints(options: { db: Db; blobs: Blobs; secret: string }): Promise<void> {
  const { db, blobs, secret } = options;
  await db.transaction(async (tx) => {
    // Processes that start together wait for one another: the first creates the storage's id.
    await tx.execute(sql`select pg_advisory_xact_lock(${fingerprintLock})`);
    const { rows } = await tx.execute<{ name: string; fingerprint: string }>(
      sql`select name, fingerprint from operations.fingerprints`,
    );
    const known = new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]));

    async function compare(name: Fingerprinted, value: string | undefined): Promise<void> {
      const fingerprint = value === undefined ? undefined : fingerprintOf(name, value);
      const recorded = known.get(name);
      if (recorded === fingerprint) return;
      if (recorded !== undefined)
        throw new StartError(
          `${refusals[name]}; after a change on purpose, stop them all and run: npm run sotto -- changed ${name}`,
        );
      await tx.execute(sql`insert into operations.fingerprints (name, fingerprint) values (${name}, ${fingerprint})`);
    }

    await compare('secret', secret);
    let id = await readStorageId(blobs);
    if (id === undefined && !known.has('storage')) {
      id = randomUUID();
      await blobs.write(storageIdKey, new TextEncoder().encode(id));
    }
    await compare('storage', id);
  });
}

/** The next process to start records its own. */
export async function forgetFingerprint(db: Db, name: Fingerprinted): Promise<void> {
  await db.execute(sql`delete from operations.fingerprints where name = ${name}`);
}

async function readStorageId(blobs: Blobs): Promise<string | undefined> {
  if ((await blobs.stat(storageIdKey)) === undefined) return undefined;
  return new Response(blobs.read(storageIdKey)).text();
}

/** One-way; a secret has at least 32 characters, so that guessing it from its hash is hopeless. */
function fingerprintOf(name: Fingerprinted, value: string): string {
  return createHash('sha256').update(`sotto ${name} ${value}`).digest('base64url');
}
