import { z } from 'zod';
import { areAllUnset, ConfigError, httpUrl, incompletePair, requireAll } from './values.ts';

/** Stripe, or the sandbox. */
export const paymentSettings = {
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(live|test)_\w+$/, 'must be a secret key of Stripe, such as sk_live_…')
    .optional()
    .meta({
      description: 'Stripe: secret key. Set all three settings of Stripe, of one account',
      unset: 'a sandbox that accepts test cards',
    }),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(live|test)_\w+$/, 'must be the publishable key of Stripe, such as pk_live_…')
    .optional()
    .describe('Stripe: publishable key'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S+$/, 'must be the signing secret of the webhook, such as whsec_…')
    .optional()
    .describe('Stripe: signing secret of the webhook endpoint `/webhooks/payments`'),
  PAYMENTS: z
    .literal('sandbox', { error: 'must be sandbox, or absent' })
    .optional()
    .describe(
      '`sandbox` lets a site that is not on loopback accept test cards. Without it and without keys, such a site does not start',
    ),
};

/** Algolia. */
export const searchSettings = {
  ALGOLIA_APP_ID: z
    .string()
    .regex(/^[A-Za-z0-9]{4,40}$/, 'must be the id of an Algolia application, such as BH4D9OD16A')
    .optional()
    .meta({ description: 'Algolia instead of the built-in search index: application ID', unset: 'the built-in index' }),
  ALGOLIA_API_KEY: z
    .string()
    .regex(/^[A-Za-z0-9]{8,100}$/, 'must be an API key of the Algolia application')
    .optional()
    .describe('Algolia: a key that may search, add and delete objects, delete indices and edit settings'),
  ALGOLIA_INDEX_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,40}$/, 'must be 1 to 40 letters, digits, _ or -')
    .default('sotto')
    .describe('Algolia: first part of the names of the indices, such as `sotto_audios`'),
};

/** Segment and push services. */
export const reportingSettings = {
  SEGMENT_WRITE_KEY: z
    .string()
    .regex(/^[\w-]{1,200}$/, 'must be the write key of a source')
    .optional()
    .describe('Forwards usage data to Segment: write key of the source'),
  SEGMENT_HOST: httpUrl.optional().meta({ description: 'Another service with Segment’s API', unset: 'Segment' }),
  PUSH_SERVICES: z
    .string()
    .refine(
      (text) => text.split(',').every((one) => URL.parse(one.trim())?.origin === one.trim()),
      'must be origins such as https://push.example, with commas between them',
    )
    .optional()
    .describe(
      'Origins of further push services, separated by commas. Those of Chrome, Firefox, Safari and Edge are always allowed',
    ),
};

type ServiceValues = z.infer<z.ZodObject<typeof paymentSettings & typeof searchSettings & typeof reportingSettings>>;

/** @throws ConfigError */
export function serviceConfig(value: ServiceValues) {
  return {
    /** Undefined: the built-in sandbox, which accepts only test cards. */
    stripe: stripeConfig(value),
    isSandboxAccepted: value.PAYMENTS === 'sandbox',
    /** Undefined: the built-in search index. */
    algolia: algoliaConfig(value),
    /** Undefined: events stay on this site. */
    segment: segmentConfig(value),
    pushServices: (value.PUSH_SERVICES ?? '').split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()])),
  };
}

function stripeConfig(value: ServiceValues) {
  const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET } = value;
  const values = { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET };
  if (areAllUnset(values)) return undefined;
  const account = requireAll('Stripe', values);
  if (value.PAYMENTS === 'sandbox')
    throw new ConfigError('PAYMENTS=sandbox and the keys of Stripe exclude each other; remove one of them');
  if (isLiveKey(account.STRIPE_SECRET_KEY) !== isLiveKey(account.STRIPE_PUBLISHABLE_KEY))
    throw new ConfigError(
      'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are of different kinds: one is live, one a test',
    );
  return {
    secretKey: account.STRIPE_SECRET_KEY,
    publishableKey: account.STRIPE_PUBLISHABLE_KEY,
    webhookSecret: account.STRIPE_WEBHOOK_SECRET,
  };
}

function isLiveKey(key: string): boolean {
  return key.includes('_live_');
}

function algoliaConfig({
  ALGOLIA_APP_ID: appId,
  ALGOLIA_API_KEY: apiKey,
  ALGOLIA_INDEX_PREFIX: prefix,
}: ServiceValues) {
  if (appId === undefined && apiKey === undefined) return undefined;
  if (appId === undefined || apiKey === undefined) throw incompletePair('ALGOLIA_APP_ID', 'ALGOLIA_API_KEY');
  return { appId, apiKey, prefix };
}

function segmentConfig({ SEGMENT_WRITE_KEY, SEGMENT_HOST }: ServiceValues) {
  if (areAllUnset({ SEGMENT_WRITE_KEY, SEGMENT_HOST })) return undefined;
  const source = requireAll('Segment', { SEGMENT_WRITE_KEY });
  return { writeKey: source.SEGMENT_WRITE_KEY, host: SEGMENT_HOST };
}
