import { eq, sql } from 'drizzle-orm';
import type { Db } from '#domain/kernel/db.ts';
import { findCustomerId } from '#domain/membership/customers.ts';
import { giveMonths } from '#domain/membership/entitlement.ts';
import { sendDueMails } from '#domain/membership/mail-queue.ts';
import { giveTime } from '#domain/membership/gift-cards/operator-gifts.ts';
import type { NewPromoCode } from '#domain/membership/payment-provider.ts';
import type { Period } from '#domain/membership/rules.ts';
import { memberships, membershipMails } from '#domain/membership/tables.ts';
import { formatDay } from '#formats/times.ts';
import { formatMoney } from '#formats/numbers.ts';
import { priceLines } from '#web/membership/price-lines.ts';
import { createListener, openTestMembership, orderOf } from './membership.ts';
import { stripeHarness } from './payment-harness.ts';

type Code = Omit<NewPromoCode, 'currency'> | undefined;

/** One way to subscribe. `gift`: months, and whether they are given before or after subscribing. */
type Way = { period: Period; hasTrial: boolean; code: Code; gift: { months: number; isBefore: boolean } };

const codes: Code[] = [
  undefined,
  { code: 'ONCE30', percentOff: 30, duration: 'once' },
  { code: 'ONCE2', amountOff: 200, duration: 'once' },
  { code: 'THREE50', percentOff: 50, duration: 'months', months: 3 },
  { code: 'THREE1', amountOff: 100, duration: 'months', months: 3 },
  { code: 'EVER15', percentOff: 15, duration: 'forever' },
  { code: 'EVER3', amountOff: 300, duration: 'forever' },
  { code: 'OFF', percentOff: 50, duration: 'once' },
];
const gifts = [
  { months: 0, isBefore: true },
  ...[1, 3, 12].flatMap((months) => [
    { months, isBefore: true },
    { months, isBefore: false },
  ]),
];
const every: Way[] = (['month', 'year'] as const).flatMap((period) =>
  [true, false].flatMap((hasTrial) => codes.flatMap((code) => gifts.map((gift) => ({ period, hasTrial, code, gift })))),
);

/** Spread over all combinations, the same in each run. */
function waysOf(count: number): Way[] {
  // Coprime to their number, so that no combination repeats before all were used.
  return Array.from({ length: count }, (_, index) => every[(index * 67) % every.length] as Way);
}

export type StatedPrices = {
  walked: number;
  /** Charges whose amount and day were compared. */
  compared: number;
  /** Stated prices that differ from the charge. */
  wrong: string[];
};

/**
 * Subscribes in many ways at the sandbox, reads the prices in banner, payment form, account and mails, advances the
 * customer's clock, and compares them with the invoices.
 */
