import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { parse, resolve } from 'node:path';
import { z } from 'zod';

/** A setting that cannot be used; the message is one line for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const flag = z
  .enum(['true', 'false', '1', '0', 'yes', 'no'], { error: 'must be true or false' })
  .transform((value) => value === 'true' || value === '1' || value === 'yes');

const httpUrl = z.url({
  protocol: /^https?$/,
  hostname: /./,
  error: 'must be an address such as https://sotto.example',
});

function wholeNumber(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error });
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const settings = z.object({
  HOST: z
    .string()
    .refine((host) => host === 'localhost' || isIP(host) !== 0, 'must be an IP address or localhost')
    .default('127.0.0.1'),
  PORT: wholeNumber(0, 65535).default(3000),
  DATA_DIR: z
    .string()
    .regex(/^\P{Cc}+$/u, 'must be one line of plain characters')
    .refine(
      (path) => resolve(path) !== parse(resolve(path)).root,
      'must be a folder of its own, not the root of the file system',
    )
    .default('data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/\S+$/, 'must look like postgres://user:password@host:5432/name')
    .transform(withPlainSslMode)
    .optional(),
  DATABASE_POOL_SIZE: wholeNumber(1, 200).default(10),
  DEMO: flag.default(true),
  SITE_NAME: z.string().trim().max(40, 'must have no more than 40 characters').default('Sotto'),
  SITE_URL: httpUrl
    .refine(
      (url) => /^https?:\/\/[^/?#]+\/?$/.test(url),
      'must be an address without a path, such as https://sotto.example',
    )
    .optional(),
  TRUST_PROXY: wholeNumber(0, 5).default(0),
  PROXY_CACHE: flag.default(false),
  APP_STORE_URL: httpUrl.optional(),
  PLAY_STORE_URL: httpUrl.optional(),
  SECRET: z
    .string()
    .min(32, 'must have at least 32 characters, such as those that `openssl rand -base64 32` prints')
    .optional(),
  MAIL_URL: z
    .string()
    .regex(/^smtps?:\/\/\S+$/, 'must look like smtp://user:password@mail.example:587')
    .optional(),
  MAIL_FROM: z
    .string()
    .max(200)
    .regex(/^[^\r\n]+@[^\r\n]+$/, 'must be an address such as hello@sotto.example')
    .optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  FACEBOOK_CLIENT_ID: z.string().optional(),
  FACEBOOK_CLIENT_SECRET: z.string().optional(),
  TRANSPORT_KEY: z
    .string()
    .regex(
      /^([0-9a-f]{64}|[0-9a-z+/]{43}=?)$/i,
      'must be 32 bytes in base64 or hex, such as `openssl rand -base64 32` prints',
    )
    .transform((text) => Buffer.from(text, text.length === 64 ? 'hex' : 'base64').toString('base64'))
    .optional(),
  FIREBASE_PROJECT_ID: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.:-]{2,60}$/, 'must be the id of a Firebase project, such as my-sotto')
    .optional(),
  FIREBASE_API_KEY: z
    .string()
    .regex(/^[\w-]{3,100}$/, 'must be the API key of the project’s web app')
    .optional(),
  FIREBASE_AUTH_DOMAIN: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]*$/i, 'must be a host name such as my-sotto.firebaseapp.com')
    .optional(),
  FIREBASE_EMULATOR_HOST: z
    .string()
    .regex(/^[a-z0-9.-]+:\d{1,5}$/i, 'must be a host and a port, such as 127.0.0.1:9099')
    .optional(),
  ALGOLIA_APP_ID: z
    .string()
    .regex(/^[A-Za-z0-9]{4,40}$/, 'must be the id of an Algolia application, such as BH4D9OD16A')
    .optional(),
  ALGOLIA_API_KEY: z
    .string()
    .regex(/^[A-Za-z0-9]{8,100}$/, 'must be an API key of the Algolia application')
    .optional(),
  ALGOLIA_INDEX_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,40}$/, 'must be 1 to 40 letters, digits, _ or -')
    .default('sotto'),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(live|test)_\w+$/, 'must be a secret key of Stripe, such as sk_live_…')
    .optional(),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(live|test)_\w+$/, 'must be the publishable key of Stripe, such as pk_live_…')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S+$/, 'must be the signing secret of the webhook, such as whsec_…')
    .optional(),
  IMAGE_CACHE_MB: wholeNumber(10, 100_000).default(1024),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
});

export type SocialClient = { clientId: string; clientSecret: string };

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
  /** Encrypts the keys of the built-in identity provider. Absent: one is made and kept in `dataDir`. */
  secret: string | undefined;
  mail: {
    /** Absent: mails are kept as files in `dataDir`. */
    url: string | undefined;
    from: string;
  };
  social: { google: SocialClient | undefined; facebook: SocialClient | undefined };
  /** 32 bytes in base64: with it, the API's second version is encrypted (decision 009). */
  transportKey: string | undefined;
  /** Absent: the built-in identity provider. */
  firebase:
    | {
        projectId: string;
        apiKey: string;
        /** Host name of the project's sign-in pages. */
        authDomain: string;
        /** `host:port` of Google's Auth emulator, whose tokens anyone can make. */
        emulatorHost: string | undefined;
      }
    | undefined;
  /** Absent: the built-in search index. */
  algolia: { appId: string; apiKey: string; prefix: string } | undefined;
  /** Absent: the built-in sandbox, which takes test cards alone. */
  stripe: { secretKey: string; publishableKey: string; webhookSecret: string } | undefined;
  imageCacheBytes: number;
  logLevel: string;
};

