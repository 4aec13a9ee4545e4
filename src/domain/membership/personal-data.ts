import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { lazyRows } from '../kernel/lazy-rows.ts';
import type { PersonalData } from '../kernel/personal-data.ts';
import { users } from '../identity/tables.ts';
import { type Db, pick } from '../kernel/db.ts';
import { findSubscriptionState } from './subscription.ts';
import { hostedEvents, paymentOrders } from './hosted/tables.ts';
import { issueDocuments } from './tax/documents.ts';
import { buyerTaxFacts, taxDocuments } from './tax/tables.ts';
import { winBacks } from './keeping/win-back-tables.ts';
import { pauses, stayOffers } from './keeping/tables.ts';
import { importedMembers } from './importing/tables.ts';
import { movedSubscriptions } from './moving/tables.ts';
import { tips } from './tips/tables.ts';
import {
  formerPaymentCustomers,
  giftCards,
  givenMonths,
  invoiceRefunds,
  invoices,
  membershipMails,
  memberships,
  paymentCustomers,
  paymentEvents,
  subscriptions,
  subscriptionWishes,
  trialCards,
} from './tables.ts';

/** Refunds before their invoices. */
const ownTables = [
  givenMonths,
  membershipMails,
  invoiceRefunds,
  invoices,
  subscriptions,
  subscriptionWishes,
  pauses,
  stayOffers,
  paymentCustomers,
  formerPaymentCustomers,
  memberships,
  buyerTaxFacts,
  winBacks,
];

