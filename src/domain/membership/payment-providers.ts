import { DomainError } from '../kernel/errors.ts';
import type { ProviderName } from './capabilities.ts';
import { providerOf } from './hosted/hosted-id.ts';
import type { PaymentProvider } from './payment-provider.ts';

/**
 * All providers of a site as one: an id belongs to the provider that its beginning names, and what is new is made at the
 * main one, whose name and capabilities it has. A provider alone is its own main one.
 */
export type PaymentProviders = PaymentProvider & {
  /** Undefined for one that this site has no keys of any more. */
  find?: (name: ProviderName) => PaymentProvider | undefined;
};

export function findProvider(payments: PaymentProviders, name: ProviderName): PaymentProvider | undefined {
  if (payments.find !== undefined) return payments.find(name);
  return payments.name === name ? payments : undefined;
}

/** The provider that has that id, if the site still has it. */
export function findProviderOf(payments: PaymentProviders, id: string): PaymentProvider | undefined {
  return findProvider(payments, providerOf(id));
}

/** As `findProviderOf`. @throws DomainError `payment/provider-gone` */
export function providerFor(payments: PaymentProviders, id: string): PaymentProvider {
  return there(findProviderOf(payments, id));
}

/** Asks a provider with a page of its own what may have been missed; without effect for others. */
export async function catchUp(payments: PaymentProviders, customerId: string): Promise<void> {
  await findProviderOf(payments, customerId)?.checkouts?.catchUp(customerId);
}

function there(found: PaymentProvider | undefined): PaymentProvider {
  if (found === undefined) throw new DomainError('payment/provider-gone');
  return found;
}

/** Calls whose first argument is an id. */
const byId = [
  'changeEmail',
  'deleteCustomer',
  'readCustomer',
  'cancelNow',
  'cancelUnconfirmed',
  'cancelAtPeriodEnd',
  'resume',
  'delayCharge',
  'applyPromoCode',
  'previewPeriodChange',
  'changePeriodNow',
  'changePeriodAtEnd',
  'keepPeriod',
  'findCard',
  'startCardSetup',
  'finishCardSetup',
  'voidInvoice',
  'payOpenInvoice',
  'readUpcoming',
  'disablePromoCode',
  'enablePromoCode',
  'findPayment',
  'cancelPayment',
  'refundPayment',
] as const satisfies (keyof PaymentProvider)[];
type ById = Pick<PaymentProvider, (typeof byId)[number]>;

/** @param main name of the one for new subscriptions, gift cards and promo codes; operators change it */
export function openPaymentProviders(providers: PaymentProvider[], main: () => ProviderName): PaymentProviders {
  const find = (name: ProviderName) => providers.find((one) => one.name === name);
  const mainOne = () => there(find(main()));
  const of = (id: string) => there(find(providerOf(id)));
  const route = (name: keyof ById) =>
    [
      name,
      async (id: string, ...rest: unknown[]) => (of(id)[name] as (...given: unknown[]) => unknown)(id, ...rest),
    ] as const;
  const testClock = providers.find((one) => one.testClock !== undefined)?.testClock;
  const lists = providers.find(({ name }) => name === 'stripe');
  return {
    ...(Object.fromEntries(byId.map(route)) as ById),
    get name() {
      return mainOne().name;
    },
    get capabilities() {
      return mainOne().capabilities;
    },
    get received() {
      return mainOne().received;
    },
    isTaxReady: async () => (await mainOne().isTaxReady?.()) ?? false,
    get checkouts() {
      return mainOne().checkouts;
    },
    find,
    checkPlans: async (plans) => mainOne().checkPlans(plans),
    preparePlans: async (plans) => mainOne().preparePlans(plans),
    createCustomer: async (customer) => mainOne().createCustomer(customer),
    subscribe: async (order) => of(order.customerId).subscribe(order),
    findPromoCode: async (code) => mainOne().findPromoCode(code),
    listPromoCodes: async () => mainOne().listPromoCodes(),
    createPromoCode: async (promoCode, key) => mainOne().createPromoCode(promoCode, key),
    startPayment: async (payment) => mainOne().startPayment(payment),
    refundInvoice: async (refund) => of(refund.invoiceId).refundInvoice(refund),
    readEvents: async (postback) => mainOne().readEvents(postback),
    listPaying: async (query) => lists?.listPaying(query) ?? nothing,
    listPayments: async (query) => lists?.listPayments(query) ?? nothing,
    ...(testClock && { testClock }),
  };
}

const nothing = { items: [], after: undefined };
