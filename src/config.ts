import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';

/** A setting that cannot be used; the message is one line for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const flag = z
  .enum(['true', 'false', '1', '0', 'yes', 'no'])
  .transform((value) => value === 'true' || value === '1' || value === 'yes');

const httpUrl = z.url({ protocol: /^https?$/, hostname: /./ });

const settings = z.object({
  HOST: z
    .string()
    .refine((host) => host === 'localhost' || isIP(host) !== 0, 'must be an IP address or localhost')
    .default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  DATA_DIR: z.string().min(1).default('data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/\S+$/, 'must look like postgres://user:password@host:5432/name')
    .optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(10),
  DEMO: flag.default(true),
  SITE_NAME: z.string().trim().min(1).max(40).default('Sotto'),
  SITE_URL: httpUrl
    .refine((url) => /^https?:\/\/[^/?#]+\/?$/.test(url), 'must be an origin such as https://sotto.example')
    .optional(),
  TRUST_PROXY: z.coerce.number().int().min(0).max(5).default(0),
  PROXY_CACHE: flag.default(false),
  APP_STORE_URL: httpUrl.optional(),
  PLAY_STORE_URL: httpUrl.optional(),
  IMAGE_CACHE_MB: z.coerce.number().int().min(10).max(100_000).default(1024),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export type Config = {
  host: string;
  port: number;
  /** Absolute path; everything the site keeps is below it. */
  dataDir: string;
  /** Absent: the site brings its own PostgreSQL under `dataDir`. */
  databaseUrl: string | undefined;
  databasePoolSize: number;
  /** Load the demo catalogue into an empty database. */
  demo: boolean;
  siteName: string;
  /** Origin without a trailing slash; used for every absolute link, never the Host header. */
  siteUrl: string;
  /** How many proxies stand in front and append to X-Forwarded-For. */
  trustProxy: number;
  /** A proxy may keep visitors' pages for 10 s. */
  proxyCache: boolean;
  appLinks: { ios: string | undefined; android: string | undefined };
  imageCacheBytes: number;
  logLevel: string;
};

/**
 * Reads the environment once. Empty values count as absent, as in `.env` files.
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
  const value = parsed.data;
  const loopback = value.HOST === 'localhost' || value.HOST === '::1' || value.HOST.startsWith('127.');
  if (!loopback && value.SITE_URL === undefined) {
    throw new ConfigError(
      `the setting SITE_URL is missing: with HOST=${value.HOST} others can reach the site, so it must know its own address, such as https://sotto.example`,
    );
  }
  const urlHost = value.HOST.includes(':') ? `[${value.HOST}]` : value.HOST;
  return {
    host: value.HOST,
    port: value.PORT,
    dataDir: resolve(value.DATA_DIR),
    databaseUrl: value.DATABASE_URL,
    databasePoolSize: value.DATABASE_POOL_SIZE,
    demo: value.DEMO,
    siteName: value.SITE_NAME,
    siteUrl: new URL(value.SITE_URL ?? `http://${urlHost}:${value.PORT}`).origin,
    trustProxy: value.TRUST_PROXY,
    proxyCache: value.PROXY_CACHE,
    appLinks: { ios: value.APP_STORE_URL, android: value.PLAY_STORE_URL },
    imageCacheBytes: value.IMAGE_CACHE_MB * 1024 * 1024,
    logLevel: value.LOG_LEVEL,
  };
}

/** The settings of this process: its environment, and a `.env` file beside it for what the environment does not say. */
export function readConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return parseConfig(process.env);
}
