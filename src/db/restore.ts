import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Blobs } from '#domain/gateways.ts';
import { countOf } from '#formats/numbers.ts';
import { type BackupManifest, BackupError, readFiles, secretIn } from './backup-manifest.ts';
import { plainSession, quote } from './backup.ts';
import { openCommandClient } from './command-client.ts';
import { siteIdKey } from './data-dir-owner.ts';
import { type Migration, createMigrationsTable, readApplied, readMigrations } from './schema-state.ts';

export type RestoreOptions = {
  url: string;
  blobs: Blobs;
  folder: string;
  /** The verified manifest of this folder. */
  manifest: BackupManifest;
};

/** Migrations of the backup's schema. @throws BackupError when this version does not know them */
export function findMigrations(manifest: BackupManifest): Migration[] {
  const migrations = readMigrations();
  return manifest.migrations.map(({ when, hash }, index) => {
    const migration = migrations[index];
    if (migration?.when !== when)
      throw new BackupError(`this backup was made by a newer Sotto (${manifest.siteVersion}); update this one`);
    if (migration.hash !== hash)
      throw new BackupError(
        `this backup was made with another form of the schema step ${migration.name}; use the Sotto that made it (${manifest.siteVersion})`,
      );
    return migration;
  });
}

/**
 * Loads a backup into an empty database and its files into the blob store: files first, then schema and rows in one
 * transaction, so that a failed restore leaves an empty database and can be repeated.
 * @throws BackupError
 */
export async function restoreBackup({ url, blobs, folder, manifest }: RestoreOptions): Promise<void> {
  const migrations = findMigrations(manifest);
  const client = await openCommandClient(url, 'restore');
  try {
    await client.query(plainSession);
    await refuseUnlessEmpty(client);
    for await (const { key, bytes } of readFiles(folder, manifest)) {
      if ((await blobs.stat(key))?.bytes === bytes) continue;
      await blobs.importFile(key, join(folder, 'blobs', key));
    }
    await client.query('begin');
    await refuseUnlessEmpty(client);
    await migrateTo(client, migrations);
    await loadTables(client, folder, manifest);
    await endBackups(client, folder, manifest);
    await beginFeeds(client, manifest);
    await client.query('commit');
    // Updates statistics, so that the first queries do not use plans for an empty database.
    await client.query('analyze');
  } finally {
    await client.end();
  }
}

/** Search indexes know how far they have read by numbers of the other server's transactions: too old means anew. */
async function beginFeeds(client: pg.Client, manifest: BackupManifest): Promise<void> {
  if (!manifest.tables.some(({ name }) => name === 'search_feeds')) return;
  await client.query(`update search_feeds set read_at = 'epoch'`);
}

/**
 * A backup that Admin started is still running in its own copy. It would stay so on the restored site, whose job for it
 * does not exist, and refuse further backups.
 */
async function endBackups(client: pg.Client, folder: string, manifest: BackupManifest): Promise<void> {
  if (!manifest.tables.some(({ name }) => name === 'site_backups')) return;
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const { count, bytes } = manifest.files;
  await client.query(
    `update site_backups set state = 'done', finished_at = $2, row_count = $3, file_count = $4, file_bytes = $5
     where state in ('waiting', 'running') and folder = $1`,
    [basename(folder), manifest.createdAt, rows, count, bytes],
  );
  await client.query(
    `update site_backups set state = 'failed', finished_at = $1, failure = 'It had not ended when the site was restored'
     where state in ('waiting', 'running')`,
    [manifest.createdAt],
  );
}

/** The secret in the backup. @returns undefined when its site had SECRET set, and for older backups */
export async function readBackupSecret(folder: string, manifest: BackupManifest): Promise<string | undefined> {
  if (manifest.secret === undefined) return undefined;
  return (await readFile(join(folder, secretIn(manifest)), 'utf8')).trim();
}

