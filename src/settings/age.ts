import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { isLoopback } from '#domain/kernel/rules.ts';
import { ConfigError } from './values.ts';

/** The region that rules of age are chosen by. */
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
};

type Values = z.infer<z.ZodObject<typeof ageSettings>>;

/** @throws ConfigError */
export function ageConfig(
  { REGION_HEADER, REGION_DATABASE }: Values,
  { host, siteUrl, trustProxy }: { host: string; siteUrl: string; trustProxy: number },
) {
  if (REGION_HEADER !== undefined && trustProxy === 0)
    throw new ConfigError('the setting REGION_HEADER needs TRUST_PROXY: only a proxy’s word counts');
  return {
    /** Lower-case names: country, state. */
    regionHeaders: REGION_HEADER,
    regionDatabase: REGION_DATABASE,
    /** No other machine can open the site. */
    isOnlyLocal: isLoopback(host) && isLoopback(new URL(siteUrl).hostname),
  };
}