export async function walkStatedPrices(options: { db: Db; databaseUrl: string; count: number }): Promise<StatedPrices> {
  const { db, databaseUrl, count } = options;
  const harness = await stripeHarness(databaseUrl);
  const { provider, sandbox, newCard } = harness;
  const site = openTestMembership(db, { provider } as never);
  const { testClock } = provider;
  if (testClock === undefined) throw new Error('Its time cannot be moved');
  // The sandbox has few card numbers, so each user gets a unique fingerprint.
  await db.execute(sql`create or replace function own_card() returns trigger language plpgsql as
    'begin new.card_hash := encode(sha256(convert_to(new.card_hash || new.user_id, ''UTF8'')), ''hex''); return new; end'`);
  await db.execute(sql`create or replace trigger own_card before insert on trial_cards
    for each row execute function own_card()`);
  // Each waits for its own run, because another would send it before a later gift.
  await db.execute(sql`create or replace function held_mail() returns trigger language plpgsql as
    'begin new.due_at := ''9999-01-01''; return new; end'`);
  await db.execute(sql`create or replace trigger held_mail before insert on membership_mails
    for each row execute function held_mail()`);
  const wrong: string[] = [];
  let compared = 0;

  async function walk(way: Way): Promise<void> {
    const { period, code, hasTrial, gift } = way;
    // After an earlier gift: a discount of that many months ends after it.
    const startsAt = new Date(Date.now() + 60_000);
    const { id, email } = await createListener(site, { startsAt });
    const check = (what: string, isTrue: boolean) => {
      compared += 1;
      if (!isTrue) wrong.push(`${JSON.stringify(way)}: ${what}`);
    };
    if (!hasTrial) await db.insert(memberships).values({ userId: id, trialUsedAt: startsAt });
    if (gift.months > 0 && gift.isBefore) await giveMonths(db, id, gift.months);
    const order = orderOf(await newCard('good'), { period, promoCode: code?.code });
    const previewed = await site.previewSubscription(id, order);
    const outcome = await site.createSubscription(id, order);
    if (!previewed.ok) {
      check(`${previewed.reason} in the form`, code?.code === 'OFF' && !outcome.ok);
      return;
    }
    if (!outcome.ok) return check(`a price in the form, then ${outcome.reason}`, false);
    const { preview } = previewed;
    const stated = priceLines(preview);
    if (gift.months > 0 && !gift.isBefore) await giveTime(site.parts, id, { months: gift.months });

    let account = await site.findSubscription(id);
    // A page omits it when the provider takes longer than two seconds.
    for (let tries = 0; account.nextCharge === null && tries < 5; tries += 1) account = await site.findSubscription(id);
    // Today, not two days before it ends.
    await db
      .update(membershipMails)
      .set({ dueAt: new Date(0) })
      .where(eq(membershipMails.userId, id));
    await sendDueMails(site.parts);
    const mailed = site.mails.filter(({ to }) => to === email).map(({ text }) => text.replaceAll(/\s+/g, ' '));

    const customerId = (await findCustomerId(db, id)) ?? '';
    const next = account.nextCharge;
    if (next === null) return check('no next charge in the account', false);
    const step = period === 'year' ? 12 : 1;
    const charged = code?.duration === 'months' ? 4 : 2;
    await testClock?.advance(customerId, new Date(afterMonths(next.at, step * (charged - 1)).getTime() + dayMs));
    const facts = await provider.readCustomer(customerId);
    const charges = (facts?.invoices ?? [])
      .filter(({ subtotal }) => subtotal > 0)
      .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
      .map(({ amountPaid, periodStart, createdAt }) => ({ amount: amountPaid, at: createdAt, from: periodStart }));

    const toCome = charges.filter(({ at }) => at.getTime() > startsAt.getTime() + dayMs / 2);
    const [first] = toCome;
    if (first === undefined) return check('no charge came', false);
    check(
      `account: ${next.amount} on ${formatDay(next.at)}; charged: ${first.amount} on ${formatDay(first.at)}`,
      next.amount === first.amount && formatDay(next.at) === formatDay(first.at),
    );
    check(
      `account renews on ${account.renewsAt?.toISOString()}`,
      account.renewsAt !== null && formatDay(account.renewsAt) === formatDay(first.at),
    );
    for (const text of mailed.filter((one) => /continues at|The next payment|The first payment|After that/.test(one))) {
      const amount = formatMoney(first.amount, preview.currency);
      check(
        `mail: ${text}; charged: ${amount} on ${formatDay(first.at)}`,
        text.includes(amount) && text.includes(formatDay(first.at)),
      );
    }
    const today = charges.filter(({ at }) => at.getTime() <= startsAt.getTime() + dayMs / 2);
    const paidToday = today.reduce((sum, { amount }) => sum + amount, 0);
    check(`form: ${stated.today}; charged today: ${paidToday}`, amountsOf(stated.today)[0] === paidToday);
    for (const { amount } of today)
      check(
        'receipt',
        mailed.some((text) => text.includes(`${formatMoney(amount, preview.currency)} was paid`)),
      );
    // A later gift moves the date that the form stated; account and mails show the new one.
    if (gift.months > 0 && !gift.isBefore) return;
    const promised = scheduleOf(stated, charges.length);
    check(
      `form: ${stated.today} ${stated.later}; charged: ${charges.map(({ amount }) => amount).join(' ')}`,
      charges.every(({ amount }, index) => amount === promised[index]),
    );
    const [charge] = charges;
    check(
      `form: first on ${formatDay(preview.firstCharge.at)}; charged on ${charge && formatDay(charge.at)}`,
      charge !== undefined && formatDay(charge.at) === formatDay(preview.firstCharge.at),
    );
  }

  try {
    await site.checkPlans();
    for (const code of codes)
      if (code !== undefined) {
        const made = await provider.createPromoCode({ ...code, currency: 'usd' });
        if (code.code === 'OFF') await provider.disablePromoCode(made?.id ?? '');
      }
    const waiting = waysOf(count);
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let way = waiting.pop(); way !== undefined; way = waiting.pop()) await walk(way);
      }),
    );
    return { walked: count, compared, wrong };
  } finally {
    await sandbox.close();
  }
}

const dayMs = 24 * 60 * 60 * 1000;

function afterMonths(start: Date, months: number): Date {
  const end = new Date(start);
  end.setUTCMonth(start.getUTCMonth() + months);
  return end;
}

/** Amounts in cents, in the order of the text. */
function amountsOf(text: string): number[] {
  return [...text.matchAll(/\$(\d+)(?:\.(\d\d))?/g)].map(
    ([, whole, cents = '00']) => Number(whole) * 100 + Number(cents),
  );
}

/** Amounts and dates in the payment form's sentences, in order. */
function scheduleOf({ today, later }: { today: string; later: string }, count: number): number[] {
  const text = `${today.startsWith('Today $0.') ? '' : today} ${later}`;
  const amounts: number[] = [];
  for (const sentence of text.split(/(?<=\.)\s+/).map((one) => one.trim())) {
    const [amount] = amountsOf(sentence);
    if (amount === undefined) continue;
    const again = /^The next (?:(\d+) )?/.exec(sentence);
    const times = /^Then |and each /.test(sentence) ? count : again === null ? 1 : Number(again[1] ?? 1);
    amounts.push(...Array.from({ length: times }, () => amount));
  }
  return amounts.slice(0, count);
}