/** The id of the backed-up site. @returns undefined for older backups */
export async function readBackupSiteId(folder: string, manifest: BackupManifest): Promise<string | undefined> {
  if (!manifest.tables.some(({ name }) => name === 'site_settings')) return undefined;
  const rows = await readFile(join(folder, manifest.tablesFolder, 'site_settings.copy'), 'utf8');
  const row = rows.split('\n').find((line) => line.split('\t').includes(siteIdKey));
  return row === undefined ? undefined : /"id": "([^"]+)"/.exec(row)?.[1];
}

async function listTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by c.relname collate "C"`,
  );
  return rows.map(({ name }) => name);
}

async function refuseUnlessEmpty(client: pg.Client): Promise<void> {
  for (const table of await listTables(client)) {
    // Change logs of other tables, kept for some days, and how far they were read: a migration begins that.
    if (table === 'search_changes' || table === 'search_feeds') continue;
    const { rows } = await client.query<{ filled: boolean }>(
      // A site that was only started already has its id.
      `select exists (select from public.${quote(table)} ${table === 'site_settings' ? `where key <> '${siteIdKey}'` : ''}) as filled`,
    );
    if (rows[0]?.filled === true)
      throw new BackupError(
        `there is a site already (${table} is not empty); restore into an empty DATA_DIR, or an empty database`,
      );
  }
}

/** Like Drizzle's migrator, but in the transaction that loads the rows. */
async function migrateTo(client: pg.Client, migrations: Migration[]): Promise<void> {
  await createMigrationsTable(client);
  const applied = await readApplied(client);
  if (applied.some(({ when }) => !migrations.some((migration) => migration.when === when))) {
    throw new BackupError(
      'the database has a newer schema than the backup; restore into an empty DATA_DIR, or an empty database',
    );
  }
  for (const { when, hash, statements } of migrations) {
    if (applied.some((done) => done.when === when)) continue;
    // Inside the transaction no index can be built concurrently, and nobody else uses these tables.
    for (const statement of statements) await client.query(statement.replaceAll(/\bconcurrently\b/gi, ''));
    await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [hash, when]);
  }
}

/**
 * Drops foreign keys and adds them again, which checks them all: tables may reference each other in a cycle, and an
 * owner without superuser rights cannot disable the checks.
 */
async function loadTables(client: pg.Client, folder: string, manifest: BackupManifest): Promise<void> {
  const tables = await listTables(client);
  const names = new Set(tables);
  const strange = manifest.tables.find(({ name }) => !names.has(name));
  if (strange !== undefined)
    throw new BackupError(`the backup holds a table that its schema does not have (${strange.name})`);

  const { rows: references } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`,
  );
  for (const { table, name } of references) await client.query(`alter table ${table} drop constraint ${quote(name)}`);
  // Migrations may have inserted rows; the backup contains them.
  // Triggers ran before the backup; running them again would count twice and change dates, and one refuses to truncate.
  for (const name of tables) await client.query(`alter table public.${quote(name)} disable trigger user`);
  if (tables.length > 0) await client.query(`truncate ${tables.map((table) => `public.${quote(table)}`).join(', ')}`);

  for (const { name, columns, rows } of manifest.tables) {
    const table = `public.${quote(name)}`;
    const sink = client.query(copyFrom(`copy ${table} (${columns.map(quote).join(', ')}) from stdin`));
    await pipeline(
      createReadStream(join(folder, manifest.tablesFolder, `${name}.copy`), { highWaterMark: 1 << 18 }),
      sink,
    );
    if (sink.rowCount !== rows)
      throw new BackupError(`${name} has ${countOf(sink.rowCount, 'row')} where the backup has ${rows}`);
  }
  await client.query('set constraints all immediate');
  for (const { name, value } of manifest.sequences)
    await client.query('select setval($1::regclass, $2)', [`public.${quote(name)}`, value]);
  for (const name of tables) await client.query(`alter table public.${quote(name)} enable trigger user`);
  for (const { table, name, definition } of references)
    await client.query(`alter table ${table} add constraint ${quote(name)} ${definition}`);
}