export const personalData: PersonalData = {
  tables: [
    'memberships',
    'payment_customers',
    'former_payment_customers',
    'moved_subscriptions',
    'imported_members',
    'payment_orders',
    'hosted_events',
    'subscriptions',
    'subscription_wishes',
    'pauses',
    'stay_offers',
    'invoices',
    'invoice_refunds',
    'trial_cards',
    'payment_events',
    'gift_cards',
    'given_months',
    'tips',
    'membership_mails',
    'tax_documents',
    'buyer_tax_facts',
    'win_backs',
  ],
  async exportOf(db, userId) {
    const [membership] = await db
      .select(pick(memberships, 'giftUntil', 'trialUsedAt'))
      .from(memberships)
      .where(eq(memberships.userId, userId));
    const [customer] = await db
      .select(pick(paymentCustomers, 'customerId', 'createdAt'))
      .from(paymentCustomers)
      .where(eq(paymentCustomers.userId, userId));
    const [card] = await db
      .select(pick(subscriptions, 'cardExpires'))
      .from(subscriptions)
      .where(eq(subscriptions.userId, userId));
    const offers = lazyRows(db, (on) =>
      on
        .select(pick(winBacks, 'code', 'percentOff', 'months', 'expiresAt', 'createdAt', 'usedAt'))
        .from(winBacks)
        .where(eq(winBacks.userId, userId))
        .orderBy(asc(winBacks.createdAt)),
    );
    const {
      card: _card,
      nextCharge: _charge,
      pauseChoices: _p,
      stayOffer: _o,
      ...subscription
    } = await findSubscriptionState(db, userId);
    const own = lazyRows(db, (on) =>
      on.select().from(invoices).where(eq(invoices.userId, userId)).orderBy(asc(invoices.createdAt)),
    );
    const gifts = lazyRows(db, (on) =>
      on
        .select({
          ...pick(giftCards, 'buyerId', 'months', 'amount', 'currency', 'recipientEmail', 'senderName', 'message'),
          ...pick(giftCards, 'deliverAt', 'paidAt', 'refundedAt', 'redeemedAt'),
        })
        .from(giftCards)
        .where(or(eq(giftCards.buyerId, userId), eq(giftCards.redeemedBy, userId)))
        .orderBy(asc(giftCards.createdAt)),
    );
    const tipped = lazyRows(db, (on) =>
      on
        .select({
          ...pick(tips, 'voiceName', 'amount', 'currency', 'note', 'isAnonymous', 'region', 'tax'),
          ...pick(tips, 'createdAt', 'paidAt', 'refundedAt'),
        })
        .from(tips)
        .where(eq(tips.giverId, userId))
        .orderBy(asc(tips.createdAt)),
    );
    const given = lazyRows(db, (on) =>
      on
        .select({ months: givenMonths.months, givenAt: givenMonths.createdAt, takenBackAt: givenMonths.takenBackAt })
        .from(givenMonths)
        .where(eq(givenMonths.userId, userId))
        .orderBy(asc(givenMonths.createdAt)),
    );
    const mails = lazyRows(db, (on) =>
      on
        .select(pick(membershipMails, 'kind', 'dueAt', 'sentAt'))
        .from(membershipMails)
        .where(eq(membershipMails.userId, userId))
        .orderBy(asc(membershipMails.dueAt)),
    );
    const paused = lazyRows(db, (on) =>
      on
        .select(pick(pauses, 'months', 'fromAt', 'untilAt', 'endedAt', 'createdAt'))
        .from(pauses)
        .where(eq(pauses.userId, userId))
        .orderBy(asc(pauses.createdAt)),
    );
    const stayed = lazyRows(db, (on) =>
      on
        .select(pick(stayOffers, 'percentOff', 'months', 'isOnce', 'state', 'createdAt'))
        .from(stayOffers)
        .where(eq(stayOffers.userId, userId))
        .orderBy(asc(stayOffers.createdAt)),
    );
    const formerCustomers = await db
      .select(pick(formerPaymentCustomers, 'customerId', 'createdAt'))
      .from(formerPaymentCustomers)
      .where(eq(formerPaymentCustomers.userId, userId));
    const moved = lazyRows(db, (on) =>
      on
        .select({
          ...pick(movedSubscriptions, 'customerId', 'subscriptionId', 'kind', 'state'),
          ...pick(movedSubscriptions, 'paidUntil', 'movedAt', 'stoppedAt'),
        })
        .from(movedSubscriptions)
        .where(eq(movedSubscriptions.userId, userId))
        .orderBy(asc(movedSubscriptions.id)),
    );
    const imported = lazyRows(db, (on) =>
      on
        .select(pick(importedMembers, 'email', 'paidUntil', 'plan', 'language', 'customerId', 'state', 'givenUntil'))
        .from(importedMembers)
        .where(eq(importedMembers.userId, userId))
        .orderBy(asc(importedMembers.importId), asc(importedMembers.line)),
    );
    const orders = lazyRows(db, (on) =>
      on.select().from(paymentOrders).where(eq(paymentOrders.userId, userId)).orderBy(asc(paymentOrders.createdAt)),
    );
    const documents = lazyRows(db, (on) =>
      on.select().from(taxDocuments).where(eq(taxDocuments.userId, userId)).orderBy(asc(taxDocuments.issuedAt)),
    );
    const [tax] = await db
      .select(pick(buyerTaxFacts, 'vatId', 'region', 'regionAt'))
      .from(buyerTaxFacts)
      .where(eq(buyerTaxFacts.userId, userId));
    return {
      membership: {
        ...membership,
        tax: tax ?? null,
        customer: customer ?? null,
        formerCustomers,
        moved,
        imported,
        subscription: { ...subscription, cardExpires: card?.cardExpires ?? null },
        offers,
        given,
        pauses: paused,
        stayOffers: stayed,
        mails,
      },
      'payment-orders': orders.map(({ userId: _user, ...order }) => ({
        ...order,
        events: lazyRows(db, (on) =>
          on
            .select(pick(hostedEvents, 'type', 'at', 'until', 'amount', 'currency', 'card', 'country'))
            .from(hostedEvents)
            .where(eq(hostedEvents.reference, order.reference))
            .orderBy(asc(hostedEvents.at)),
        ),
      })),
      invoices: own.map(({ userId: _user, ...invoice }) => ({
        ...invoice,
        refunds: lazyRows(db, (on) =>
          on
            .select(pick(invoiceRefunds, 'amount', 'currency', 'state', 'createdAt'))
            .from(invoiceRefunds)
            .where(eq(invoiceRefunds.invoiceId, invoice.id))
            .orderBy(asc(invoiceRefunds.createdAt)),
        ),
      })),
      'tax-documents': documents.map(({ userId: _user, ...document }) => document),
      tips: tipped,
      // The buyer sees what they wrote; the recipient sees only the months.
      'gift-cards': gifts.map(({ buyerId, redeemedAt, months, ...gift }) =>
        buyerId === userId ? { bought: true, months, ...gift } : { bought: false, months, redeemedAt },
      ),
    };
  },
  async erase(db, userId) {
    const [customer] = await db
      .select({ id: paymentCustomers.customerId })
      .from(paymentCustomers)
      .where(eq(paymentCustomers.userId, userId));
    const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId));
    await forgetDocuments(db, userId, user?.email ?? null);
    if (customer !== undefined) {
      await db.update(paymentEvents).set({ customerId: null }).where(eq(paymentEvents.customerId, customer.id));
      await forgetInReports(db, customer.id);
    }
    // A paid gift belongs to its recipient and is still mailed; the giver's identity is erased.
    await db
      .update(giftCards)
      .set({ buyerId: null, buyerEmail: null, senderName: null })
      .where(eq(giftCards.buyerId, userId));
    await db.update(giftCards).set({ redeemedBy: null }).where(eq(giftCards.redeemedBy, userId));
    if (user !== undefined && user.email !== null) {
      await db.update(giftCards).set({ buyerEmail: null }).where(eq(giftCards.buyerEmail, user.email));
      await db
        .update(giftCards)
        .set({ recipientEmail: null, message: null, senderName: null })
        .where(
          sql`${giftCards.recipientEmail} = ${user.email} and (${giftCards.redeemedAt} is not null or ${giftCards.sentAt} is not null)`,
        );
    }
    // The money stays: it is in the payouts of its creator.
    await db.update(tips).set({ giverId: null, note: null, region: null }).where(eq(tips.giverId, userId));
    // The card stays recorded without its user: one trial per card.
    await db.update(trialCards).set({ userId: null }).where(eq(trialCards.userId, userId));
    await db.update(subscriptionWishes).set({ actorId: null }).where(eq(subscriptionWishes.actorId, userId));
    await forgetOrders(db, userId);
    await forgetMoved(db, userId);
    await forgetImported(db, userId, user?.email ?? null);
    for (const table of ownTables) await db.delete(table).where(eq(table.userId, userId));
  },
};

