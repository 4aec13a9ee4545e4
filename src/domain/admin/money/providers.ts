import { sql } from 'drizzle-orm';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type Capabilities, type ProviderName, providerNames, providerTitles } from '../../membership/capabilities.ts';
import type { MembershipParts } from '../../membership/customers.ts';
import { isAtProvider } from '../../membership/hosted/hosted-id.ts';
import { findProvider } from '../../membership/payment-providers.ts';
import { findMembershipSettings, paymentSetting, planOf } from '../../membership/settings.ts';
import { changeSetting, findSetting } from '../../settings/change-setting.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { recordByOperator } from '../record.ts';

export type ProviderState = {
  name: ProviderName;
  title: string;
  isMain: boolean;
  /** Null: the site has no settings of it any more. */
  capabilities: Capabilities | null;
  /** Subscriptions that still unlock something or renew. */
  running: number;
  customers: number;
};

/** The providers that the site works with, and those that are gone and still have customers; the main one first. */
export async function listProviders({ db, payments }: MembershipParts, actor: Actor): Promise<ProviderState[]> {
  administratorsOnly(actor);
  const states = await Promise.all(
    providerNames.map(async (name) => {
      const { rows } = await db.execute<{ running: number; customers: number }>(sql`
        select (select count(*)::int from subscriptions s where ${isAtProvider(sql`s.subscription_id`, name)}
            and s.status in ('trialing', 'active', 'past-due') and (s.ends_at is null or s.ends_at > now())) as running,
          (select count(*)::int from payment_customers c where ${isAtProvider(sql`c.customer_id`, name)}) as customers`);
      const capabilities = findProvider(payments, name)?.capabilities ?? null;
      const { running = 0, customers = 0 } = rows[0] ?? {};
      return { name, title: providerTitles[name], isMain: payments.name === name, capabilities, running, customers };
    }),
  );
  return states
    .filter(({ capabilities, customers, running }) => capabilities !== null || customers + running > 0)
    .toSorted((one, other) => Number(other.isMain) - Number(one.isMain));
}

/**
 * New subscriptions, gift cards and promo codes are made there from now on. Its prices are created first.
 * @throws DomainError `payment/provider-gone`, `payment/unavailable`
 */
export async function makeMainProvider(parts: MembershipParts, actor: Actor, name: ProviderName): Promise<void> {
  administratorsOnly(actor);
  await prepareMain(parts, name);
  await parts.db.transaction((tx) => writeMain(tx, actor, parts.payments.name, name));
}

/** @throws DomainError `payment/provider-gone`, `payment/unavailable` */
export async function prepareMain({ db, payments }: MembershipParts, name: ProviderName): Promise<void> {
  const provider = findProvider(payments, name);
  if (provider === undefined) throw new DomainError('payment/provider-gone');
  const settings = await findMembershipSettings(db);
  await provider.preparePlans([planOf(settings, 'month'), planOf(settings, 'year')]);
}

/** @param before the one that counted as the main one, chosen or not */
export async function writeMain(tx: Db, actor: Actor, before: ProviderName, name: ProviderName): Promise<void> {
  const { value, revision } = await findSetting(tx, paymentSetting);
  if (value.main === name) return;
  const changed = await changeSetting(tx, paymentSetting, { actor, value: { ...value, main: name }, revision });
  if (changed === undefined) throw new DomainError('settings/changed');
  await recordByOperator(tx, actor, {
    action: 'payment.make-main',
    subject: { type: 'payment', id: name, name: providerTitles[name] },
    before: { main: before },
    after: { main: name },
  });
}
