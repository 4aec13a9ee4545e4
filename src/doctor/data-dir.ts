import { randomUUID } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { access, constants, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Config } from '#config';
import { formatBytes } from '#formats/bytes.ts';
import { i18n } from '#i18n';
import { type Report, reportOn } from './report.ts';

export function hasDataDir({ dataDir }: Config): boolean {
  return existsSync(dataDir);
}

export async function checkDataDir({ dataDir }: Config, report: Report): Promise<void> {
  const part = reportOn('DATA_DIR', report);
  const folder = await stat(dataDir).catch(() => undefined);
  if (folder === undefined)
    return part.warn(
      /*i18n*/ {
        id: 'doctor.data-dir.missing',
        message: '{dataDir} does not exist yet; the first start creates it',
        values: { dataDir },
      },
    );
  const error = await tryWriting(dataDir);
  const ownUid = process.getuid?.();
  if (error !== undefined)
    part.fail(
      /*i18n*/ {
        id: 'doctor.data-dir.read-only',
        message: '{dataDir} cannot be written ({code}); give it to the user that runs Sotto',
        values: { dataDir, code: error.code ?? error.name },
      },
    );
  else if (ownUid !== undefined && folder.uid !== ownUid)
    part.warn(
      /*i18n*/ {
        id: 'doctor.data-dir.foreign',
        message:
          '{dataDir} belongs to the user with id {uid}, and this command runs as {ownUid}; run both as the same user',
        values: { dataDir, uid: String(folder.uid), ownUid: String(ownUid) },
      },
    );
  else if ((folder.mode & 0o002) !== 0)
    part.fail(
      /*i18n*/ {
        id: 'doctor.data-dir.open',
        message: 'everyone on this machine may write to {dataDir}; chmod o-w it',
        values: { dataDir },
      },
    );
  else part.ok(/*i18n*/ { id: 'doctor.data-dir', message: '{dataDir} can be written', values: { dataDir } });
}

/** A backup in the site's folder is lost with the folder, and includes the earlier backups. */
export async function checkBackupDir({ backups, dataDir }: Config, report: Report): Promise<void> {
  const part = reportOn('BACKUP_DIR', report);
  if (backups === undefined) return;
  const error = existsSync(backups.dir) ? await tryWriting(backups.dir) : await tryMaking(backups.dir);
  if (error !== undefined) {
    const values = { dir: backups.dir, code: error.code ?? error.name };
    return part.fail(
      error.code === 'EROFS'
        ? /*i18n*/ {
            id: 'doctor.backup-dir.read-only',
            message:
              '{dir} cannot be written ({code}), so Admin’s backups fail; it is read-only for this process: add ReadWritePaths to its systemd unit, or mount a volume',
            values,
          }
        : /*i18n*/ {
            id: 'doctor.backup-dir.foreign',
            message: '{dir} cannot be written ({code}), so Admin’s backups fail; give it to the user that runs Sotto',
            values,
          },
    );
  }
  const way = relative(realPath(dataDir), realPath(backups.dir));
  const isInside = way === '' || (!way.startsWith(`..${sep}`) && way !== '..' && !isAbsolute(way));
  if (isInside)
    part.warn(
      /*i18n*/ {
        id: 'doctor.backup-dir.inside',
        message:
          '{dir} is inside of DATA_DIR ({dataDir}), so backups would be lost with the site; choose a folder on another disk',
        values: { dir: backups.dir, dataDir },
      },
    );
  else
    part.ok(
      /*i18n*/ { id: 'doctor.backup-dir', message: '{dir} is outside of DATA_DIR', values: { dir: backups.dir } },
    );
}

/** Resolves links of the existing part of the path. */
function realPath(path: string): string {
  const whole = resolve(path);
  if (existsSync(whole)) return realpathSync(whole);
  const parent = dirname(whole);
  return parent === whole ? whole : join(realPath(parent), basename(whole));
}

/** Whether the first backup could make the folder, without making it. */
async function tryMaking(folder: string): Promise<NodeJS.ErrnoException | undefined> {
  let parent = dirname(folder);
  while (!existsSync(parent)) parent = dirname(parent);
  return access(`${parent}${sep}.`, constants.W_OK).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  );
}

async function tryWriting(folder: string): Promise<NodeJS.ErrnoException | undefined> {
  const probe = join(folder, `.doctor-${randomUUID()}`);
  try {
    await writeFile(probe, '', { flag: 'wx' });
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
  await rm(probe, { force: true });
  return undefined;
}

export function checkPasswordFile({ dataDir, databaseUrl }: Config, report: Report): void {
  if (databaseUrl !== undefined) return;
  const path = join(dataDir, 'postgres.password');
  const permissions = permissionsOf(path);
  if (permissions === undefined) return;
  if ((permissions & 0o077) === 0)
    report('ok', 'Password file', /*i18n*/ { id: 'doctor.password-file', message: 'only its owner may read it' });
  else
    report(
      'FAIL',
      'Password file',
      /*i18n*/ {
        id: 'doctor.password-file.open',
        message: 'others on this machine may read {path}, which opens the database; chmod 600 it',
        values: { path },
      },
    );
}

/** PostgreSQL allows its group to read, and refuses to start with more. */
export function checkDatabaseFolder({ dataDir, databaseUrl }: Config, report: Report): void {
  if (databaseUrl !== undefined) return;
  const path = join(dataDir, 'postgres');
  if (((permissionsOf(path) ?? 0) & 0o027) === 0) return;
  report(
    'FAIL',
    'Database folder',
    /*i18n*/ {
      id: 'doctor.database-folder.open',
      message: 'others on this machine may enter {path}, and PostgreSQL will not start; chmod 700 it',
      values: { path },
    },
  );
}

export function isOpenToOthers(path: string): boolean {
  return ((permissionsOf(path) ?? 0) & 0o077) !== 0;
}

/** @returns undefined for a missing file; 0 on Windows, which has other permissions */
function permissionsOf(path: string): number | undefined {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined) return undefined;
  return process.platform === 'win32' ? 0 : file.mode & 0o777;
}

const minFreeBytes = 200e6;
const fewFreeBytes = 2e9;
const fewFreeFiles = 10_000;

export async function checkSpace(config: Config, report: Report): Promise<void> {
  const part = reportOn('Disk', report);
  if (!hasDataDir(config)) return;
  const { dataDir } = config;
  const { bavail, bsize, files, ffree } = await statfs(dataDir);
  const free = bavail * bsize;
  // Some file systems have no file limit and report 0.
  const limitsFiles = files > 0;
  if (free < minFreeBytes)
    part.fail(() =>
      i18n._(
        /*i18n*/ {
          id: 'doctor.disk.full',
          message: 'only {free} free in {dataDir}; the database stops when there is none',
          values: { free: formatBytes(free), dataDir },
        },
      ),
    );
  else if (free < fewFreeBytes)
    part.warn(() =>
      i18n._(
        /*i18n*/ {
          id: 'doctor.disk.low',
          message: '{free} free in {dataDir}; make room before uploads and backups need it',
          values: { free: formatBytes(free), dataDir },
        },
      ),
    );
  else if (limitsFiles && ffree < fewFreeFiles)
    part.warn(
      /*i18n*/ {
        id: 'doctor.disk.files',
        message:
          '{files, plural, one {only # more file can be created in {dataDir}} other {only # more files can be created in {dataDir}}}',
        values: { files: ffree, dataDir },
      },
    );
  else
    part.ok(() => i18n._(/*i18n*/ { id: 'doctor.disk', message: '{free} free', values: { free: formatBytes(free) } }));
}
