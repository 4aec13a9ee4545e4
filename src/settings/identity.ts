import { join } from 'node:path';
import { z } from 'zod';
import { isLoopback } from '#domain/kernel/rules.ts';
import { areAllUnset, ConfigError, incompletePair, requireAll } from './values.ts';

/** The built-in identity provider with its social sign-in, or Firebase. */
export const identitySettings = {
  SECRET: z
    .string()
    .min(32, 'must have at least 32 characters, such as those that `openssl rand -base64 32` prints')
    .optional(),
  ADMIN_SECOND_FACTOR: z.enum(['required', 'optional'], 'must be required or optional').optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  FACEBOOK_CLIENT_ID: z.string().optional(),
  FACEBOOK_CLIENT_SECRET: z.string().optional(),
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
};

type IdentityValues = z.infer<z.ZodObject<typeof identitySettings>>;

export type SocialClient = { clientId: string; clientSecret: string };

export type FirebaseConfig = {
  projectId: string;
  apiKey: string;
  /** Host name of the project's sign-in pages. */
  authDomain: string;
  /** `host:port` of Google's Auth emulator, whose tokens anyone can make. */
  emulatorHost: string | undefined;
};

export type IdentityConfig = {
  /** Encrypts the keys of the built-in identity provider. Undefined, only without DATABASE_URL: stored in `dataDir`. */
  secret: string | undefined;
  /** Whether Admin requires a second factor. Optional by default only when no other machine can open the site. */
  adminSecondFactor: 'required' | 'optional';
  social: { google: SocialClient | undefined; facebook: SocialClient | undefined };
  /** Undefined: the built-in identity provider. */
  firebase: FirebaseConfig | undefined;
};

/** @throws ConfigError */
export function identityConfig(
  value: IdentityValues,
  site: { host: string; siteUrl: string; dataDir: string; databaseUrl: string | undefined },
): IdentityConfig {
  // Each process would generate its own secret, and refuse the passwords and cookies of the others.
  if (value.SECRET === undefined && site.databaseUrl !== undefined)
    throw new ConfigError(
      `the setting SECRET is missing: with DATABASE_URL every process and command of a site needs the same one, such as \`openssl rand -base64 32\` prints; a site that ran without it keeps its own in ${join(site.dataDir, 'secret')}`,
    );
  return {
    secret: value.SECRET,
    adminSecondFactor: value.ADMIN_SECOND_FACTOR ?? (isOnlyLocal(site) ? 'optional' : 'required'),
    social: {
      google: socialClient('GOOGLE', value.GOOGLE_CLIENT_ID, value.GOOGLE_CLIENT_SECRET),
      facebook: socialClient('FACEBOOK', value.FACEBOOK_CLIENT_ID, value.FACEBOOK_CLIENT_SECRET),
    },
    firebase: firebaseConfig(value, site),
  };
}

function socialClient(
  name: 'GOOGLE' | 'FACEBOOK',
  clientId: string | undefined,
  clientSecret: string | undefined,
): SocialClient | undefined {
  if (clientId === undefined && clientSecret === undefined) return undefined;
  if (clientId === undefined || clientSecret === undefined)
    throw incompletePair(`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`);
  return { clientId, clientSecret };
}

function firebaseConfig(
  { FIREBASE_PROJECT_ID, FIREBASE_API_KEY, FIREBASE_AUTH_DOMAIN, FIREBASE_EMULATOR_HOST }: IdentityValues,
  { host, siteUrl }: { host: string; siteUrl: string },
): FirebaseConfig | undefined {
  const values = { FIREBASE_PROJECT_ID, FIREBASE_API_KEY, FIREBASE_AUTH_DOMAIN };
  if (areAllUnset({ ...values, FIREBASE_EMULATOR_HOST })) return undefined;
  const project = requireAll('Firebase', values);
  if (FIREBASE_EMULATOR_HOST !== undefined && !isOnlyLocal({ host, siteUrl }))
    throw new ConfigError(
      'the setting FIREBASE_EMULATOR_HOST is for a site on this machine alone: anyone can make the emulator’s tokens',
    );
  return {
    projectId: project.FIREBASE_PROJECT_ID,
    apiKey: project.FIREBASE_API_KEY,
    authDomain: project.FIREBASE_AUTH_DOMAIN.toLowerCase(),
    emulatorHost: FIREBASE_EMULATOR_HOST,
  };
}

function isOnlyLocal({ host, siteUrl }: { host: string; siteUrl: string }): boolean {
  return isLoopback(host) && isLoopback(new URL(siteUrl).hostname);
}
