import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { type Config, parseConfig } from '#config';
import { type BackupManifest, readManifest, verifyBackup } from '#db/backup-manifest.ts';
import { createBackup, quote } from '#db/backup.ts';
import { type CommandDatabase, openForCommand } from '#db/command-database.ts';
import { forgetDataDirOwner, readSiteId, refuseForeignDataDir } from '#db/data-dir-owner.ts';
import type { Database } from '#db/database.ts';
import { migrateDatabase } from '#db/migrate.ts';
import { findMigrations, readBackupSecret, readBackupSiteId, restoreBackup } from '#db/restore.ts';
import { examineStored } from '#doctor/doctor.ts';
import type { Report } from '#doctor/report.ts';
import type { Blobs } from '#domain/gateways.ts';
import { readVersion } from '#start/site-facts.ts';
import { openBlobs } from '#start/open-blobs.ts';
import { readStoredSecret, restoreSecret } from '#start/site-secret.ts';
import {
  type Command,
  type CommandContext,
  CommandError,
  countOf,
  formatBytes,
  parseCommandLine,
  resolveFolder,
} from './command.ts';

export const backupCommand: Command = {
  help: `backup <folder>

Copies a snapshot of the database and every audio and image file into a folder, while the site runs or is
stopped. With the same folder again, the new backup replaces the earlier one and copies only new files; until the last
moment the earlier backup stays complete. For more than one state, name more than one folder.

The folder holds personal data, paid recordings and the site's secret, unless SECRET is set: protect it like the
database. Only your user can open it (0700); leave that so, and keep it on another disk. Settings (.env) are not in
it, so keep SECRET elsewhere, and neither is the data of the payment sandbox: its customers, test cards and
subscriptions.

Exit code 1 when a file that the database names is missing on the site and in the folder.`,
  async run(args, context) {
    const { positionals } = parseCommandLine(args, {}, ['<folder>']);
    const config = context.readConfig();
    const folder = resolveFolder(context, positionals[0]);
    if (await isInside(folder, config.dataDir))
      throw new CommandError(`${folder} is in DATA_DIR, and would be lost with it; name a folder elsewhere`);
    const opened = await openForCommand(config, { create: false, schema: 'any', note: context.note });
    try {
      const blobs = await openBlobs(config);
      const made = await createBackup({
        url: opened.url,
        blobs,
        folder,
        secret: config.secret === undefined ? await readStoredSecret(config.dataDir) : undefined,
        siteVersion: readVersion(),
        now: new Date(),
      });
      for (const key of made.missingBlobs.slice(0, 5))
        context.note(`Missing on the site, and therefore in the backup: ${key}`);
      if (made.missing > 5) context.note(`and ${made.missing - 5} more; see npm run sotto -- doctor`);
      context.print(
        `Backed up ${countOf(made.rows, 'row')} of ${countOf(made.tables, 'table')} and ${countOf(made.blobs, 'file')} (${formatBytes(made.blobBytes)}, ${made.copiedBlobs} of them new) into ${folder}`,
      );
      if (config.stripe === undefined)
        context.print('Left out: the customers, test cards and subscriptions of the payment sandbox');
      return made.missing > 0 ? 1 : 0;
    } finally {
      await opened.close();
    }
  },
};

export const restoreCommand: Command = {
  help: `restore <folder> [--rehearse]

Restores a backup after checking every file. Requires an empty place: a DATA_DIR without a site
in it, or, with DATABASE_URL, an empty database. It never overwrites; to go back to an earlier state, move the old
DATA_DIR away first. The site must not be running. An older backup is migrated to this version.

  --rehearse  restores it into a folder beside it, with a database of its own, compares rows and files with the backup,
              checks the copy as doctor does, and removes it. Neither the site, nor its database, nor any service is
              used. Needs as much space as the site. Exit code 1 when something is wrong.`,
  async run(args, context) {
    const { values, positionals } = parseCommandLine(args, { rehearse: { type: 'boolean' } }, ['<folder>']);
    const folder = resolveFolder(context, positionals[0]);
    const manifest = await readManifest(folder);
    findMigrations(manifest);
    context.note(`Checking the backup of ${manifest.createdAt}`);
    await verifyBackup(folder, manifest);
    if (values.rehearse === true) return rehearse(folder, manifest, context);
    await restore(context.readConfig(), folder, manifest, context.note);
    context.print(`Restored ${describe(manifest)}, as they were on ${manifest.createdAt}`);
    return 0;
  },
};

