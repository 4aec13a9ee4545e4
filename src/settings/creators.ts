import { z } from 'zod';
import { claimValue, openIdConfig } from './openid.ts';
import { httpUrl } from './values.ts';

/** A provider that checks who creators are. */
export const creatorSettings = {
  VERIFICATION_PROVIDER_ISSUER: httpUrl
    .optional()
    .describe(
      'Identity provider for creators: its issuer in OpenID Connect, such as `https://ids.example`. Set this and the next two. The address that it leads back to is `/verification/return`',
    ),
  VERIFICATION_PROVIDER_CLIENT_ID: z.string().optional().describe('Identity provider for creators: client ID'),
  VERIFICATION_PROVIDER_CLIENT_SECRET: z.string().optional().describe('Identity provider for creators: client secret'),
  VERIFICATION_PROVIDER_NAME: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .optional()
    .meta({ description: 'Identity provider for creators: its name for them', unset: 'the host of its issuer' }),
  VERIFICATION_PROVIDER_SCOPE: z
    .string()
    .default('openid')
    .describe('Identity provider for creators: scopes that it is asked for'),
  VERIFICATION_PROVIDER_CLAIM: z
    .string()
    .default('identity_verified')
    .describe('Identity provider for creators: the claim that says whether the identity was checked'),
  VERIFICATION_PROVIDER_VALUE: claimValue.meta({
    description: 'Identity provider for creators: what the claim must be, as JSON: `true`, or a text in quotes',
    unset: '`true`',
  }),
  VERIFICATION_PROVIDER_REFERENCE: z
    .string()
    .default('txn')
    .describe(
      'Identity provider for creators: the claim with the number of the check, by which the provider finds it again. It and the claim above are all that is read',
    ),
  VERIFICATION_PROVIDER_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3650)
    .default(365)
    .describe('Identity provider for creators: days for which a check counts'),
};

type Values = z.infer<z.ZodObject<typeof creatorSettings>>;

/** @throws ConfigError */
export function creatorConfig(values: Values) {
  const provider = openIdConfig('the identity provider for creators', 'VERIFICATION_PROVIDER', {
    issuer: values.VERIFICATION_PROVIDER_ISSUER,
    clientId: values.VERIFICATION_PROVIDER_CLIENT_ID,
    clientSecret: values.VERIFICATION_PROVIDER_CLIENT_SECRET,
    name: values.VERIFICATION_PROVIDER_NAME,
  });
  return {
    /** Undefined: there is none. */
    creatorProvider: provider && {
      ...provider,
      scope: values.VERIFICATION_PROVIDER_SCOPE,
      claim: values.VERIFICATION_PROVIDER_CLAIM,
      value: values.VERIFICATION_PROVIDER_VALUE ?? true,
      reference: values.VERIFICATION_PROVIDER_REFERENCE,
      days: values.VERIFICATION_PROVIDER_DAYS,
    },
  };
}
