import type Stripe from 'stripe';
import { type Plan, PlansMissingError } from '#domain/membership/payment-provider.ts';
import { type Period, periods } from '#domain/membership/rules.ts';
import { asking, idOf } from './client.ts';

/** Lookup keys of the prices; operators of a live account create prices with them. */
export const lookupKeys: Record<Period, string> = { month: 'sotto_month', year: 'sotto_year' };

const expand = ['data.currency_options'];

/** Metadata of subscriptions that ran before the site, to another product, and go on here. */
export const adopted = { adopted: 'true' } as const;

/** Prices are what buyers pay. */
const tax_behavior = 'inclusive';

/** One period in several currencies, of which the first names the price. */
type Plans = [Plan, ...Plan[]];

export type Prices = ReturnType<typeof openPrices>;

/**
 * Prices are fetched once and cached: they are immutable, a new amount is a new price.
 * @param options.isTest test mode: missing prices are created
 */
export function openPrices(options: { client: Stripe; isTest: boolean; productName: () => string }) {
  const { client, isTest, productName } = options;
  let known: Promise<Map<Period, Stripe.Price>> | undefined;
  const products = new Set<string>();
  const periodsById = new Map<string, Period | undefined>();
  /** With all their currencies. */
  const pricesById = new Map<string, Stripe.Price>();

  async function load(): Promise<Map<Period, Stripe.Price>> {
    const { data } = await asking(() =>
      client.prices.list({ lookup_keys: Object.values(lookupKeys), active: true, limit: 10, expand }),
    );
    const found = new Map<Period, Stripe.Price>();
    for (const period of periods) {
      const price = data.find(({ lookup_key }) => lookup_key === lookupKeys[period]);
      if (price !== undefined) remember(found, period, price);
    }
    return found;
  }

  function remember(found: Map<Period, Stripe.Price>, period: Period, price: Stripe.Price): void {
    found.set(period, price);
    products.add(idOf(price.product) ?? '');
    periodsById.set(price.id, period);
    pricesById.set(price.id, price);
  }

  function loaded(): Promise<Map<Period, Stripe.Price>> {
    known ??= load().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  }

  const fits = (price: Stripe.Price | undefined, plan: Plan): price is Stripe.Price =>
    price !== undefined &&
    amountIn(price, plan.currency) === plan.amount &&
    price.recurring?.interval === plan.period &&
    price.recurring.interval_count === 1;

  const fitsAll = (price: Stripe.Price | undefined, plans: Plans): price is Stripe.Price =>
    plans.every((plan) => fits(price, plan));

  async function make([plan, ...others]: Plans, product: string | undefined): Promise<Stripe.Price> {
    const options = others.map(({ currency, amount }) => [currency, { unit_amount: amount, tax_behavior }] as const);
    return asking(() =>
      client.prices.create({
        currency: plan.currency,
        unit_amount: plan.amount,
        tax_behavior,
        currency_options: options.length === 0 ? undefined : Object.fromEntries(options),
        expand: ['currency_options'],
        recurring: { interval: plan.period },
        lookup_key: lookupKeys[plan.period],
        transfer_lookup_key: true,
        ...(product === undefined
          ? { product_data: { name: productName(), statement_descriptor: statementDescriptor(productName()) } }
          : { product }),
      }),
    );
  }

  /** Another process may have changed the price, or it is a former one. */
  async function findAnew(plans: Plans): Promise<Stripe.Price | undefined> {
    known = undefined;
    const found = await loaded();
    const [{ period }] = plans;
    const price = found.get(period);
    if (fitsAll(price, plans)) return price;
    for (const product of products) {
      const { data } = await asking(() => client.prices.list({ product, active: true, limit: 100, expand }));
      const former = data.find((one) => fitsAll(one, plans));
      if (former === undefined) continue;
      remember(found, period, former);
      return former;
    }
    return undefined;
  }

  /** Price of a configured plan, or of one in several currencies. @throws PlansMissingError */
  async function priceOf(plan: Plan, mayCreate = isTest, others: Plan[] = []): Promise<string> {
    const plans: Plans = [plan, ...others];
    const price = (await loaded()).get(plan.period);
    if (fitsAll(price, plans)) return price.id;
    const there = await findAnew(plans);
    if (there !== undefined) return there.id;
    if (!mayCreate)
      throw new PlansMissingError(
        `the Stripe account has no price of ${plans.map(({ amount, currency }) => `${amount} ${currency}`).join(', ')} each ${plan.period} with the lookup key ${lookupKeys[plan.period]}`,
      );
    const [product] = products;
    const made = await make(plans, product);
    remember(await loaded(), plan.period, made);
    return made.id;
  }

  /**
   * Says that tax is within that price, which is set once: prices of earlier versions do not say it.
   * @returns false for one that says otherwise, so that tax would be added to it
   */
  async function includeTax(priceId: string, currency: string): Promise<boolean> {
    const price =
      pricesById.get(priceId) ??
      (await asking(() => client.prices.retrieve(priceId, { expand: ['currency_options'] })));
    if (behaviorIn(price, currency) === 'unspecified') {
      const options = Object.entries(price.currency_options ?? {});
      const unset = options.filter(([code]) => code !== price.currency && behaviorIn(price, code) === 'unspecified');
      const changed = await asking(() =>
        client.prices.update(priceId, {
          ...(behaviorIn(price, price.currency) === 'unspecified' && { tax_behavior }),
          ...(unset.length > 0 && {
            currency_options: Object.fromEntries(unset.map(([code]) => [code, { tax_behavior }])),
          }),
          expand: ['currency_options'],
        }),
      );
      pricesById.set(priceId, changed);
      return true;
    }
    return behaviorIn(price, currency) === tax_behavior;
  }

  /** @returns undefined for a price of another product */
  async function periodOf(price: Stripe.Price): Promise<Period | undefined> {
    await loaded();
    return products.has(idOf(price.product) ?? '') ? rhythmOf(price) : undefined;
  }

  /** @returns undefined for a subscription to another product that was not adopted */
  async function periodOfSubscription({
    items: { data },
    metadata,
  }: Pick<Stripe.Subscription, 'items' | 'metadata'>): Promise<Period | undefined> {
    const price = data[0]?.price;
    if (price === undefined) return undefined;
    return metadata['adopted'] === adopted.adopted ? rhythmOf(price) : periodOf(price);
  }

  /** One price has all currencies of a period. */
  async function eachPeriod(plans: Plan[], mayCreate?: boolean): Promise<void> {
    for (const period of periods) {
      const [first, ...others] = plans.filter((plan) => plan.period === period);
      if (first !== undefined) await priceOf(first, mayCreate, others);
    }
  }

  return {
    priceOf,
    includeTax,
    /** Stripe names a price in its first currency, whatever the subscription is charged in. */
    async amountOf(price: Stripe.Price, currency: string): Promise<number> {
      if (price.currency === currency) return price.unit_amount ?? 0;
      await loaded();
      const known =
        pricesById.get(price.id) ??
        (await asking(() => client.prices.retrieve(price.id, { expand: ['currency_options'] })));
      pricesById.set(price.id, known);
      return amountIn(known, currency) ?? 0;
    },
    periodOfSubscription,
    async periodOfId(priceId: string): Promise<Period | undefined> {
      await loaded();
      if (!periodsById.has(priceId))
        periodsById.set(priceId, await periodOf(await asking(() => client.prices.retrieve(priceId))));
      return periodsById.get(priceId);
    },
    checkPlans: (plans: Plan[]) => eachPeriod(plans),
    preparePlans: (plans: Plan[]) => eachPeriod(plans, true),
  };
}

/** @returns undefined for one that is charged in another rhythm than the site's plans */
export function rhythmOf({ recurring }: Stripe.Price): Period | undefined {
  return recurring?.interval_count === 1 ? periods.find((period) => period === recurring.interval) : undefined;
}

function amountIn(price: Stripe.Price, currency: string): number | undefined {
  const amount = price.currency === currency ? price.unit_amount : price.currency_options?.[currency]?.unit_amount;
  return amount ?? undefined;
}

function behaviorIn(price: Stripe.Price, currency: string): Stripe.Price.TaxBehavior {
  const found = price.currency === currency ? price.tax_behavior : price.currency_options?.[currency]?.tax_behavior;
  return found ?? 'unspecified';
}

/** The site's name for bank statements. Stripe accepts 5 to 22 ASCII characters, at least one of them a letter. */
export function statementDescriptor(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9 .&-]/g, '')
    .trim()
    .toUpperCase()
    .slice(0, 22);
  return /[A-Z]/.test(plain) ? plain.padEnd(5, '.') : 'SUBSCRIPTION';
}
