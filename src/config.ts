import { existsSync } from 'node:fs';
import { z } from 'zod';
import { identityConfig, identitySettings } from './settings/identity.ts';
import type { IdentityConfig } from './settings/identity.ts';
import { mailConfig, mailSettings } from './settings/mail.ts';
import type { MailConfig } from './settings/mail.ts';
import { processConfig, processSettings } from './settings/process.ts';
import type { ProcessConfig } from './settings/process.ts';
import { isLoopback, serverConfig, serverSettings } from './settings/server.ts';
import type { ServerConfig } from './settings/server.ts';
import { serviceConfig, serviceSettings } from './settings/services.ts';
import type { ServiceConfig } from './settings/services.ts';
import { siteConfig, siteSettings } from './settings/site.ts';
import type { SiteConfig } from './settings/site.ts';
import { ConfigError } from './settings/values.ts';

export { ConfigError, isLoopback };

/** The environment, parsed once; nothing else reads it. The settings are declared by topic in `settings/`. */
export type Config = ServerConfig & SiteConfig & IdentityConfig & ServiceConfig & ProcessConfig & { mail: MailConfig };

const settings = z.object({
  ...serverSettings,
  ...siteSettings,
  ...mailSettings,
  ...identitySettings,
  ...serviceSettings,
  ...processSettings,
});

export const settingNames: readonly string[] = Object.keys(settings.shape);

/**
 * Parses the environment. Empty values count as absent, as in `.env` files.
 * @throws ConfigError naming the first wrong setting
 */
export function parseConfig(environment: Record<string, string | undefined>): Config {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const parsed = settings.safeParse(present);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = String(issue?.path[0]);
    throw new ConfigError(`the setting ${name} is wrong: ${issue?.message ?? 'it cannot be used'}`);
  }
  const values = parsed.data;
  const server = serverConfig(values);
  const site = siteConfig(values);
  return {
    ...server,
    ...site,
    ...identityConfig(values, server),
    ...serviceConfig(values),
    ...processConfig(values, server),
    mail: mailConfig(values, { siteName: site.siteName, siteUrl: server.siteUrl }),
  };
}

/** Reads the settings from the environment, and from a `.env` file for those that the environment lacks. */
export function readConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return parseConfig(process.env);
}
