import { realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { readManifest, verifyBackup } from '#db/backup-manifest.ts';
import { createBackup } from '#db/backup.ts';
import { openForCommand } from '#db/command-database.ts';
import { forgetDataDirOwner, readSiteId, refuseForeignDataDir } from '#db/data-dir-owner.ts';
import { migrateDatabase } from '#db/migrate.ts';
import { findMigrations, readBackupSecret, readBackupSiteId, restoreBackup } from '#db/restore.ts';
import { readVersion } from '#start/site-version.ts';
import { openBlobs } from '#start/open-blobs.ts';
import { readStoredSecret, restoreSecret } from '#start/site-secret.ts';
import type { Command } from './command.ts';
import { CommandError, countOf, formatBytes, parseCommandLine, resolveFolder } from './command.ts';

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
  help: `restore <folder>

Restores a backup after checking every file. Requires an empty place: a DATA_DIR without a site
in it, or, with DATABASE_URL, an empty database. It never overwrites; to go back to an earlier state, move the old
DATA_DIR away first. The site must not be running. An older backup is migrated to this version.`,
  async run(args, context) {
    const { positionals } = parseCommandLine(args, {}, ['<folder>']);
    const config = context.readConfig();
    const folder = resolveFolder(context, positionals[0]);
    const manifest = await readManifest(folder);
    findMigrations(manifest);
    context.note(`Checking the backup of ${manifest.createdAt}`);
    await verifyBackup(folder, manifest);
    const opened = await openForCommand(config, { create: true, schema: 'any', exclusive: true, note: context.note });
    try {
      refuseForeignDataDir(config.dataDir, [
        await readBackupSiteId(folder, manifest),
        await readSiteId(opened.database.pool).catch(() => undefined),
      ]);
      const blobs = await openBlobs(config);
      await restoreBackup({ url: opened.url, blobs, folder, manifest });
      await migrateDatabase(opened.database);
      await restoreSecret(config, await readBackupSecret(folder, manifest), context.note);
      await forgetDataDirOwner(config.dataDir);
    } finally {
      await opened.close();
    }
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    context.print(
      `Restored ${countOf(rows, 'row')} of ${countOf(manifest.tables.length, 'table')} and ${countOf(manifest.files.count, 'file')}, as they were on ${manifest.createdAt}`,
    );
    return 0;
  },
};

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
