import { isIP } from 'node:net';
import { parse, resolve } from 'node:path';
import { z } from 'zod';
import { isLoopback } from '#domain/kernel/rules.ts';
import { ConfigError, flag, httpUrl, wholeNumber } from './values.ts';

const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\/\S+$/, 'must look like postgres://user:password@host:5432/name')
  .refine((url) => findUnencoded(url) === undefined, {
    error: ({ input }) => describeUnencoded(findUnencoded(String(input)) ?? ''),
  })
  .refine(isDatabaseUrl, {
    error:
      'must look like postgres://user:password@host:5432/name; in the password, write / ? # and @ as %2F %3F %23 and %40',
  })
  .transform(withPlainSslMode);

/** How the site is reached. */
export const addressSettings = {
  HOST: z
    .string()
    .refine((host) => host === 'localhost' || isIP(host) !== 0, 'must be an IP address or localhost')
    .default('127.0.0.1')
    .describe('IP address to listen on, or `localhost`'),
  PORT: wholeNumber(0, 65535).default(3000).describe('Port to listen on'),
  SITE_URL: httpUrl
    .refine(
      (url) => /^https?:\/\/[^/?#]+\/?$/.test(url),
      'must be an address without a path, such as https://sotto.example',
    )
    .optional()
    .meta({
      description:
        'Public address of the site, such as `https://sotto.example`. Links in emails and feeds use it, never the `Host` header. Required when other machines can reach `HOST`',
      unset: '`http://HOST:PORT`',
    }),
  OLD_SITE_URLS: z
    .string()
    .transform((list) => list.split(',').map((url) => url.trim()))
    .pipe(z.array(httpUrl))
    .optional()
    .describe(
      'Former addresses of the site, separated by commas. They redirect to `SITE_URL` permanently; unknown host names redirect temporarily',
    ),
  HSTS_SUBDOMAINS: flag
    .default(false)
    .describe(
      '`true` tells browsers to use TLS for all subdomains of the site too. On an https site, browsers always use TLS for the site’s own host',
    ),
  TRUST_PROXY: wholeNumber(0, 5)
    .default(0)
    .describe('Number of proxies that append to `X-Forwarded-For`. `0` ignores the header'),
  CLIENT_CONNECTIONS: wholeNumber(10, 100_000)
    .default(256)
    .describe('Maximum number of open connections per client; behind a proxy, of open requests'),
  PROXY_CACHE: flag.default(false).describe('`true` lets a proxy cache visitors’ pages for 10 seconds'),
};

/** Stored data and the database. */
export const databaseSettings = {
  DATA_DIR: z
    .string()
    .regex(/^\P{Cc}+$/u, 'must be one line of plain characters')
    .refine(
      (path) => resolve(path) !== parse(resolve(path)).root,
      'must be a folder of its own, not the root of the file system',
    )
    .default('data')
    .describe('Folder for all stored data: the included database, files and caches'),
  DATABASE_URL: postgresUrl.optional().meta({
    description: 'PostgreSQL 15 or later, such as `postgres://user:password@host:5432/name`',
    unset: 'the included PostgreSQL, in `DATA_DIR`',
  }),
  DATABASE_DIRECT_URL: postgresUrl.optional().meta({
    description:
      'Direct address of PostgreSQL when `DATABASE_URL` is PgBouncer in transaction mode. Notifications, migrations, backups and commands use it',
    unset: '`DATABASE_URL`',
  }),
  DATABASE_READ_URL: postgresUrl
    .optional()
    .describe('A read replica for visitors’ pages, lists and searches. While it is down, the primary answers'),
  DATABASE_POOL_SIZE: wholeNumber(1, 200)
    .default(10)
    .describe('Maximum number of pooled database connections per process'),
  MIGRATE_ON_START: flag.default(true).describe('`false` leaves schema changes to `sotto migrate`'),
  IMAGE_CACHE_MB: wholeNumber(10, 100_000).default(1024).describe('Disk cache for scaled images, in MB per process'),
};

type ServerValues = z.infer<z.ZodObject<typeof addressSettings & typeof databaseSettings>>;

/** @throws ConfigError */
export function serverConfig(value: ServerValues) {
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const)
    if (value[name] !== undefined && value.DATABASE_URL === undefined)
      throw new ConfigError(`the setting DATABASE_URL is missing: ${name} is an addition to it`);
  const siteUrl = siteUrlOf(value);
  return {
    host: value.HOST,
    port: value.PORT,
    dataDir: resolve(value.DATA_DIR),
    /** Undefined: the site runs its own PostgreSQL under `dataDir`. */
    databaseUrl: value.DATABASE_URL,
    databaseDirectUrl: value.DATABASE_DIRECT_URL,
    databaseReadUrl: value.DATABASE_READ_URL,
    migrateOnStart: value.MIGRATE_ON_START,
    databasePoolSize: value.DATABASE_POOL_SIZE,
    /** Origin without a trailing slash; used for every absolute link, never the Host header. */
    siteUrl,
    oldSiteUrls: oldSiteUrlsOf(value.OLD_SITE_URLS, siteUrl),
    hstsSubdomains: value.HSTS_SUBDOMAINS,
    trustProxy: value.TRUST_PROXY,
    clientConnections: value.CLIENT_CONNECTIONS,
    proxyCache: value.PROXY_CACHE,
    imageCacheBytes: value.IMAGE_CACHE_MB * 1024 * 1024,
  };
}

function oldSiteUrlsOf(urls: string[] = [], siteUrl: string): string[] {
  const { hostname } = new URL(siteUrl);
  if (urls.some((url) => new URL(url).hostname === hostname))
    throw new ConfigError(`the setting OLD_SITE_URLS is wrong: ${hostname} is the host of SITE_URL itself`);
  return urls;
}

function siteUrlOf({ HOST, PORT, SITE_URL }: { HOST: string; PORT: number; SITE_URL?: string | undefined }): string {
  if (SITE_URL !== undefined) return new URL(SITE_URL).origin;
  if (!isLoopback(HOST))
    throw new ConfigError(
      `the setting SITE_URL is missing: with HOST=${HOST} others can reach the site, so it must know its own address, such as https://sotto.example`,
    );
  const urlHost = HOST.includes(':') ? `[${HOST}]` : HOST;
  return new URL(`http://${urlHost}:${PORT}`).origin;
}

/** A character of the user's name or password that is special in URLs, and must be encoded there. */
function findUnencoded(url: string): string | undefined {
  const [, rest = ''] = /^\w+:\/\/(.*)$/s.exec(url) ?? [];
  const end = rest.lastIndexOf('@');
  const login = rest.slice(0, Math.max(0, end));
  // An @ after the host, as in ?user=a@b.
  if (/[/?#]/.test(login) && isDatabaseUrl(url)) return undefined;
  return /[@/?#[\]]|%(?![0-9a-f]{2})/i.exec(login)?.[0];
}

function describeUnencoded(character: string): string {
  const code = `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return `its user name or password holds ${character}, which has a meaning in addresses; write ${code} instead`;
}

function isDatabaseUrl(url: string): boolean {
  // The host may be missing when the query names a socket.
  return URL.canParse(url.replace('@/', '@host/'));
}

/**
 * pg treats these three modes as `verify-full`, which is stronger than in PostgreSQL, and warns at every start. Naming
 * the effective mode avoids the warning.
 */
function withPlainSslMode(url: string): string {
  if (/[?&]uselibpqcompat=true(?:&|$)/.test(url)) return url;
  return url.replaceAll(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g, '$1verify-full');
}
