import type Stripe from 'stripe';
import { type Plan, PlansMissingError } from '#domain/membership/payment-provider.ts';
import { type Period, periods } from '#domain/membership/rules.ts';
import { asking, idOf } from './client.ts';

/** Lookup keys of the prices; operators of a live account create prices with them. */
export const lookupKeys: Record<Period, string> = { month: 'sotto_month', year: 'sotto_year' };

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

  async function load(): Promise<Map<Period, Stripe.Price>> {
    const { data } = await asking(() =>
      client.prices.list({ lookup_keys: Object.values(lookupKeys), active: true, limit: 10 }),
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
  }

  function loaded(): Promise<Map<Period, Stripe.Price>> {
    known ??= load().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  }

  const fits = (price: Stripe.Price | undefined, plan: Plan): price is Stripe.Price =>
    price?.unit_amount === plan.amount &&
    price.currency === plan.currency &&
    price.recurring?.interval === plan.period &&
    price.recurring.interval_count === 1;

  async function make(plan: Plan, product: string | undefined): Promise<Stripe.Price> {
    return asking(() =>
      client.prices.create({
        currency: plan.currency,
        unit_amount: plan.amount,
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
  async function findAnew(plan: Plan): Promise<Stripe.Price | undefined> {
    known = undefined;
    const found = await loaded();
    const price = found.get(plan.period);
    if (fits(price, plan)) return price;
    for (const product of products) {
      const { data } = await asking(() => client.prices.list({ product, active: true, limit: 100 }));
      const former = data.find((one) => fits(one, plan));
      if (former === undefined) continue;
      remember(found, plan.period, former);
      return former;
    }
    return undefined;
  }

  /** Price of a configured plan. @throws PlansMissingError */
  async function priceOf(plan: Plan, mayCreate = isTest): Promise<string> {
    const price = (await loaded()).get(plan.period);
    if (fits(price, plan)) return price.id;
    const there = await findAnew(plan);
    if (there !== undefined) return there.id;
    if (!mayCreate)
      throw new PlansMissingError(
        `the Stripe account has no price of ${plan.amount} ${plan.currency} each ${plan.period} with the lookup key ${lookupKeys[plan.period]}`,
      );
    const [product] = products;
    const made = await make(plan, product);
    remember(await loaded(), plan.period, made);
    return made.id;
  }

  /** @returns undefined for a price of another product */
  async function periodOf(price: Stripe.Price): Promise<Period | undefined> {
    await loaded();
    const interval = price.recurring?.interval;
    const isOurs = products.has(idOf(price.product) ?? '') && price.recurring?.interval_count === 1;
    return isOurs ? periods.find((period) => period === interval) : undefined;
  }

  return {
    priceOf,
    periodOf,
    async periodOfId(priceId: string): Promise<Period | undefined> {
      await loaded();
      if (!periodsById.has(priceId))
        periodsById.set(priceId, await periodOf(await asking(() => client.prices.retrieve(priceId))));
      return periodsById.get(priceId);
    },
    async checkPlans(plans: Plan[]): Promise<void> {
      for (const plan of plans) await priceOf(plan);
    },
    async preparePlans(plans: Plan[]): Promise<void> {
      for (const plan of plans) await priceOf(plan, true);
    },
  };
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