/** Nobody but this machine can reach it. @param host as it stands in an address */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

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
  const loopback = isLoopback(value.HOST);
  if (!loopback && value.SITE_URL === undefined) {
    throw new ConfigError(
      `the setting SITE_URL is missing: with HOST=${value.HOST} others can reach the site, so it must know its own address, such as https://sotto.example`,
    );
  }
  const urlHost = value.HOST.includes(':') ? `[${value.HOST}]` : value.HOST;
  const siteUrl = new URL(value.SITE_URL ?? `http://${urlHost}:${value.PORT}`);
  return {
    host: value.HOST,
    port: value.PORT,
    dataDir: resolve(value.DATA_DIR),
    databaseUrl: value.DATABASE_URL,
    databasePoolSize: value.DATABASE_POOL_SIZE,
    demo: value.DEMO,
    siteName: value.SITE_NAME,
    siteUrl: siteUrl.origin,
    trustProxy: value.TRUST_PROXY,
    proxyCache: value.PROXY_CACHE,
    appLinks: { ios: value.APP_STORE_URL, android: value.PLAY_STORE_URL },
    secret: value.SECRET,
    mail: { url: value.MAIL_URL, from: value.MAIL_FROM ?? `no-reply@${siteUrl.hostname}` },
    social: {
      google: socialClient('GOOGLE', value.GOOGLE_CLIENT_ID, value.GOOGLE_CLIENT_SECRET),
      facebook: socialClient('FACEBOOK', value.FACEBOOK_CLIENT_ID, value.FACEBOOK_CLIENT_SECRET),
    },
    transportKey: value.TRANSPORT_KEY,
    firebase: firebaseProject(value, { isAlone: loopback && isLoopback(siteUrl.hostname) }),
    algolia: algoliaApplication(value),
    stripe: stripeAccount(value),
    imageCacheBytes: value.IMAGE_CACHE_MB * 1024 * 1024,
    logLevel: value.LOG_LEVEL,
  };
}

