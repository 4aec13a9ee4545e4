import type {
  PaymentIntent,
  PaymentIntentResult,
  PaymentMethod,
  PaymentMethodResult,
  SetupIntent,
  SetupIntentResult,
  StripeError,
} from '@stripe/stripe-js';
import { askForBank } from './bank-dialog.ts';
import { type Parameters, call } from './call.ts';
import type { CardField } from './card-field.ts';
import { digitsOf, readExpiry } from './card-formats.ts';
import { type ElementGroup, createElements, groupOf } from './elements.ts';

type CardData = { type?: string; card?: CardField; billing_details?: Parameters; metadata?: Parameters };
type ConfirmData = {
  payment_method?: string | CardData;
  return_url?: string;
  receipt_email?: string;
  setup_future_usage?: string;
};
type Intent = PaymentIntent | SetupIntent;

/** The subset of Stripe.js that the site uses, with the same names, types and messages. */
export type SandboxStripe = {
  elements(): ElementGroup;
  createPaymentMethod(data: CardData): Promise<PaymentMethodResult>;
  createToken(): Promise<{ error: StripeError }>;
  confirmCardPayment(
    secret: string,
    data?: ConfirmData,
    options?: { handleActions?: boolean },
  ): Promise<PaymentIntentResult>;
  confirmCardSetup(
    secret: string,
    data?: ConfirmData,
    options?: { handleActions?: boolean },
  ): Promise<SetupIntentResult>;
  handleCardAction(secret: string): Promise<PaymentIntentResult>;
  handleNextAction(options: { clientSecret: string }): Promise<PaymentIntentResult | SetupIntentResult>;
  retrievePaymentIntent(secret: string): Promise<PaymentIntentResult>;
  retrieveSetupIntent(secret: string): Promise<SetupIntentResult>;
  registerAppInfo(): void;
  _registerWrapper(): void;
};

const paths = { payment_intent: 'payment_intents', setup_intent: 'setup_intents' } as const;
type Kind = keyof typeof paths;

function kindOf(secret: string): Kind {
  return secret.startsWith('seti_') ? 'setup_intent' : 'payment_intent';
}

function idOf(secret: string): string {
  const [id = ''] = secret.split('_secret_');
  return id;
}

type IntentResult = { intent: Intent; error?: undefined } | { intent?: undefined; error: StripeError };

/** The card from the fields of one group; the first incomplete one gives the error and is shown as invalid. */
function readFields(field: CardField | undefined): { card: Parameters } | { error: StripeError } {
  const group = field === undefined ? undefined : groupOf(field);
  const parts = ['cardNumber', 'cardExpiry', 'cardCvc'].map((type) => group?.get(type));
  for (const part of parts) {
    const { error, empty } = part?.check() ?? { error: undefined, empty: true };
    if (error !== undefined) return { error: { ...error, type: 'validation_error' } };
    if (empty) return { error: incomplete(part) };
  }
  const [number, expiry, cvc] = parts;
  const { month, year } = readExpiry(expiry?.value ?? '') ?? {};
  return { card: { number: digitsOf(number?.value ?? ''), exp_month: month, exp_year: year, cvc: cvc?.value } };
}

function incomplete(field: CardField | undefined): StripeError {
  if (field?.type === 'cardExpiry')
    return {
      type: 'validation_error',
      code: 'incomplete_expiry',
      message: "Your card's expiration date is incomplete.",
    };
  if (field?.type === 'cardCvc')
    return { type: 'validation_error', code: 'incomplete_cvc', message: "Your card's security code is incomplete." };
  return { type: 'validation_error', code: 'incomplete_number', message: 'Your card number is incomplete.' };
}

export function createStripe(key: string): SandboxStripe {
  async function retrieve(secret: string): Promise<IntentResult> {
    const { result, error } = await call<Intent>(key, 'GET', `${paths[kindOf(secret)]}/${idOf(secret)}`, {
      client_secret: secret,
    });
    return error === undefined ? { intent: result } : { error };
  }

  async function confirm(secret: string, data: ConfirmData = {}): Promise<IntentResult> {
    const { payment_method: method, ...rest } = data;
    const parameters: Parameters = { ...rest, client_secret: secret };
    if (typeof method === 'string') parameters.payment_method = method;
    else if (method !== undefined) {
      const read = readFields(method.card);
      if ('error' in read) return read;
      parameters.payment_method_data = { type: 'card', card: read.card, billing_details: method.billing_details };
    }
    const { result, error } = await call<Intent>(
      key,
      'POST',
      `${paths[kindOf(secret)]}/${idOf(secret)}/confirm`,
      parameters,
    );
    return error === undefined ? { intent: result } : { error };
  }

  /** Shows the bank's dialog if required, and reports the result. */
  async function answer({ intent, error }: IntentResult): Promise<IntentResult> {
    if (intent === undefined || intent.status !== 'requires_action')
      return error === undefined ? { intent } : { error };
    const outcome = await askForBank();
    const answered = await call<Intent>(key, 'POST', '3ds2/authenticate', {
      source: intent.id,
      client_secret: intent.client_secret,
      outcome,
    });
    if (answered.error !== undefined) return { error: answered.error };
    return failureOf(answered.result) ?? { intent: answered.result };
  }

  async function act(secret: string): Promise<IntentResult> {
    return answer(await retrieve(secret));
  }

  const payment = ({ intent, error }: IntentResult): PaymentIntentResult =>
    error === undefined ? { paymentIntent: intent as PaymentIntent } : { error };
  const setup = ({ intent, error }: IntentResult): SetupIntentResult =>
    error === undefined ? { setupIntent: intent as SetupIntent } : { error };

  return {
    elements: createElements,
    async createPaymentMethod({ card, billing_details, metadata }) {
      const read = readFields(card);
      if ('error' in read) return read;
      const { result, error } = await call<PaymentMethod>(key, 'POST', 'payment_methods', {
        type: 'card',
        card: read.card,
        billing_details,
        metadata,
      });
      return error === undefined ? { paymentMethod: result } : { error };
    },
    createToken: async () => ({
      error: { type: 'invalid_request_error', message: 'The payment sandbox makes payment methods, and no tokens.' },
    }),
    async confirmCardPayment(secret, data, { handleActions = true } = {}) {
      const confirmed = await confirm(secret, data);
      return payment(handleActions ? await answer(confirmed) : confirmed);
    },
    async confirmCardSetup(secret, data, { handleActions = true } = {}) {
      const confirmed = await confirm(secret, data);
      return setup(handleActions ? await answer(confirmed) : confirmed);
    },
    handleCardAction: async (secret) => payment(await act(secret)),
    handleNextAction: async ({ clientSecret }) =>
      kindOf(clientSecret) === 'setup_intent' ? setup(await act(clientSecret)) : payment(await act(clientSecret)),
    retrievePaymentIntent: async (secret) => payment(await retrieve(secret)),
    retrieveSetupIntent: async (secret) => setup(await retrieve(secret)),
    registerAppInfo: () => undefined,
    _registerWrapper: () => undefined,
  };
}

function failureOf(intent: Intent): { error: StripeError } | undefined {
  if (intent.status !== 'requires_payment_method') return undefined;
  const failure =
    intent.object === 'payment_intent'
      ? (intent as PaymentIntent).last_payment_error
      : (intent as SetupIntent).last_setup_error;
  return {
    error: {
      ...(failure as StripeError),
      ...(intent.object === 'payment_intent'
        ? { payment_intent: intent as PaymentIntent }
        : { setup_intent: intent as SetupIntent }),
    },
  };
}
