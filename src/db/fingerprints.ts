import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Blobs } from '#domain/gateways.ts';
import type { Db } from '#domain/kernel/db.ts';
import { StartError } from './embedded/start-error.ts';

/** Settings that must be the same in every process on one database. */
export const fingerprinted = ['secret', 'storage'] as const;
export type Fingerprinted = (typeof fingerprinted)[number];

/** A blob with a random id, which identifies one folder or bucket. */
export const storageIdKey = 'storage-id';

const refusals: Record<Fingerprinted, string> = {
  secret: 'SECRET differs from that of the other processes on this database; give every process the same',
  storage:
    'the files are in a different place than those of the other processes on this database; give every process the same folder (DATA_DIR) or bucket',
};

/** Undefined values have no id yet. */
type Identifying = { secret: string; storage: string | undefined };

/**
 * Compares secret and storage with those that an earlier process on this database recorded. Writes nothing.
 * @param blobs undefined: the folder of files does not exist
 * @returns the storage's id, if it was read
 * @throws StartError when one of them differs
 */
export async function refuseOtherFingerprints(options: {
  db: Db;
  blobs: Blobs | undefined;
  secret: string;
}): Promise<string | undefined> {
  const { db, blobs, secret } = options;
  const recorded = await readFingerprints(db);
  if (recorded.size === 0) return undefined;
  const storage = blobs && (await readStorageId(blobs));
  compare(recorded, { secret, storage });
  return storage;
}

/**
 * Records secret and storage as hashes, unless an earlier process did: then they are compared. The caller holds the lock
 * of the start, since only one process may give the storage its id.
 * @param storageId as read under the same lock; absent: it is read now
 * @throws StartError when one of them differs
 */
export async function recordFingerprints(options: {
  db: Db;
  blobs: Blobs;
  secret: string;
  storageId?: string | undefined;
}): Promise<void> {
  const { db, blobs, secret, storageId } = options;
  const recorded = await readFingerprints(db);
  let storage = storageId ?? (await readStorageId(blobs));
  compare(recorded, { secret, storage: recorded.has('storage') ? storage : undefined });
  if (storage === undefined) {
    storage = randomUUID();
    await blobs.write(storageIdKey, new TextEncoder().encode(storage));
  }
  const values = { secret, storage };
  for (const name of fingerprinted)
    await db.execute(
      sql`insert into operations.fingerprints (name, fingerprint) values (${name}, ${fingerprintOf(name, values[name])})
          on conflict (name) do nothing`,
    );
}

async function readFingerprints(db: Db): Promise<Map<string, string>> {
  const { rows } = await db.execute<{ name: string; fingerprint: string }>(
    sql`select name, fingerprint from operations.fingerprints`,
  );
  return new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]));
}

function compare(known: Map<string, string>, values: Identifying): void {
  for (const name of fingerprinted) {
    const [recorded, value] = [known.get(name), values[name]];
    if (recorded === undefined || (value !== undefined && recorded === fingerprintOf(name, value))) continue;
    throw new StartError(
      `${refusals[name]}; after a change on purpose, stop them all and run: npm run sotto -- changed ${name}`,
    );
  }
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