/** Tax law asks for the amounts of each invoice for years; the person is none of them. */
async function forgetDocuments(db: Db, userId: string, email: string | null): Promise<void> {
  await issueDocuments(db, { of: userId });
  await db
    .update(taxDocuments)
    // Sold gift cards stay, and may still be paid back.
    .set({ userId: null, invoiceId: null, refundId: null, buyer: null, evidence: null })
    .where(eq(taxDocuments.userId, userId));
  // Gift cards that were bought without the account, or by somebody else who typed this address.
  const isOfEmail = sql`${taxDocuments.subject} = 'voucher' and ${taxDocuments.buyer} ->> 'email' = ${email}`;
  const isNobodys = sql`${taxDocuments.userId} is null`;
  const withoutEmail = sql`case when ${isNobodys} then null else jsonb_set(${taxDocuments.buyer}, '{email}', 'null') end`;
  await db.update(taxDocuments).set({ buyer: withoutEmail }).where(isOfEmail);
}

/** The provider's word about money stays, without whose it was. */
async function forgetOrders(db: Db, userId: string): Promise<void> {
  const own = eq(paymentOrders.userId, userId);
  await db
    .update(hostedEvents)
    .set({ card: null, country: null, reason: null })
    .where(
      inArray(hostedEvents.reference, db.select({ reference: paymentOrders.reference }).from(paymentOrders).where(own)),
    );
  await db.update(paymentOrders).set({ userId: null, customerId: null, returnTo: null }).where(own);
}

/** One that its provider has not stopped is kept without whose it was, until it has. */
async function forgetMoved(db: Db, userId: string): Promise<void> {
  const isOwn = eq(movedSubscriptions.userId, userId);
  const isUnstopped = and(eq(movedSubscriptions.state, 'moved'), isNull(movedSubscriptions.stoppedAt));
  await db.update(movedSubscriptions).set({ userId: null, cancelUrl: null }).where(and(isOwn, isUnstopped));
  await db.delete(movedSubscriptions).where(isOwn);
}

/** The keyed hash stays as long as the import, so that the same file does not make the account again. */
async function forgetImported(db: Db, userId: string, email: string | null): Promise<void> {
  await db
    .update(importedMembers)
    .set({ email: null, plan: null, language: null, customerId: null, paidUntil: null, givenUntil: null, error: null })
    .where(or(eq(importedMembers.userId, userId), email === null ? undefined : eq(importedMembers.email, email)));
}

async function forgetInReports(db: Db, customerId: string): Promise<void> {
  const named = sql`${JSON.stringify([{ customerId }])}::jsonb`;
  const without = (list: 'corrections' | 'failures') =>
    sql`(select coalesce(jsonb_agg(e), '[]') from jsonb_array_elements(${sql.identifier(list)}) e
      where e ->> 'customerId' <> ${customerId})`;
  await db.execute(sql`
    update reconciliation_runs set corrections = ${without('corrections')}, failures = ${without('failures')}
    where corrections @> ${named} or failures @> ${named}`);
}
