import { z } from 'zod';
import { isLoopback } from '#domain/kernel/rules.ts';
import { ConfigError, areAllUnset, requireAll } from './values.ts';

const isClaimValue = z.union([z.string(), z.number(), z.boolean()]);

/** JSON, so that `true` is not the text. */
export const claimValue = z
  .string()
  .transform((text, { addIssue }) => {
    const { success, data } = isClaimValue.safeParse(jsonIn(text));
    if (!success) addIssue('must be JSON: true, a number, or a text in quotes');
    return data;
  })
  .optional();

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Given = Record<'issuer' | 'clientId' | 'clientSecret' | 'name', string | undefined>;

/**
 * A provider of OpenID Connect that is asked for one fact about a person.
 * @param prefix of its settings
 * @returns undefined when it has none
 * @throws ConfigError
 */
export function openIdConfig(
  service: string,
  prefix: 'AGE_PROVIDER' | 'VERIFICATION_PROVIDER',
  { issuer, clientId, clientSecret, name }: Given,
) {
  const values = {
    [`${prefix}_ISSUER`]: issuer,
    [`${prefix}_CLIENT_ID`]: clientId,
    [`${prefix}_CLIENT_SECRET`]: clientSecret,
  };
  if (areAllUnset(values)) return undefined;
  requireAll(service, values);
  const { protocol, hostname, host } = new URL(issuer ?? '');
  if (protocol !== 'https:' && !isLoopback(hostname))
    throw new ConfigError(`the setting ${prefix}_ISSUER needs https: answers could be changed on their way`);
  const client = { issuer: issuer ?? '', clientId: clientId ?? '', clientSecret: clientSecret ?? '' };
  return { ...client, host, name: name ?? host };
}
