import type Stripe from 'stripe';
import type { ChargeOutcome, PeriodChanges, Plan, Subscriptions } from '#domain/membership/payment-provider.ts';
import {
  asking,
  charging,
  dateOf,
  finding,
  idOf,
  isCardError,
  isRefused,
  reasonOf,
  secondsOf,
  unlessRefused,
} from './client.ts';
import { type Facts, abandoned, movedBy } from './facts.ts';
import { moveDiscount } from './move-discount.ts';
import type { Prices } from './plans.ts';

/** Stripe's longest trial, from now on: two years. */
const longestTrialDays = 730;

/** Metadata while a subscription has no schedule, cancelled or being changed: the price that it would have changed to. */
const plannedPrice = 'planned_price';

/** Metadata: the key of the order. Stripe's own keys differ with and without tax, and are forgotten after a day. */
const orderedBy = 'ordered_by';

/** An hour less, as the clocks may differ. A longer free time is completed by a later `delayCharge`. */
function longestTrialEnd(): number {
  return secondsOf(new Date()) + longestTrialDays * 86_400 - 3600;
}

/** Stripe does not know where the customer is, or the account works out no tax. */
function isUnplaced(error: unknown): boolean {
  const codes = ['customer_tax_location_invalid', 'stripe_tax_inactive'];
  return isRefused(error) && codes.includes(error.code ?? '');
}

function isEnded({ status }: Stripe.Subscription): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}

