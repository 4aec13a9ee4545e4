import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { z } from 'zod';
import { newId } from '#domain/kernel/ids.ts';
import { StartError } from './embedded/start-error.ts';

/** File in DATA_DIR: the id of its site, and its database without a password. */
const DataDirOwner = z.object({ siteId: z.string(), database: z.string() });
type DataDirOwner = z.infer<typeof DataDirOwner>;

type Place = { dataDir: string; databaseUrl: string | undefined };

const included = 'the included server';

/** Key in `site_settings`; every site has its own id, which backups contain. */
export const siteIdKey = 'site';

/**
 * Refuses a data folder whose database is elsewhere when DATABASE_URL is not set: a start would create an empty site.
 * @throws StartError
 */
export function refuseForgottenDatabase({ dataDir, databaseUrl }: Place): void {
  if (databaseUrl !== undefined || existsSync(join(dataDir, 'postgres'))) return;
  const owner = readOwner(dataDir);
  if (owner !== undefined && owner.database !== included)
    throw new StartError(
      `the site of ${dataDir} has its database at ${owner.database}, and DATABASE_URL is not set; set it, or another DATA_DIR for a new site`,
    );
  if (owner === undefined && holdsFiles(join(dataDir, 'blobs')))
    throw new StartError(
      `${dataDir} holds the files of a site and no database; set DATABASE_URL if its database is elsewhere, or another DATA_DIR for a new site`,
    );
}

/**
 * Refuses a data folder that belongs to another database's site.
 * @param siteId undefined: the database is empty
 * @throws StartError
 */
export function refuseOtherOwner({ dataDir, databaseUrl }: Place, siteId: string | undefined): void {
  const owner = readOwner(dataDir);
  const database = describeDatabase(databaseUrl);
  if (owner !== undefined && owner.siteId !== siteId)
    throw new StartError(
      owner.database === database
        ? `${dataDir} belongs to another site than the one in ${database}; bring both back from one backup, or delete ${pathIn(dataDir)} if this is right`
        : `${dataDir} belongs to the site with the database at ${owner.database}, and not to that of ${database}; correct DATA_DIR or DATABASE_URL, or delete ${pathIn(dataDir)} if both are right`,
    );
}

/** Records the owner of the data folder. @throws StartError when it is the site of another database */
export async function claimDataDir(pool: Pick<pg.Pool, 'query'>, place: Place): Promise<void> {
  await pool.query(
    `insert into site_settings (key, value) values ($1, jsonb_build_object('id', $2::text)) on conflict (key) do nothing`,
    [siteIdKey, newId()],
  );
  const siteId = await readSiteId(pool);
  refuseOtherOwner(place, siteId);
  const { dataDir } = place;
  const database = describeDatabase(place.databaseUrl);
  if (readOwner(dataDir)?.database === database) return;
  const unfinished = `${pathIn(dataDir)}.new-${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify({ siteId, database })}\n`);
  await rename(unfinished, pathIn(dataDir));
}

/** Refuses to restore into a data folder of a site other than that of the database or the backup. @throws StartError */
export function refuseForeignDataDir(dataDir: string, siteIds: (string | undefined)[]): void {
  const owner = readOwner(dataDir);
  if (owner !== undefined && !siteIds.includes(owner.siteId))
    throw new StartError(
      `${dataDir} belongs to another site, with the database at ${owner.database}; name another DATA_DIR`,
    );
}

/** After a restore; the next start records the owner. */
export async function forgetDataDirOwner(dataDir: string): Promise<void> {
  await rm(pathIn(dataDir), { force: true });
}

/** @returns undefined before the first start */
export async function readSiteId(pool: Pick<pg.Pool, 'query'>): Promise<string | undefined> {
  const { rows } = await pool.query<{ id: string }>(`select value ->> 'id' as id from site_settings where key = $1`, [
    siteIdKey,
  ]);
  return rows[0]?.id;
}

function readOwner(dataDir: string): DataDirOwner | undefined {
  try {
    return DataDirOwner.safeParse(JSON.parse(readFileSync(pathIn(dataDir), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

function pathIn(dataDir: string): string {
  return join(dataDir, 'site.json');
}

function describeDatabase(databaseUrl: string | undefined): string {
  if (databaseUrl === undefined) return included;
  const { host, pathname } = new URL(databaseUrl.replace('@/', '@socket/'));
  return `${host || 'socket'}${pathname}`;
}

function holdsFiles(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => !name.startsWith('.'));
  } catch {
    return false;
  }
}
