import { eq } from 'drizzle-orm';
import type { MailContent } from '../../kernel/email-template.ts';
import { findSetting } from '../../settings/change-setting.ts';
import { type ProviderName, providerTitles } from '../capabilities.ts';
import { type MembershipParts, findCustomerId } from '../customers.ts';
import { providerOf } from '../hosted/hosted-id.ts';
import { isUsable } from '../payment-provider.ts';
import { findProviderOf } from '../payment-providers.ts';
import { chargedAt } from '../promo-codes.ts';
import { subscriptions } from '../tables.ts';
import { findComingTax } from '../tax/coming-tax.ts';
import { findPauseOf, phaseOf } from './find-pause.ts';
import { type ComingCharge, cardExpiresMail, prepaidEndsMail, renewalMail } from './mails.ts';
import { monthAt } from './plan-mails.ts';
import { keepingSetting } from './settings.ts';

type SubscriptionRow = typeof subscriptions.$inferSelect;

/**
 * The next charge, as the provider says: a balance there counts too. Asks the provider, so not within a transaction.
 * @returns undefined when nothing will be
 */
export async function findComingCharge(
  { db, payments }: Pick<MembershipParts, 'db' | 'payments'>,
  userId: string,
): Promise<ComingCharge | undefined> {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
  const customerId = await findCustomerId(db, userId);
  if (row === undefined || customerId === undefined || !renews(row)) return undefined;
  const provider = findProviderOf(payments, row.subscriptionId);
  const upcoming = await provider?.readUpcoming(customerId, row.subscriptionId);
  if (upcoming !== undefined && upcoming.nextCharge === undefined) return undefined;
  const amount = upcoming?.nextCharge?.amount ?? chargedAt(row.amount, row.discount, row.periodEndsAt);
  const pages = await provider?.checkouts?.pagesOf(row.subscriptionId);
  const phase = phaseOf(await findPauseOf(db, row.subscriptionId), row, new Date());
  return {
    at: row.periodEndsAt,
    amount,
    isPaused: phase === 'ahead' || phase === 'running',
    currency: row.currency,
    tax:
      provider?.capabilities.sellsInOwnName === true ? undefined : await findComingTax(db, row, amount, upcoming?.tax),
    cancelAt:
      provider?.capabilities.cancel !== 'page' || pages?.cancel === undefined
        ? undefined
        : { provider: providerTitles[providerOf(row.subscriptionId) satisfies ProviderName], url: pages.cancel },
  };
}

const renews = ({ status, endsAt }: SubscriptionRow) => isUsable(status) && endsAt === null;
const dayOf = (time: Date) => time.toISOString().slice(0, 10);

export type KeepingMailKind = 'card-expires' | 'renewal' | 'prepaid-ends';

export const isKeepingMail = (kind: string): kind is KeepingMailKind =>
  kind === 'card-expires' || kind === 'renewal' || kind === 'prepaid-ends';

/** Uses the current state. @param ref the subscription, and the day or month @returns undefined when it is obsolete */
export async function composeKeepingMail(
  { db, site }: Pick<MembershipParts, 'db' | 'site'>,
  {
    kind,
    ref,
    row,
    charge,
  }: { kind: KeepingMailKind; ref: string; row: SubscriptionRow; charge: ComingCharge | undefined },
): Promise<MailContent | undefined> {
  const { value: settings } = await findSetting(db, keepingSetting);
  const subject = ref.split(' ')[1] ?? '';
  const now = new Date();
  if (kind === 'prepaid-ends') {
    const { status, endsAt } = row;
    const isDue = settings.prepaidEnd && status === 'active' && endsAt !== null && endsAt > now;
    return isDue && dayOf(endsAt) === subject ? prepaidEndsMail(site, { endsAt }) : undefined;
  }
  if (!renews(row) || row.periodEndsAt <= now) return undefined;
  if (kind === 'card-expires') {
    const isDue = settings.cardExpiry && row.cardExpires === subject && subject < monthAt(row.periodEndsAt);
    return isDue ? cardExpiresMail(site, { expires: subject, chargeAt: row.periodEndsAt }) : undefined;
  }
  const isDue = settings.renewal && (row.nextPeriod ?? row.period) === 'year' && dayOf(row.periodEndsAt) === subject;
  return isDue && charge !== undefined && dayOf(charge.at) === subject ? renewalMail(site, charge) : undefined;
}
