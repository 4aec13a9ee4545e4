import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#config';
import { type CommandDatabase, openForCommand } from '#db/command-database.ts';
import { readSiteId, refuseForeignDataDir, refuseForgottenDatabase } from '#db/data-dir-owner.ts';
import { findMissingRights } from '#db/rights.ts';
import { readSchemaState } from '#db/schema-state.ts';
import { formatBytes } from '#formats/bytes.ts';
import { i18n } from '#i18n';
import { type Report, reportOn } from './report.ts';
import { type Surroundings, packageRoot } from './software.ts';

export type StoredSite = { config: Config; opened: CommandDatabase };

/** @returns undefined without a database, or one that cannot be opened */
export async function openForDoctor(
  config: Config,
  context: Surroundings,
  report: Report,
): Promise<CommandDatabase | undefined> {
  const part = reportOn('Database', report);
  try {
    refuseForgottenDatabase(config);
  } catch (error) {
    part.fail((error as Error).message);
    return undefined;
  }
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres'))) {
    part.warn('there is none yet; the first start creates it');
    return undefined;
  }
  try {
    return await openForCommand(config, { create: false, schema: 'any', note: context.note });
  } catch (error) {
    part.fail((error as Error).message);
    return undefined;
  }
}

type Server = { version: string; size: string };
const serverTexts: Record<CommandDatabase['server'], (values: Server) => string> = {
  external: (values) =>
    i18n._(
      /*i18n*/ {
        id: 'doctor.database.external',
        message: 'PostgreSQL {version}, named by DATABASE_URL, {size}',
        values,
      },
    ),
  site: (values) =>
    i18n._(
      /*i18n*/ { id: 'doctor.database.site', message: 'PostgreSQL {version}, of the running site, {size}', values },
    ),
  own: (values) =>
    i18n._(
      /*i18n*/ { id: 'doctor.database.own', message: 'PostgreSQL {version}, started for this check, {size}', values },
    ),
};

const oldestVersion = 150_000;

export async function checkServer({ opened }: StoredSite, report: Report): Promise<void> {
  const part = reportOn('Database', report);
  const { rows } = await opened.database.pool.query<{
    number: number;
    version: string;
    encoding: string;
    fsync: string;
    size: string;
  }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
       current_setting('server_encoding') as encoding, current_setting('fsync') as fsync, pg_database_size(current_database()) as size`,
  );
  const [facts] = rows;
  if (facts === undefined) throw new Error('it does not state its version');
  const { number, version, encoding, fsync, size } = facts;
  if (number < oldestVersion)
    part.fail(
      /*i18n*/ {
        id: 'doctor.database.old',
        message: 'PostgreSQL {version}, and 15 or later is needed',
        values: { version },
      },
    );
  else part.ok(() => serverTexts[opened.server]({ version, size: formatBytes(Number(size)) }));
  if (encoding !== 'UTF8')
    part.fail(
      /*i18n*/ {
        id: 'doctor.database.encoding',
        message: 'its encoding is {encoding}; create it again with UTF8',
        values: { encoding },
      },
    );
  if (fsync !== 'on')
    part.fail(
      /*i18n*/ { id: 'doctor.database.fsync', message: 'fsync is off: a power cut can destroy it; switch it on' },
    );
}

/** The role's rights, and whether the files in DATA_DIR belong to this database. */
export async function checkOwnership({ config, opened }: StoredSite, report: Report): Promise<void> {
  const missing = await findMissingRights(opened.database.pool);
  if (missing !== undefined) report('FAIL', 'Database', missing);
  const siteId = await readSiteId(opened.database.pool).catch(() => undefined);
  try {
    refuseForeignDataDir(config.dataDir, [siteId]);
  } catch (error) {
    report('FAIL', 'DATA_DIR', (error as Error).message);
  }
}

/** Processes on any machine; each one listens for database changes. */
export async function checkProcesses({ opened }: StoredSite, report: Report): Promise<void> {
  const { rows } = await opened.database.pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name = 'sotto changes'`,
  );
  report(
    'ok',
    'Processes',
    /*i18n*/ {
      id: 'doctor.processes',
      message:
        '{processes, plural, one {# process of the site on this database} other {# processes of the site on this database}}',
      values: { processes: rows[0]?.count ?? 0 },
    },
  );
}

export async function checkSchema({ opened }: StoredSite, report: Report): Promise<void> {
  const part = reportOn('Schema', report);
  const { applied, pending, unknown } = await readSchemaState(opened.database.pool);
  if (unknown > 0)
    report(
      pending.length === 0 ? 'warn' : 'FAIL',
      'Schema',
      /*i18n*/ {
        id: 'doctor.schema.newer',
        message:
          '{steps, plural, one {the database belongs to a newer Sotto (# step ahead)} other {the database belongs to a newer Sotto (# steps ahead)}}; update this one',
        values: { steps: unknown },
      },
    );
  else if (applied.length === 0)
    part.warn(
      /*i18n*/ { id: 'doctor.schema.empty', message: 'the database is empty; the first start creates its tables' },
    );
  else if (pending.length > 0) {
    const names = pending.map(({ name }) => name).join(', ');
    part.warn(
      /*i18n*/ {
        id: 'doctor.schema.older',
        message:
          '{steps, plural, one {# step behind ({names})} other {# steps behind ({names})}}; the next start brings it up to date',
        values: { steps: pending.length, names },
      },
    );
  } else
    part.ok(
      /*i18n*/ {
        id: 'doctor.schema',
        message: '{steps, plural, one {up to date, # step} other {up to date, # steps}}',
        values: { steps: applied.length },
      },
    );
}

export async function isSchemaCurrent({ database }: CommandDatabase): Promise<boolean> {
  const { pending, unknown } = await readSchemaState(database.pool);
  return unknown === 0 && pending.length === 0;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Compares this machine's clock with the database's and with the time of the installation. */
export async function checkClock({ opened }: StoredSite, report: Report): Promise<void> {
  const part = reportOn('Clock', report);
  const before = Date.now();
  const { rows } = await opened.database.pool.query<{ now: Date }>('select clock_timestamp() as now');
  const after = Date.now();
  const theirs = rows[0]?.now.getTime() ?? Number.NaN;
  // Any moment during the query counts as equal.
  const secondsApart = Math.max(0, before - theirs, theirs - after) / 1000;
  const installed = statSync(join(packageRoot, 'package.json')).mtimeMs;
  if (after < installed - dayMs)
    part.fail(
      /*i18n*/ {
        id: 'doctor.clock.wrong',
        message: 'this machine says {time}, which is before this version was installed; set it',
        values: { time: new Date(after).toISOString() },
      },
    );
  else if (secondsApart > 60)
    part.fail(
      /*i18n*/ {
        id: 'doctor.clock.apart',
        message: 'the database’s clock is {seconds} s apart from this machine’s; let both keep time (NTP)',
        values: { seconds: Math.round(secondsApart) },
      },
    );
  else if (secondsApart > 2)
    part.warn(
      /*i18n*/ {
        id: 'doctor.clock.apart',
        message: 'the database’s clock is {seconds} s apart from this machine’s; let both keep time (NTP)',
        values: { seconds: Math.round(secondsApart) },
      },
    );
  else part.ok(new Date(after).toISOString());
}
