import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { isLoopback } from '#domain/kernel/rules.ts';
import { ageConfig } from './settings/age.ts';
import { creatorConfig } from './settings/creators.ts';
import { identityConfig } from './settings/identity.ts';
import { mailConfig } from './settings/mail.ts';
import { findIntendedSetting } from './settings/misspelled-settings.ts';
import { serverConfig } from './settings/server.ts';
import { processConfig } from './settings/process.ts';
import { paymentConfig } from './settings/payments.ts';
import { serviceConfig } from './settings/services.ts';
import { siteConfig } from './settings/site.ts';
import { storageConfig } from './settings/storage.ts';
import { settingTopics as topics } from './settings/topics.ts';
import { uploadConfig } from './settings/uploads.ts';
import { ConfigError } from './settings/values.ts';

export { ConfigError, isLoopback };

/** The environment, parsed once; nothing else reads it. The settings are declared by topic in `settings/`. */
export type Config = ReturnType<typeof parseConfig>;

const settings = z.object({
  ...topics.address.settings,
  ...topics.site.settings,
  ...topics.age.settings,
  ...topics.creators.settings,
  ...topics.identity.settings,
  ...topics.mail.settings,
  ...topics.payments.settings,
  ...topics.database.settings,
  ...topics.storage.settings,
  ...topics.backups.settings,
  ...topics.uploads.settings,
  ...topics.search.settings,
  ...topics.speech.settings,
  ...topics.reporting.settings,
  ...topics.processes.settings,
});

export const settingNames: readonly string[] = Object.keys(settings.shape);

/** In the working folder. */
export const envFile = '.env';

/**
 * Parses the environment. Empty values count as absent, as in `.env` files.
 * @throws ConfigError naming the first wrong setting
 */
export function parseConfig(environment: Record<string, string | undefined>) {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  refuseNearMisses(Object.keys(present));
  const parsed = settings.safeParse(present);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = String(issue?.path[0]);
    throw new ConfigError(`the setting ${name} is wrong: ${issue?.message ?? 'it cannot be used'}`);
  }
  const values = parsed.data;
  const server = serverConfig(values);
  const site = siteConfig(values, server);
  return {
    ...server,
    ...site,
    ...ageConfig(values, server),
    ...creatorConfig(values),
    ...identityConfig(values, server),
    ...serviceConfig(values),
    ...paymentConfig(values),
    ...processConfig(values, server),
    mail: mailConfig(values, { siteUrl: server.siteUrl }),
    /** Names in the `.env` file that are not settings. */
    unknownSettings: [] as string[],
    /** Undefined: files are in `dataDir`. */
    storage: storageConfig(values, server),
    /** Undefined: only the command line makes backups. */
    backups: values.BACKUP_DIR === undefined ? undefined : { dir: values.BACKUP_DIR, kept: values.BACKUPS_KEPT },
    uploads: uploadConfig(values),
  };
}

/** Otherwise a misspelt setting would be ignored silently, and its default used. */
function refuseNearMisses(names: string[]): void {
  for (const name of names) {
    const meant = findIntendedSetting(name, settingNames);
    if (meant !== undefined) throw new ConfigError(`the setting ${name} is unknown: did you mean ${meant}?`);
  }
}

/** Reads the settings from the environment, and from a `.env` file for those that the environment lacks. */
export function readConfig(): Config {
  if (!existsSync(envFile)) return parseConfig(process.env);
  process.loadEnvFile(envFile);
  const names = Object.keys(parseEnv(readFileSync(envFile, 'utf8')));
  return {
    ...parseConfig(process.env),
    unknownSettings: names.filter((name) => !settingNames.includes(name)),
  };
}
