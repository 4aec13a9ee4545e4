import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#config';
import type { Database } from '#db/database.ts';
import { readBlobReferences } from '#db/blob-columns.ts';
import type { Blobs } from '#domain/gateways.ts';
import { openBlobs } from '#start/open-blobs.ts';
import { countOf } from '#formats/numbers.ts';
import { checkAccounts } from './accounts.ts';
import { checkCatalogue, checkHiddenCreators, checkPreview } from './catalogue.ts';
import {
  checkBackupDir,
  checkDatabaseFolder,
  checkDataDir,
  checkPasswordFile,
  checkSpace,
  hasDataDir,
} from './data-dir.ts';
import {
  checkClock,
  checkOwnership,
  checkProcesses,
  checkSchema,
  checkServer,
  isSchemaCurrent,
  openForDoctor,
  type StoredSite,
} from './database.ts';
import {
  checkFeedCovers,
  checkFileRows,
  checkFiles,
  checkImages,
  checkLateFiles,
  checkOrphans,
  type StoredFiles,
} from './files.ts';
import { checkMail, checkWaitingMails } from './mail.ts';
import { checkAddresses, checkSite } from './network.ts';
import { checkRegionDatabase } from './regions.ts';
import { checkOpenIdProviders } from './openid.ts';
import { checkPayments } from './payments.ts';
import type { Report } from './report.ts';
import { checkSearchIndex } from './search.ts';
import { checkSecret, checkSignIn } from './sign-in.ts';
import {
  checkBuild,
  checkEnvFile,
  checkNode,
  checkOperator,
  checkSettings,
  checkSound,
  checkVoice,
  type Surroundings,
} from './software.ts';
import { checkStorage, withListedSizes } from './storage.ts';

/** The quick checks, run by the site itself: none reads every file or requests the site's address. */
export async function examineRunningSite(
  { config, database, url }: { config: Config; database: Database; url: string },
  report: Report,
): Promise<void> {
  const opened = { database, url, server: 'site' as const, close: async () => undefined };
  checkNode(report);
  const slow: Check<Config>[] = [checkBuild, checkSite];
  await runAll(
    configChecks.filter((check) => !slow.includes(check)),
    config,
    report,
  );
  await runAll([...databaseChecks, ...contentChecks], { config, opened }, report);
}

type Check<Subject> = (subject: Subject, report: Report) => void | Promise<void>;

const configChecks: Check<Config>[] = [
  checkBuild,
  checkSound,
  checkVoice,
  checkEnvFile,
  checkOperator,
  checkAddresses,
  checkDataDir,
  checkBackupDir,
  checkPasswordFile,
  checkDatabaseFolder,
  checkSpace,
  checkSite,
  checkMail,
  checkSignIn,
  checkSecret,
  checkRegionDatabase,
  checkOpenIdProviders,
  (config, report) => checkPayments(config, report),
];

/** These work with the schema of any version. */
const databaseChecks: Check<StoredSite>[] = [checkServer, checkOwnership, checkProcesses, checkSchema, checkClock];

/** These compare the stored files with the database. */
const fileChecks: Check<StoredFiles>[] = [checkFiles, checkOrphans, checkImages];

/** These query tables, so they need this version's schema. */
const contentChecks: Check<StoredSite>[] = [
  checkAccounts,
  checkCatalogue,
  checkHiddenCreators,
  checkPreview,
  checkWaitingMails,
  checkLateFiles,
];

/** All checks. Changes nothing, and works while the site runs and while it is stopped. */
export async function examine(context: Surroundings, report: Report): Promise<void> {
  checkNode(report);
  const config = checkSettings(context, report);
  await runAll(configChecks, config, report);
  if (!hasDataDir(config) && config.databaseUrl === undefined) return;
  const isStorageThere = config.storage === undefined || (await checkStorage(config.storage, report));

  const opened = await openForDoctor(config, context, report);
  if (opened === undefined) return;
  try {
    await examineStored({ config, opened }, { isStorageThere }, report);
  } finally {
    await opened.close();
  }
}

/** Database and files, without settings and services. */
export async function examineStored(
  site: StoredSite,
  { isStorageThere }: { isStorageThere: boolean },
  report: Report,
): Promise<void> {
  const { config, opened } = site;
  try {
    await runAll(databaseChecks, site, report);
    const references = await readBlobReferences(opened.database.pool);
    const blobs = isStorageThere ? await openFiles(config, references.length, report) : undefined;
    if (blobs !== undefined) await runAll(fileChecks, { references, blobs }, report);
    if (!(await isSchemaCurrent(opened))) return;
    await runAll(contentChecks, site, report);
    await checkSearchIndex(site, report);
    await checkFileRows({ opened, references }, report);
    if (blobs !== undefined) await checkFeedCovers({ opened, blobs }, report);
  } catch (error) {
    report('FAIL', 'Database', `it answers with an error: ${(error as Error).message}`);
  }
}

/** @returns undefined when the folder of files is missing: opening it would create it, and checks change nothing */
async function openFiles(config: Config, named: number, report: Report): Promise<Blobs | undefined> {
  if (config.storage !== undefined) return withListedSizes(await openBlobs(config));
  const folder = join(config.dataDir, 'blobs');
  if (existsSync(folder)) return openBlobs(config);
  if (named > 0)
    report(
      'FAIL',
      'Files',
      `${folder} is missing, and the database names ${countOf(named, 'file')}; correct DATA_DIR, or restore the folder from a backup`,
    );
  return undefined;
}

async function runAll<Subject>(checks: Check<Subject>[], subject: Subject, report: Report): Promise<void> {
  for (const check of checks) await check(subject, report);
}
