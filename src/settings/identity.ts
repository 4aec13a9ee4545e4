import { join } from 'node:path';
import { z } from 'zod';
import { type SocialProvider, socialIds, socialProviders } from '#domain/identity/social-rules.ts';
import { isLoopback } from '#domain/kernel/rules.ts';
import { areAllUnset, ConfigError, incompletePair, requireAll } from './values.ts';

type SocialSetting<Id extends SocialProvider = SocialProvider> = `${Uppercase<Id>}_CLIENT_${'ID' | 'SECRET'}`;

const idSetting = (id: SocialProvider) => `${id.toUpperCase()}_CLIENT_ID` as SocialSetting;
const secretSetting = (id: SocialProvider) => `${id.toUpperCase()}_CLIENT_SECRET` as SocialSetting;

const socialSettings = Object.fromEntries(
  socialIds.flatMap((id) => {
    const { name, credentials } = socialProviders[id];
    const about = `${name} sign-in: ${credentials}`;
    return [
      [idSetting(id), z.string().optional().describe(`${about} ID. The callback is \`/identity/callback/${id}\``)],
      [secretSetting(id), z.string().optional().describe(`${about} secret`)],
    ];
  }),
) as Record<SocialSetting, z.ZodOptional<z.ZodString>>;

/** Keys, and the built-in identity provider with its social sign-in, or Firebase. */
export const identitySettings = {
  SECRET: z
    .string()
    .min(32, 'must have at least 32 characters, such as those that `openssl rand -base64 32` prints')
    .optional()
    .meta({
      description:
        'Key of everything the site encrypts, signs or hashes: at least 32 characters, the same in every process of a site. Required with `DATABASE_URL`',
      unset: 'generated, stored in `DATA_DIR`',
    }),
  ADMIN_SECOND_FACTOR: z.enum(['required', 'optional'], 'must be required or optional').optional().meta({
    description:
      'Whether Admin requires a second factor (a code or a passkey): `required`, or `optional`, which still asks for one that is set up',
    unset: '`optional` if no other machine can reach the site, else `required`',
  }),
  ...socialSettings,
  FIREBASE_PROJECT_ID: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.:-]{2,60}$/, 'must be the id of a Firebase project, such as my-sotto')
    .optional()
    .describe(
      'Firebase Authentication instead of the built-in identity provider: project ID. Set this and the next two',
    ),
  FIREBASE_API_KEY: z
    .string()
    .regex(/^[\w-]{3,100}$/, 'must be the API key of the project’s web app')
    .optional()
    .describe('Firebase: API key of the project’s web app'),
  FIREBASE_AUTH_DOMAIN: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]*$/i, 'must be a host name such as my-sotto.firebaseapp.com')
    .optional()
    .describe('Firebase: host name of the project’s sign-in pages, such as `my-sotto.firebaseapp.com`'),
  FIREBASE_EMULATOR_HOST: z
    .string()
    .regex(/^[a-z0-9.-]+:\d{1,5}$/i, 'must be a host and a port, such as 127.0.0.1:9099')
    .optional()
    .describe(
      'Firebase: host and port of Google’s Auth emulator, such as `127.0.0.1:9099`. Only for a site on loopback, because anyone can make the emulator’s tokens',
    ),
  TRANSPORT_KEY: z
    .string()
    .regex(
      /^([0-9a-f]{64}|[0-9a-z+/]{43}=?)$/i,
      'must be 32 bytes in base64 or hex, such as `openssl rand -base64 32` prints',
    )
    .transform((text) => Buffer.from(text, text.length === 64 ? 'hex' : 'base64').toString('base64'))
    .optional()
    .describe('32 bytes in base64 or hex. Encrypts calls of `/v2/api`: obfuscation, not security'),
};

type IdentityValues = z.infer<z.ZodObject<typeof identitySettings>>;

/** @throws ConfigError */
export function identityConfig(
  value: IdentityValues,
  site: { host: string; siteUrl: string; dataDir: string; databaseUrl: string | undefined },
) {
  // Each process would generate its own secret, and refuse the passwords and cookies of the others.
  if (value.SECRET === undefined && site.databaseUrl !== undefined)
    throw new ConfigError(
      `the setting SECRET is missing: with DATABASE_URL every process and command of a site needs the same one, such as \`openssl rand -base64 32\` prints; a site that ran without it keeps its own in ${join(site.dataDir, 'secret')}`,
    );
  return {
    /** Undefined, only without DATABASE_URL: stored in `dataDir`. */
    secret: value.SECRET,
    adminSecondFactor: value.ADMIN_SECOND_FACTOR ?? (isOnlyLocal(site) ? 'optional' : 'required'),
    social: socialClients(value),
    /** Undefined: the built-in identity provider. */
    firebase: firebaseConfig(value, site),
    /** In base64. */
    transportKey: value.TRANSPORT_KEY,
  };
}

function socialClients(value: Pick<IdentityValues, SocialSetting>) {
  const clients: Partial<Record<SocialProvider, { clientId: string; clientSecret: string }>> = {};
  for (const id of socialIds) {
    const [clientId, clientSecret] = [value[idSetting(id)], value[secretSetting(id)]];
    if (clientId === undefined && clientSecret === undefined) continue;
    if (clientId === undefined || clientSecret === undefined) throw incompletePair(idSetting(id), secretSetting(id));
    clients[id] = { clientId, clientSecret };
  }
  return clients;
}

function firebaseConfig(
  { FIREBASE_PROJECT_ID, FIREBASE_API_KEY, FIREBASE_AUTH_DOMAIN, FIREBASE_EMULATOR_HOST }: IdentityValues,
  { host, siteUrl }: { host: string; siteUrl: string },
) {
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