function describe({ tables, files }: BackupManifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${countOf(rows, 'row')} of ${countOf(tables.length, 'table')} and ${countOf(files.count, 'file')}`;
}

/** @param check gets the database with the rows and schema of the backup, before it is brought up to date */
async function restore(
  config: Config,
  folder: string,
  manifest: BackupManifest,
  note: (line: string) => void,
  check?: (opened: CommandDatabase, blobs: Blobs) => Promise<void>,
): Promise<void> {
  const opened = await openForCommand(config, { create: true, schema: 'any', exclusive: true, note });
  try {
    refuseForeignDataDir(config.dataDir, [
      await readBackupSiteId(folder, manifest),
      await readSiteId(opened.database.pool).catch(() => undefined),
    ]);
    const blobs = await openBlobs(config);
    await restoreBackup({ url: opened.url, blobs, folder, manifest });
    await check?.(opened, blobs);
    await migrateDatabase(opened.database);
    await restoreSecret(config, await readBackupSecret(folder, manifest), note);
    await forgetDataDirOwner(config.dataDir);
  } finally {
    await opened.close();
  }
}

/** @returns the exit code */
async function rehearse(folder: string, manifest: BackupManifest, context: CommandContext): Promise<number> {
  const start = performance.now();
  const place = await mkdtemp(join(dirname(folder), 'rehearsal-'));
  // Nothing but the folder: not the database, storage and services of the real site.
  const config = parseConfig({ DATA_DIR: place, DEMO: 'false' });
  let faults = 0;
  const report: Report = (level, about, message) => {
    if (level === 'FAIL') faults += 1;
    context.print(`${level.padEnd(4)}  ${about}: ${message}`);
  };
  try {
    await restore(config, folder, manifest, context.note, async ({ database }, blobs) => {
      await compareRows(database.pool, manifest, report);
      await compareFiles(blobs, manifest, report);
    });
    const opened = await openForCommand(config, { create: false, schema: 'any', note: context.note });
    try {
      await examineStored({ config, opened }, { isStorageThere: true }, report);
    } finally {
      await opened.close();
    }
  } finally {
    await rm(place, { recursive: true, force: true, maxRetries: 5 });
  }
  const outcome = faults === 0 ? 'This backup can be restored' : `${countOf(faults, 'fault')} found`;
  const seconds = Math.round((performance.now() - start) / 1000);
  context.print(`${outcome}: ${describe(manifest)} of ${manifest.createdAt}, in ${seconds} s. The copy is removed.`);
  return faults === 0 ? 0 : 1;
}

async function compareRows(pool: Database['pool'], { tables }: BackupManifest, report: Report): Promise<void> {
  let faults = 0;
  for (const { name, rows } of tables) {
    const { rows: counted } = await pool.query<{ count: number }>(`select count(*)::int as count from ${quote(name)}`);
    if (counted[0]?.count === rows) continue;
    faults += 1;
    report('FAIL', 'Rows', `${name} has ${counted[0]?.count} of ${rows}`);
  }
  if (faults === 0) report('ok', 'Rows', `all of ${countOf(tables.length, 'table')}`);
}

async function compareFiles(blobs: Blobs, { files }: BackupManifest, report: Report): Promise<void> {
  const restored = { count: 0, bytes: 0 };
  for await (const { bytes } of blobs.list('')) {
    restored.count += 1;
    restored.bytes += bytes;
  }
  const isWhole = restored.count === files.count && restored.bytes === files.bytes;
  const what = `${countOf(restored.count, 'file')} (${formatBytes(restored.bytes)})`;
  report(isWhole ? 'ok' : 'FAIL', 'Files', isWhole ? what : `${what} of ${files.count} (${formatBytes(files.bytes)})`);
}

/** Resolves links, and works for a folder that does not exist yet. */
async function isInside(path: string, folder: string): Promise<boolean> {
  const [inner, outer] = await Promise.all([realPathOf(path), realPathOf(folder)]);
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

async function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(async () => {
    const parent = dirname(path);
    return parent === path ? path : join(await realPathOf(parent), path.slice(parent.length).replace(/^[\\/]/, ''));
  });
}