export function openSubscriptions(options: {
  client: Stripe;
  prices: Prices;
  facts: Facts;
}): Subscriptions & PeriodChanges {
  const { client, prices, facts } = options;

  function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
    const [item] = subscription.items.data;
    if (item === undefined) throw new Error('the subscription has no item');
    return item;
  }

  async function findPlanned({ schedule: reference }: Stripe.Subscription) {
    if (reference === null) return undefined;
    const planned =
      typeof reference === 'string' ? await asking(() => client.subscriptionSchedules.retrieve(reference)) : reference;
    if (planned.status !== 'active' && planned.status !== 'not_started') return undefined;
    return { scheduleId: planned.id, price: idOf(planned.phases.at(-1)?.items[0]?.price) };
  }

  /** Stripe refuses most changes of a subscription with a schedule. */
  async function release(subscription: Stripe.Subscription): Promise<void> {
    const planned = await findPlanned(subscription);
    if (planned !== undefined) await asking(() => client.subscriptionSchedules.release(planned.scheduleId));
  }

  async function schedule(subscription: Stripe.Subscription, price: string): Promise<void> {
    const item = itemOf(subscription);
    const made = await asking(() => client.subscriptionSchedules.create({ from_subscription: subscription.id }));
    const [phase] = made.phases;
    await asking(() =>
      client.subscriptionSchedules.update(made.id, {
        end_behavior: 'release',
        phases: [
          {
            items: [{ price: item.price.id, quantity: 1 }],
            start_date: phase?.start_date ?? item.current_period_start,
            end_date: item.current_period_end,
            trial_end: (subscription.status === 'trialing' && subscription.trial_end) || undefined,
          },
          { items: [{ price, quantity: 1 }], duration: { interval: 'month', interval_count: 1 } },
        ],
      }),
    );
  }

  /**
   * The start of the current hour, so that preview and charge a minute later have the same amount. Omitted outside the
   * period, as for a customer with a test clock.
   */
  function prorationDate(item: Stripe.SubscriptionItem): { proration_date?: number } {
    const hour = Math.floor(Date.now() / 3_600_000) * 3600;
    return hour >= item.current_period_start && hour < item.current_period_end ? { proration_date: hour } : {};
  }

  /**
   * Releases the schedule and keeps its price in the metadata, so that an interrupted change does not lose it.
   * @returns the subscription without its schedule, if it had one
   */
  async function keepPlanned(subscription: Stripe.Subscription): Promise<Stripe.Subscription | undefined> {
    const planned = await findPlanned(subscription);
    if (planned === undefined) return undefined;
    await asking(() =>
      client.subscriptions.update(subscription.id, { metadata: { [plannedPrice]: planned.price ?? '' } }),
    );
    await asking(() => client.subscriptionSchedules.release(planned.scheduleId));
    return facts.readSubscription(subscription.id);
  }

  /** Plans the price of the metadata again, and clears it there afterwards. */
  async function planAgain(subscription: Stripe.Subscription): Promise<void> {
    const { [plannedPrice]: planned = '' } = subscription.metadata;
    if (planned === '' || subscription.cancel_at_period_end) return;
    if (subscription.schedule === null && planned !== itemOf(subscription).price.id)
      await schedule(subscription, planned);
    await asking(() => client.subscriptions.update(subscription.id, { metadata: { [plannedPrice]: '' } }));
  }

  /** The subscription's tax is worked out, and would be added to that price. */
  async function addsTax({ automatic_tax }: Stripe.Subscription, price: string, { currency }: Plan): Promise<boolean> {
    return automatic_tax.enabled && !(await prices.includeTax(price, currency));
  }

  /** Nobody pays more than the price: the site's own table then says the tax. */
  async function priceOfChange(subscription: Stripe.Subscription, plan: Plan): Promise<string> {
    const price = await prices.priceOf(plan);
    if (await addsTax(subscription, price, plan))
      await asking(() => client.subscriptions.update(subscription.id, { automatic_tax: { enabled: false } }));
    return price;
  }

  /** A change that still waits for the bank would be charged after the cancellation, and undo it. */
  async function dropPendingChange({ pending_update, latest_invoice }: Stripe.Subscription): Promise<void> {
    const invoiceId = pending_update === null ? undefined : idOf(latest_invoice);
    if (invoiceId === undefined) return;
    // Refused: paid at this moment, so the change was made, and its period is the last one.
    await asking(() => unlessRefused(client.invoices.voidInvoice(invoiceId)));
  }

  /** Cancels the subscription of a declined first charge. */
  async function abandon(subscription: Stripe.Subscription) {
    const invoice = subscription.latest_invoice;
    const secret =
      invoice === null || typeof invoice === 'string' ? undefined : invoice.confirmation_secret?.client_secret;
    const intent = await facts.intentOf(secret);
    await cancelUnconfirmed(subscription.id);
    return { ok: false, reason: reasonOf(intent?.last_payment_error ?? {}) } as const;
  }

  async function cancelNow(subscriptionId: string): Promise<void> {
    if (await releaseUnlessEnded(subscriptionId)) await cancel(subscriptionId);
  }

  async function cancelUnconfirmed(subscriptionId: string): Promise<void> {
    if (!(await releaseUnlessEnded(subscriptionId))) return;
    await asking(() => client.subscriptions.update(subscriptionId, { metadata: abandoned }));
    await cancel(subscriptionId);
  }

  /** @returns false for a subscription that has ended */
  async function releaseUnlessEnded(subscriptionId: string): Promise<boolean> {
    const subscription = await facts.readSubscription(subscriptionId);
    if (isEnded(subscription)) return false;
    await release(subscription);
    return true;
  }

  async function cancel(subscriptionId: string): Promise<void> {
    await asking(() =>
      client.subscriptions
        .cancel(subscriptionId, { invoice_now: false, prorate: false })
        .catch(async (error: unknown) => {
          // The SDK repeats a call whose answer was lost, and Stripe refuses to cancel twice.
          if (!isRefused(error) || !isEnded(await facts.readSubscription(subscriptionId))) throw error;
        }),
    );
  }

  return {
    cancelNow,
    cancelUnconfirmed,

    async subscribe({ customerId, cardId, plan, free, promoCodeId, tax, key }) {
      const price = await prices.priceOf(plan);
      const isTaxed = tax !== undefined && (await prices.includeTax(price, plan.currency));
      const made = await charging(async () => {
        const own = await unlessRefused(client.paymentMethods.attach(cardId, { customer: customerId }));
        if (own === undefined) return { ok: false, reason: 'payment/unknown-method' } as const;
        const { subscriptions } = await client.customers.update(customerId, {
          invoice_settings: { default_payment_method: cardId },
          expand: ['subscriptions'],
          ...(isTaxed && tax.address !== undefined && { tax: { ip_address: tax.address } }),
        });
        const before = subscriptions?.data.find((one) => one.metadata[orderedBy] === key && !isEnded(one));
        if (before !== undefined) return before;
        const create = (automatic: boolean) =>
          client.subscriptions.create(
            {
              customer: customerId,
              currency: plan.currency,
              items: [{ price }],
              default_payment_method: cardId,
              payment_behavior: 'allow_incomplete',
              payment_settings: { save_default_payment_method: 'on_subscription' },
              trial_period_days: free && 'days' in free ? free.days : undefined,
              trial_end: free && 'until' in free ? Math.min(secondsOf(free.until), longestTrialEnd()) : undefined,
              discounts: promoCodeId === undefined ? undefined : [{ promotion_code: promoCodeId }],
              metadata: { [orderedBy]: key },
              ...(automatic && { automatic_tax: { enabled: true } }),
            },
            { idempotencyKey: automatic ? `${key} taxed` : key },
          );
        return create(isTaxed)
          .catch((error: unknown) => {
            // Nobody is turned away for that: the site's own table then says the tax.
            if (isTaxed && isUnplaced(error)) return create(false);
            throw error;
          })
          .catch((error: unknown) => {
            if (isRefused(error) && /discount|promotion|coupon/.test(error.param ?? ''))
              return { ok: false, reason: 'promo-code/used-up' } as const;
            throw error;
          });
      });
      if ('ok' in made) return made;
      const subscription = await facts.readSubscription(made.id);
      const read = await facts.toFacts(subscription);
      if (read === undefined) throw new Error('the subscription that was made is of no plan');
      return subscription.status === 'incomplete' && read.action === undefined
        ? abandon(subscription)
        : { ok: true, subscription: read };
    },

    async cancelAtPeriodEnd(subscriptionId, reason) {
      const subscription = await facts.readSubscription(subscriptionId);
      await dropPendingChange(subscription);
      await keepPlanned(subscription);
      await asking(() =>
        client.subscriptions.update(subscriptionId, {
          cancel_at_period_end: true,
          cancellation_details: reason === undefined ? undefined : { comment: reason },
        }),
      );
    },

    async resume(subscriptionId) {
      await planAgain(await asking(() => client.subscriptions.update(subscriptionId, { cancel_at_period_end: false })));
    },

    async previewPeriodChange(subscriptionId, plan) {
      const subscription = await facts.readSubscription(subscriptionId);
      const item = itemOf(subscription);
      // Nothing was paid yet, and nothing is charged before the trial ends.
      if (subscription.status === 'trialing')
        return { dueToday: 0, credit: 0, currency: plan.currency, nextChargeAt: dateOf(item.current_period_end) };
      const price = await prices.priceOf(plan);
      const isAdded = await addsTax(subscription, price, plan);
      const preview = await asking(() =>
        client.invoices.createPreview({
          customer: idOf(subscription.customer) ?? '',
          subscription: subscriptionId,
          ...(isAdded && { automatic_tax: { enabled: false } }),
          subscription_details: {
            items: [{ id: item.id, price }],
            proration_behavior: 'always_invoice',
            ...prorationDate(item),
          },
        }),
      );
      const lines = preview.lines.data;
      return {
        dueToday: preview.amount_due,
        credit: -lines.reduce((sum, { amount }) => sum + Math.min(amount, 0), 0),
        currency: preview.currency,
        nextChargeAt: dateOf(Math.max(...lines.map(({ period }) => period.end))),
      };
    },

    async changePeriodNow(subscriptionId, plan): Promise<ChargeOutcome> {
      const subscription = await facts.readSubscription(subscriptionId);
      const item = itemOf(subscription);
      const price = await priceOfChange(subscription, plan);
      await release(subscription);
      const items = [{ id: item.id, price }];
      if (subscription.status === 'trialing') {
        await asking(() => client.subscriptions.update(subscriptionId, { items, proration_behavior: 'none' }));
        return { ok: true, action: undefined };
      }
      const changed = await charging(() =>
        client.subscriptions.update(subscriptionId, {
          items,
          proration_behavior: 'always_invoice',
          // The change applies only when it is paid.
          payment_behavior: 'pending_if_incomplete',
          ...prorationDate(item),
        }),
      );
      if ('ok' in changed) return changed;
      if (changed.pending_update === null) return { ok: true, action: undefined };
      const invoiceId = idOf(changed.latest_invoice) ?? '';
      const invoice = await asking(() => client.invoices.retrieve(invoiceId, { expand: ['confirmation_secret'] }));
      const action = await facts.actionOfInvoice(invoice);
      if (action !== undefined) return { ok: true, action };
      const intent = await facts.intentOf(invoice.confirmation_secret?.client_secret);
      // Voiding the invoice also cancels the pending change.
      await asking(() => client.invoices.voidInvoice(invoiceId));
      return { ok: false, reason: reasonOf(intent?.last_payment_error ?? {}) };
    },

    async changePeriodAtEnd(subscriptionId, plan) {
      const subscription = await facts.readSubscription(subscriptionId);
      const price = await priceOfChange(subscription, plan);
      await release(subscription);
      await schedule(subscription, price);
    },

    async keepPeriod(subscriptionId) {
      await release(await facts.readSubscription(subscriptionId));
    },

    async delayCharge(subscriptionId, until, key) {
      const expand = ['schedule', 'discounts.source.coupon', 'discounts.promotion_code'];
      const before = await finding(() => client.subscriptions.retrieve(subscriptionId, { expand }));
      if (before === undefined || isEnded(before)) return { ok: false };
      const isMoved = key !== undefined && before.metadata[movedBy] === key;
      const released = isMoved ? undefined : await keepPlanned(before);
      const discounts = isMoved ? {} : await moveDiscount(client, before, until === 'now' ? new Date() : until);
      const after = isMoved
        ? before
        : await asking(() =>
            unlessRefused(
              client.subscriptions.update(subscriptionId, {
                trial_end: until === 'now' ? until : secondsOf(until),
                // Said again, so that it counts for the new period.
                cancel_at_period_end: before.cancel_at_period_end || undefined,
                ...discounts,
                proration_behavior: 'none',
                metadata: key === undefined ? undefined : { [movedBy]: key },
              }),
            ),
          );
      // Also after a refusal, and when an earlier call was interrupted here.
      await planAgain(after ?? released ?? before);
      return { ok: after !== undefined };
    },

    async applyPromoCode(subscriptionId, promoCodeId) {
      const applied = await finding(() =>
        client.subscriptions.update(subscriptionId, { discounts: [{ promotion_code: promoCodeId }] }).catch((error) => {
          // Stripe knows limits that the check in the domain does not.
          if (!isCardError(error) && (error as { statusCode?: number }).statusCode === 400) return undefined;
          throw error;
        }),
      );
      return { ok: applied !== undefined };
    },
  };
}
