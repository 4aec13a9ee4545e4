import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { isLoopback } from '#domain/kernel/rules.ts';
import { claimValue, openIdConfig } from './openid.ts';
import { ConfigError, httpUrl } from './values.ts';

/** The region that rules of age are chosen by, and an age provider. */
export const ageSettings = {
  REGION_HEADER: z
    .string()
    .regex(/^[A-Za-z][\w-]*(?:, *[A-Za-z][\w-]*)?$/, 'must be a header such as CF-IPCountry, or two with a comma')
    .transform((names) => names.toLowerCase().split(/, */))
    .optional()
    .describe(
      'Header with the visitor’s country (`FR`, `US-TX`), set by the proxy of `TRUST_PROXY`, such as `CF-IPCountry`. A second one after a comma has the state: `CF-IPCountry,CF-Region-Code`. The proxy must remove what clients send',
    ),
  REGION_DATABASE: z
    .string()
    .refine(isAbsolute, 'must be a whole path, such as /var/lib/GeoIP/GeoLite2-City.mmdb')
    .optional()
    .describe(
      'File that knows country and state of addresses, in the format MMDB, such as GeoLite2 Country or City, or DB-IP Lite. It is read at the start, and asked where `REGION_HEADER` names no place',
    ),
  AGE_PROVIDER_ISSUER: httpUrl
    .optional()
    .describe(
      'Age provider: its issuer in OpenID Connect, such as `https://ageproof.example`. Set this and the next two. The address that it leads back to is `/age/return`',
    ),
  AGE_PROVIDER_CLIENT_ID: z.string().optional().describe('Age provider: client ID'),
  AGE_PROVIDER_CLIENT_SECRET: z.string().optional().describe('Age provider: client secret'),
  AGE_PROVIDER_NAME: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .optional()
    .meta({ description: 'Age provider: its name for visitors', unset: 'the host of its issuer' }),
  AGE_PROVIDER_SCOPE: z.string().default('openid').describe('Age provider: scopes that it is asked for'),
  AGE_PROVIDER_CLAIM: z
    .string()
    .default('age_over_18')
    .describe('Age provider: the claim that says whether somebody is old enough. Nothing else is read'),
  AGE_PROVIDER_VALUE: claimValue.meta({
    description: 'Age provider: what the claim must be, as JSON: `true`, `18`, or a text in quotes',
    unset: '`true`',
  }),
};

type Values = z.infer<z.ZodObject<typeof ageSettings>>;

/** @throws ConfigError */
export function ageConfig(
  { REGION_HEADER, REGION_DATABASE, ...provider }: Values,
  { host, siteUrl, trustProxy }: { host: string; siteUrl: string; trustProxy: number },
) {
  if (REGION_HEADER !== undefined && trustProxy === 0)
    throw new ConfigError('the setting REGION_HEADER needs TRUST_PROXY: only a proxy’s word counts');
  return {
    /** Lower-case names: country, state. */
    regionHeaders: REGION_HEADER,
    regionDatabase: REGION_DATABASE,
    /** Undefined: there is none. */
    ageProvider: providerConfig(provider),
    /** No other machine can open the site. */
    isOnlyLocal: isLoopback(host) && isLoopback(new URL(siteUrl).hostname),
  };
}

function providerConfig(values: Omit<Values, 'REGION_HEADER' | 'REGION_DATABASE'>) {
  const provider = openIdConfig('the age provider', 'AGE_PROVIDER', {
    issuer: values.AGE_PROVIDER_ISSUER,
    clientId: values.AGE_PROVIDER_CLIENT_ID,
    clientSecret: values.AGE_PROVIDER_CLIENT_SECRET,
    name: values.AGE_PROVIDER_NAME,
  });
  return (
    provider && {
      ...provider,
      scope: values.AGE_PROVIDER_SCOPE,
      claim: values.AGE_PROVIDER_CLAIM,
      value: values.AGE_PROVIDER_VALUE ?? true,
    }
  );
}
