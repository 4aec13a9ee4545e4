import { z } from 'zod';
import { areAllUnset, ConfigError, httpUrl, requireAll } from './values.ts';

/** Stripe, providers with a page of their own, or the sandbox. */
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
  VEROTEL_SHOP_ID: z
    .string()
    .regex(/^\d{1,12}$/, 'must be the number of the shop')
    .optional()
    .meta({
      description: 'Verotel FlexPay: number of the shop. Set it with the signature key',
      unset: 'without Verotel',
    }),
  VEROTEL_SIGNATURE_KEY: z.string().min(8).optional().describe('Verotel FlexPay: signature key of the shop'),
  CCBILL_ACCOUNT: z
    .string()
    .regex(/^\d{6}-\d{4}$/, 'must be account and subaccount, such as 123456-0000')
    .optional()
    .meta({ description: 'CCBill: account and subaccount. Set all five settings of CCBill', unset: 'without CCBill' }),
  CCBILL_FLEX_ID: z
    .string()
    .regex(/^[\w-]{8,64}$/)
    .optional()
    .describe('CCBill: id of the FlexForm'),
  CCBILL_SALT: z.string().min(8).optional().describe('CCBill: salt of dynamic prices'),
  CCBILL_DATALINK_USER: z.string().min(1).optional().describe('CCBill: user of DataLink'),
  CCBILL_DATALINK_PASSWORD: z.string().min(1).optional().describe('CCBill: password of that user'),
  BTCPAY_URL: httpUrl.optional().meta({
    description: 'BTCPay Server: its address. Set all four settings of BTCPay',
    unset: 'without BTCPay',
  }),
  BTCPAY_STORE_ID: z
    .string()
    .regex(/^\w{8,64}$/)
    .optional()
    .describe('BTCPay Server: id of the store'),
  BTCPAY_API_KEY: z.string().min(8).optional().describe('BTCPay Server: API key that may make and read invoices'),
  BTCPAY_WEBHOOK_SECRET: z.string().min(8).optional().describe('BTCPay Server: secret of the webhook'),
  PAYMENT_STATEMENT: z
    .string()
    .max(60)
    .optional()
    .describe('Name on bank statements with Verotel or CCBill, such as `VTSUP*SOTTO`: said before paying'),
  PAYMENT_STAND_INS: z
    .string()
    .regex(/^(verotel|ccbill|btcpay)(,(verotel|ccbill|btcpay))*$/, 'must be verotel, ccbill or btcpay, with commas')
    .optional()
    .describe('Providers that a stand-in plays, to try them: on loopback, or with `PAYMENTS=sandbox`'),
};

type PaymentValues = z.infer<z.ZodObject<typeof paymentSettings>>;

/** @throws ConfigError */
export function paymentConfig(value: PaymentValues) {
  return {
    /** Undefined: the built-in sandbox, which accepts only test cards, unless there is another provider. */
    stripe: stripeConfig(value),
    isSandboxAccepted: value.PAYMENTS === 'sandbox',
    verotel: together('Verotel', value, ['VEROTEL_SHOP_ID', 'VEROTEL_SIGNATURE_KEY'], (known) => ({
      shopId: known.VEROTEL_SHOP_ID,
      signatureKey: known.VEROTEL_SIGNATURE_KEY,
    })),
    ccbill: together(
      'CCBill',
      value,
      ['CCBILL_ACCOUNT', 'CCBILL_FLEX_ID', 'CCBILL_SALT', 'CCBILL_DATALINK_USER', 'CCBILL_DATALINK_PASSWORD'],
      (known) => ({
        clientAccnum: known.CCBILL_ACCOUNT.slice(0, 6),
        clientSubacc: known.CCBILL_ACCOUNT.slice(7),
        flexId: known.CCBILL_FLEX_ID,
        salt: known.CCBILL_SALT,
        dataLinkUser: known.CCBILL_DATALINK_USER,
        dataLinkPassword: known.CCBILL_DATALINK_PASSWORD,
      }),
    ),
    btcpay: together(
      'BTCPay',
      value,
      ['BTCPAY_URL', 'BTCPAY_STORE_ID', 'BTCPAY_API_KEY', 'BTCPAY_WEBHOOK_SECRET'],
      (known) => ({
        baseUrl: known.BTCPAY_URL,
        storeId: known.BTCPAY_STORE_ID,
        apiKey: known.BTCPAY_API_KEY,
        webhookSecret: known.BTCPAY_WEBHOOK_SECRET,
      }),
    ),
    paymentStatement: value.PAYMENT_STATEMENT,
    paymentStandIns: standInsOf(value),
  };
}

/** @throws ConfigError when only some of them are set. @returns undefined for none */
function together<Name extends keyof PaymentValues, Account>(
  provider: string,
  value: PaymentValues,
  names: Name[],
  toAccount: (known: Record<Name, string>) => Account,
): Account | undefined {
  const values = Object.fromEntries(names.map((name) => [name, value[name]])) as Record<Name, string | undefined>;
  return areAllUnset(values) ? undefined : toAccount(requireAll(provider, values));
}

function standInsOf({ PAYMENT_STAND_INS: list = '', ...value }: PaymentValues) {
  const names = [...new Set(list.split(',').filter((name) => name !== ''))] as ('verotel' | 'ccbill' | 'btcpay')[];
  const own = { verotel: value.VEROTEL_SHOP_ID, ccbill: value.CCBILL_ACCOUNT, btcpay: value.BTCPAY_URL };
  const both = names.find((name) => own[name] !== undefined);
  if (both !== undefined)
    throw new ConfigError(`PAYMENT_STAND_INS names ${both}, whose own settings are set too; remove one of them`);
  return names;
}

function stripeConfig(value: PaymentValues) {
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
