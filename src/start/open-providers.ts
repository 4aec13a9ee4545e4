import type { Config } from '#config';
import type { AgeProvider } from '#domain/age/ways.ts';
import type { CreatorProvider } from '#domain/verification/provider-checks.ts';
import { openOpenIdProvider } from '#gateways/openid-provider.ts';

/** The providers of the settings that are asked for facts about people. */
export function openProviders({ ageProvider, creatorProvider }: Pick<Config, 'ageProvider' | 'creatorProvider'>): {
  ageProvider: AgeProvider | undefined;
  creatorProvider: CreatorProvider | undefined;
} {
  return {
    ageProvider: ageProvider && { ...ageProvider, client: openOpenIdProvider(ageProvider) },
    creatorProvider: creatorProvider && { ...creatorProvider, client: openOpenIdProvider(creatorProvider) },
  };
}
