import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { openForCommand } from './command-database.ts';
import { claimDataDir, readSiteId, refuseForeignDataDir, refuseForgottenDatabase } from './data-dir-owner.ts';
import { lockDataDir, shareDataDir } from './embedded/lock.ts';
import { slow } from '#test/support/tags.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sotto-owner-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function newFolder(): string {
  return mkdtempSync(join(scratch, 'data-'));
}

const external = 'postgres://sotto:secret@db.example:5432/sotto';

test('a data folder whose database is elsewhere is refused when DATABASE_URL is forgotten', async () => {
  const { pool } = await createTestDatabase();
  const dataDir = newFolder();
  await claimDataDir(pool, { dataDir, databaseUrl: external });
  const forgotten = { dataDir, databaseUrl: undefined, databaseDirectUrl: undefined };
  expect(() => refuseForgottenDatabase(forgotten)).toThrow(
    /has its database at db\.example:5432\/sotto, and DATABASE_URL/,
  );
  await expect(openForCommand(forgotten, { create: true, schema: 'any', note: () => {} })).rejects.toThrow(
    /DATABASE_URL/,
  );
  expect(() => refuseForgottenDatabase({ dataDir, databaseUrl: external })).not.toThrow();
  expect(() => refuseForgottenDatabase({ dataDir: newFolder(), databaseUrl: undefined })).not.toThrow();
});

test('a data folder with files and no database is refused', () => {
  const dataDir = newFolder();
  mkdirSync(join(dataDir, 'blobs', 'audio'), { recursive: true });
  expect(() => refuseForgottenDatabase({ dataDir, databaseUrl: undefined })).toThrow(/files of a site and no database/);
});

test('a data folder belongs to one site, whichever server holds its database', async () => {
  const [one, other] = [await createTestDatabase(), await createTestDatabase()];
  const dataDir = newFolder();
  await claimDataDir(one.pool, { dataDir, databaseUrl: undefined });
  // Moved to another server with its rows, as backup and restore do.
  await claimDataDir(one.pool, { dataDir, databaseUrl: external });
  await expect(claimDataDir(other.pool, { dataDir, databaseUrl: external })).rejects.toThrow(
    /than the one in db\.example/,
  );
  await expect(claimDataDir(other.pool, { dataDir, databaseUrl: undefined })).rejects.toThrow(
    /with the database at db/,
  );
  const ids = [await readSiteId(one.pool), await readSiteId(other.pool)];
  expect(() => refuseForeignDataDir(dataDir, [ids[0]])).not.toThrow();
  expect(() => refuseForeignDataDir(dataDir, [undefined, ids[1]])).toThrow(/belongs to another site/);
  writeFileSync(join(dataDir, 'site.json'), 'damaged');
  await claimDataDir(one.pool, { dataDir, databaseUrl: external });
  expect(() => refuseForeignDataDir(dataDir, ids.slice(1))).toThrow(/belongs to another site/);
});

test('restore refuses the data folder that a running site with another database uses', slow, async () => {
  const { url } = await createTestDatabase();
  const dataDir = newFolder();
  const ends = [await shareDataDir(dataDir), await shareDataDir(dataDir)];
  await expect(lockDataDir(dataDir)).rejects.toThrow(/is already using/);
  const restore = { create: true, schema: 'any', exclusive: true, note: () => {} } as const;
  await expect(openForCommand({ dataDir, databaseUrl: url, databaseDirectUrl: undefined }, restore)).rejects.toThrow(
    /is already using .* stop it first/,
  );
  for (const end of ends) await end();
  const opened = await openForCommand({ dataDir, databaseUrl: url, databaseDirectUrl: undefined }, restore);
  await expect(shareDataDir(dataDir)).rejects.toThrow(/is already using/);
  await opened.close();
  await (
    await shareDataDir(dataDir)
  )();
});
