import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '#config';
import { readSiteId, refuseOtherOwner } from '#db/data-dir-owner.ts';
import type { Database } from '#db/database.ts';
import { StartError } from '#db/embedded/start-error.ts';
import { refuseOtherFingerprints } from '#db/fingerprints.ts';
import type { Blobs } from '#domain/gateways.ts';
import { siteNameOf } from '#domain/look/settings.ts';
import { type Settings, openSettings } from '#domain/settings/open-settings.ts';
import { membershipSetting, plansOf } from '#domain/membership/settings.ts';
import { StorageError } from '#gateways/s3-failure.ts';
import { openLocalBlobs, openRemoteBlobs } from './open-blobs.ts';
import { checkPlans, openLivePayments, refuseForgottenKeys, refuseTestCards } from './open-payments.ts';
import { describeListenFailure } from './http-server.ts';
import { readSecret } from './site-secret.ts';

/** Refuses a start for its settings alone, or for what the storage answers. Writes nothing. @throws StartError */
export async function checkSettings(config: Config): Promise<void> {
  refuseTestCards(config);
  await refuseTakenPort(config);
  if (config.storage !== undefined) await askStorage(await openRemoteBlobs(config.storage));
}

/**
 * Refuses a start for what its database says, whatever its schema, and for the prices of the payment provider. Writes
 * nothing.
 * @param database undefined: it does not exist yet
 * @returns the storage's id, if it was asked for
 * @throws StartError
 */
export async function checkDatabase(
  config: Config,
  { database, log }: { database: Database | undefined; log: Logger },
): Promise<string | undefined> {
  const [hasSettings, hasFingerprints] = await findTables(database, ['site_settings', 'operations.fingerprints']);
  const readable = hasSettings === true ? database : undefined;
  refuseOtherOwner(config, readable && (await readSiteId(readable.pool)));
  if (readable !== undefined) await refuseForgottenKeys(config, readable.primary);
  const storageId =
    database !== undefined && hasFingerprints === true && config.databaseUrl !== undefined
      ? await asStartError(async () =>
          refuseOtherFingerprints({
            db: database.primary,
            blobs: await openExistingBlobs(config),
            secret: await readSecret(config),
          }),
        )
      : undefined;
  await checkLivePrices(config, readable && (await openSettings({ db: readable.primary })), log);
  return storageId;
}

async function findTables(database: Database | undefined, names: string[]): Promise<boolean[]> {
  if (database === undefined) return [];
  const { rows } = await database.pool.query<{ exists: boolean }>(
    'select to_regclass(name) is not null as exists from unnest($1::text[]) with ordinality as t (name, place) order by place',
    [names],
  );
  return rows.map(({ exists }) => exists);
}

/** Only a live account is asked without writing: prices of a test account are created. */
async function checkLivePrices(config: Config, settings: Settings | undefined, log: Logger): Promise<void> {
  const siteName = () => (settings === undefined ? config.siteName : siteNameOf(settings, config.siteName));
  const provider = openLivePayments(config, siteName);
  if (provider === undefined) return;
  const stored = settings?.read(membershipSetting) ?? membershipSetting.schema.parse({});
  await checkPlans(() => provider.checkPlans(plansOf(stored, provider.capabilities)), log);
}

async function openExistingBlobs(config: Config): Promise<Blobs | undefined> {
  if (config.storage !== undefined) return openRemoteBlobs(config.storage);
  return existsSync(join(config.dataDir, 'blobs')) ? openLocalBlobs(config) : undefined;
}

/** The answer to a list says what is wrong: key, secret, region, rights or bucket. */
async function askStorage(blobs: Blobs): Promise<void> {
  await asStartError(async () => {
    const listed = blobs.list('')[Symbol.asyncIterator]();
    await listed.next();
    await listed.return?.();
  });
}

async function asStartError<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const { explanation } = error;
    throw new StartError(explanation.includes('S3_') ? explanation : `${explanation}; is S3_ENDPOINT right?`);
  }
}

async function refuseTakenPort({ host, port }: Config): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error) => reject(describeListenFailure(error, { host, port })));
    probe.listen({ port, host }, () => probe.close(() => resolve()));
  });
}
