import type { Config } from '#config';
import { openProviders } from '#start/open-providers.ts';
import { type Report, reportOn } from './report.ts';

/** Providers that are asked about people: whether they answer, as a visit would find them. */
export async function checkOpenIdProviders(config: Config, report: Report): Promise<void> {
  const { ageProvider, creatorProvider } = openProviders(config);
  const providers = { AGE_PROVIDER_ISSUER: ageProvider, VERIFICATION_PROVIDER_ISSUER: creatorProvider };
  for (const [setting, provider] of Object.entries(providers)) {
    if (provider === undefined) continue;
    const part = reportOn(setting, report);
    const visit = { returnTo: config.siteUrl, state: 'doctor', nonce: 'doctor', codeVerifier: 'doctor'.repeat(8) };
    const values = { host: provider.host };
    if ((await provider.client.begin(visit)) !== undefined)
      part.ok(/*i18n*/ { id: 'doctor.openid', message: '{host} answers as an OpenID provider', values });
    else
      part.fail(
        /*i18n*/ {
          id: 'doctor.openid.silent',
          message:
            '{host} does not answer as an OpenID provider: its address has to lead to /.well-known/openid-configuration',
          values,
        },
      );
  }
}
