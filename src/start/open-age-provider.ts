import type { Config } from '#config';
import type { AgeProvider } from '#domain/age/ways.ts';
import { openOpenIdProvider } from '#gateways/openid-provider.ts';

/** The age provider of the settings. */
export function openAgeProvider({ ageProvider }: Pick<Config, 'ageProvider'>): AgeProvider | undefined {
  if (ageProvider === undefined) return undefined;
  const { name, host, claim, value, ...client } = ageProvider;
  return { name, host, claim, value, client: openOpenIdProvider(client) };
}