/** @param site whether nobody but this machine can reach it, by its address and where it listens */
function firebaseProject(value: z.infer<typeof settings>, site: { isAlone: boolean }): Config['firebase'] {
  const { FIREBASE_PROJECT_ID, FIREBASE_API_KEY, FIREBASE_AUTH_DOMAIN } = value;
  const parts = { FIREBASE_PROJECT_ID, FIREBASE_API_KEY, FIREBASE_AUTH_DOMAIN };
  const emulatorHost = value.FIREBASE_EMULATOR_HOST;
  if (Object.values(parts).every((part) => part === undefined) && emulatorHost === undefined) return undefined;
  if (FIREBASE_PROJECT_ID === undefined || FIREBASE_API_KEY === undefined || FIREBASE_AUTH_DOMAIN === undefined) {
    const missing = Object.entries(parts).filter(([, part]) => part === undefined);
    const names = missing.map(([name]) => name).join(' and ');
    throw new ConfigError(`for Firebase, ${names} ${missing.length > 1 ? 'are' : 'is'} missing`);
  }
  if (emulatorHost !== undefined && !site.isAlone)
    throw new ConfigError(
      'the setting FIREBASE_EMULATOR_HOST is for a site on this machine alone: anyone can make the emulator’s tokens',
    );
  return {
    projectId: FIREBASE_PROJECT_ID,
    apiKey: FIREBASE_API_KEY,
    authDomain: FIREBASE_AUTH_DOMAIN.toLowerCase(),
    emulatorHost,
  };
}

function algoliaApplication(value: z.infer<typeof settings>): Config['algolia'] {
  const { ALGOLIA_APP_ID: appId, ALGOLIA_API_KEY: apiKey, ALGOLIA_INDEX_PREFIX: prefix } = value;
  if (appId === undefined && apiKey === undefined) return undefined;
  if (appId === undefined || apiKey === undefined)
    throw new ConfigError('ALGOLIA_APP_ID and ALGOLIA_API_KEY belong together; one of them is missing');
  return { appId, apiKey, prefix };
}

function stripeAccount(value: z.infer<typeof settings>): Config['stripe'] {
  const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET } = value;
  const parts = { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET };
  if (Object.values(parts).every((part) => part === undefined)) return undefined;
  if (STRIPE_SECRET_KEY === undefined || STRIPE_PUBLISHABLE_KEY === undefined || STRIPE_WEBHOOK_SECRET === undefined) {
    const missing = Object.entries(parts).filter(([, part]) => part === undefined);
    const names = missing.map(([name]) => name).join(' and ');
    throw new ConfigError(`for Stripe, ${names} ${missing.length > 1 ? 'are' : 'is'} missing`);
  }
  const isLive = (key: string) => key.includes('_live_');
  if (isLive(STRIPE_SECRET_KEY) !== isLive(STRIPE_PUBLISHABLE_KEY))
    throw new ConfigError(
      'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are of different kinds: one is live, one a test',
    );
  return {
    secretKey: STRIPE_SECRET_KEY,
    publishableKey: STRIPE_PUBLISHABLE_KEY,
    webhookSecret: STRIPE_WEBHOOK_SECRET,
  };
}

function socialClient(name: string, clientId: string | undefined, clientSecret: string | undefined) {
  if (clientId === undefined && clientSecret === undefined) return undefined;
  if (clientId === undefined || clientSecret === undefined)
    throw new ConfigError(`${name}_CLIENT_ID and ${name}_CLIENT_SECRET belong together; one of them is missing`);
  return { clientId, clientSecret };
}

/**
 * pg takes these three for `verify-full`, which is stronger than what PostgreSQL means by them, and warns of it at every
 * start. Named as what they are, they mean the same and are quiet.
 */
function withPlainSslMode(url: string): string {
  if (/[?&]uselibpqcompat=true(?:&|$)/.test(url)) return url;
  return url.replaceAll(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g, '$1verify-full');
}

/** The settings of this process: its environment, and a `.env` file beside it for what the environment does not say. */
export function readConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return parseConfig(process.env);
}
