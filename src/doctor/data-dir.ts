import { randomUUID } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { access, constants, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Config } from '#config';
import { formatBytes } from '#formats/bytes.ts';
import { countOf } from '#formats/numbers.ts';
import { type Report, reportOn } from './report.ts';

export function hasDataDir({ dataDir }: Config): boolean {
  return existsSync(dataDir);
}

export async function checkDataDir({ dataDir }: Config, report: Report): Promise<void> {
  const part = reportOn('DATA_DIR', report);
  const folder = await stat(dataDir).catch(() => undefined);
  if (folder === undefined) return part.warn(`${dataDir} does not exist yet; the first start creates it`);
  const error = await tryWriting(dataDir);
  const ownUid = process.getuid?.();
  if (error !== undefined)
    part.fail(`${dataDir} cannot be written (${error.code}); give it to the user that runs Sotto`);
  else if (ownUid !== undefined && folder.uid !== ownUid)
    part.warn(
      `${dataDir} belongs to the user with id ${folder.uid}, and this command runs as ${ownUid}; run both as the same user`,
    );
  else if ((folder.mode & 0o002) !== 0) part.fail(`everyone on this machine may write to ${dataDir}; chmod o-w it`);
  else part.ok(`${dataDir} can be written`);
}

/** A backup in the site's folder is lost with the folder, and includes the earlier backups. */
export async function checkBackupDir({ backups, dataDir }: Config, report: Report): Promise<void> {
  const part = reportOn('BACKUP_DIR', report);
  if (backups === undefined) return;
  const error = existsSync(backups.dir) ? await tryWriting(backups.dir) : await tryMaking(backups.dir);
  if (error !== undefined) {
    const remedy =
      error.code === 'EROFS'
        ? 'it is read-only for this process: add ReadWritePaths to its systemd unit, or mount a volume'
        : 'give it to the user that runs Sotto';
    return part.fail(`${backups.dir} cannot be written (${error.code}), so Admin’s backups fail; ${remedy}`);
  }
  const way = relative(realPath(dataDir), realPath(backups.dir));
  const isInside = way === '' || (!way.startsWith(`..${sep}`) && way !== '..' && !isAbsolute(way));
  if (isInside)
    part.warn(
      `${backups.dir} is inside of DATA_DIR (${dataDir}), so backups would be lost with the site; choose a folder on another disk`,
    );
  else part.ok(`${backups.dir} is outside of DATA_DIR`);
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
  if ((permissions & 0o077) === 0) report('ok', 'Password file', 'only its owner may read it');
  else
    report('FAIL', 'Password file', `others on this machine may read ${path}, which opens the database; chmod 600 it`);
}

/** PostgreSQL allows its group to read, and refuses to start with more. */
export function checkDatabaseFolder({ dataDir, databaseUrl }: Config, report: Report): void {
  if (databaseUrl !== undefined) return;
  const path = join(dataDir, 'postgres');
  if (((permissionsOf(path) ?? 0) & 0o027) === 0) return;
  report(
    'FAIL',
    'Database folder',
    `others on this machine may enter ${path}, and PostgreSQL will not start; chmod 700 it`,
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
    part.fail(`only ${formatBytes(free)} free in ${dataDir}; the database stops when there is none`);
  else if (free < fewFreeBytes)
    part.warn(`${formatBytes(free)} free in ${dataDir}; make room before uploads and backups need it`);
  else if (limitsFiles && ffree < fewFreeFiles)
    part.warn(`only ${countOf(ffree, 'more file')} can be created in ${dataDir}`);
  else part.ok(`${formatBytes(free)} free`);
}
