import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '#db/database.ts';
import { accountDeletions, users } from '#domain/identity/tables.ts';
import { eraseUser, exportUser } from '#domain/privacy/personal-data.ts';
import { findSetting } from '#domain/settings/change-setting.ts';
import { languageSetting } from '#domain/settings/languages.ts';
import { newId } from '#domain/kernel/ids.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser } from '#test/support/factories.ts';
import { openTestIdentity, signIn, testOrigin, testSecret } from '#test/support/identity.ts';
import { isSubscribed, openTestMembership } from '#test/support/payments/membership.ts';
import { type StripeHarness, stripeHarness } from '#test/support/payments/payment-harness.ts';
import { invoices, membershipMails, memberships, paymentCustomers, subscriptions } from '../tables.ts';
import { taxDocuments } from '../tax/tables.ts';
import { findImport, findOpenImportOf, storeImport } from './plan-import.ts';
import { purgeImports, retryImport, runImport, setImportState } from './run-import.ts';
import { importedMembers, memberImports } from './tables.ts';

/** Members who are imported while the process is killed again and again; 10,000 take half a minute. */
const count = Number(process.env['IMPORTED_MEMBERS'] ?? 60);
/** Subscriptions that are adopted; 1,000 take some minutes. */
const running = Number(process.env['ADOPTED_SUBSCRIPTIONS'] ?? 5);

async function openWorld(payments?: StripeHarness['provider']) {
  const { db, url } = await createTestDatabase();
  const membership = openTestMembership(db);
  const identity = await openTestIdentity({ db });
  const provider = payments ?? membership.parts.payments;
  const parts = {
    ...membership.parts,
    payments: provider,
    identity: { provider: identity.provider, secret: testSecret },
  };
  async function start(text: string): Promise<string> {
    const stored = await storeImport(db, { name: 'members.csv', text, secret: testSecret });
    if (!stored.ok) throw new Error(stored.reason);
    await setImportState(db, stored.id, 'running');
    return stored.id;
  }
  async function importAll(text: string) {
    const id = await start(text);
    await runImport(parts, id);
    const done = await findImport(db, id);
    if (done === undefined) throw new Error('the import is gone');
    return done;
  }
  const userOf = async (email: string) => (await db.select().from(users).where(eq(users.email, email)))[0];
  const giftOf = async (userId: string) =>
    (await db.select().from(memberships).where(eq(memberships.userId, userId)))[0]?.giftUntil ?? null;
  return { db, url, parts, mails: membership.mails, identity, start, importAll, userOf, giftOf };
}

const linesOf = (emails: string[], until = '2031-03-31') =>
  ['email,paid until', ...emails.map((email) => `${email},${until}`)].join('\n');
const untilDay = new Date('2031-04-01T00:00:00Z');

/** The address in a mail's plain text. */
const tokenIn = (text = '') => new URL(/https?:\S+token=\S+/.exec(text)?.[0] ?? '').searchParams.get('token') ?? '';

describe('a new member', () => {
  test('sets a password by the mail, in their language, and hears to the day', async () => {
    const { db, parts, mails, identity, importAll, userOf, giftOf } = await openWorld();
    const { value } = await findSetting(db, languageSetting);
    await db.execute(
      sql`insert into site_settings (key, value) values ('languages', ${JSON.stringify({ ...value, de: true })}::jsonb)`,
    );
    const email = 'ana@example.org';
    const done = await importAll(`email;paid until;plan;language\n${email};31.03.2031;Gold;de-AT`);
    expect(done).toMatchObject({ state: 'done', total: 1, new: 1, given: 1, plans: [{ plan: 'Gold', count: 1 }] });
    const user = await userOf(email);
    expect(user).toMatchObject({ username: null, termsAcceptedAt: null, preferences: { language: 'de' } });
    const id = user?.id ?? '';
    expect(await giftOf(id)).toEqual(untilDay);
    expect(await isSubscribed(db, id)).toBe(true);
    expect(await parts.identity.provider.hasPassword({ subject: user?.identitySubject ?? '', email })).toBe(false);

    expect(mails).toMatchObject([{ to: email }]);
    expect(mails[0]?.subject).not.toContain('Your membership');
    expect(mails[0]?.text).toContain('31. März 2031');
    const set = await identity.handle(
      new Request(`${testOrigin}/identity/reset-password`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: testOrigin },
        body: JSON.stringify({ token: tokenIn(mails[0]?.text), newPassword: 'open sesame' }),
      }),
    );
    expect(set.status).toBe(200);
    expect(await signIn(identity, email, 'open sesame')).toMatch(/^ey/);
  });

  test('is in their export, and once erased is not made again', async () => {
    const { db, importAll, userOf, mails } = await openWorld();
    const text = linesOf(['gone@example.org']);
    await importAll(text);
    const { id } = (await userOf('gone@example.org')) ?? { id: '' };
    expect(await exportUser(db, id, 'secret')).toMatchObject({
      membership: { imported: expect.anything() as unknown },
    });
    await eraseUser(db, id);
    const kept = await db.select().from(importedMembers);
    expect(JSON.stringify(kept)).not.toContain('gone@example.org');
    const again = await importAll(text);
    expect(again).toMatchObject({ new: 0, refused: 1, problems: [{ line: 2, reason: 'erased' }] });
    expect(await userOf('gone@example.org')).toBeUndefined();
    expect(mails).toHaveLength(1);
  });
});

describe('known users', () => {
  test('get only the time that they lack, without a mail', async () => {
    const { db, importAll, giftOf, mails } = await openWorld();
    const [without, less, more, paid] = await Promise.all(
      ['without', 'less', 'more', 'paid'].map((name) => createUser(db, { email: `${name}@example.org` })),
    );
    if (!without || !less || !more || !paid) throw new Error('four users');
    const longer = new Date('2032-01-01T00:00:00Z');
    await db.insert(memberships).values([
      { userId: less.id, giftUntil: new Date('2031-01-01T00:00:00Z') },
      { userId: more.id, giftUntil: longer },
    ]);
    await db.insert(subscriptions).values({
      userId: paid.id,
      subscriptionId: 'sub_paid',
      status: 'active',
      period: 'year',
      amount: 7000,
      currency: 'usd',
      startedAt: new Date(),
      periodEndsAt: longer,
    });
    const text = linesOf(['without', 'less', 'more', 'paid'].map((name) => `${name}@example.org`));
    const done = await importAll(text);
    expect(done).toMatchObject({ new: 0, known: 4, refused: 0, given: 2 });
    expect(await Promise.all([without, less, more, paid].map(({ id }) => giftOf(id)))).toEqual([
      untilDay,
      untilDay,
      longer,
      null,
    ]);
    expect(await importAll(text)).toMatchObject({ known: 4, given: 0 });
    expect(mails).toEqual([]);
  });

  test('who are suspended or about to be deleted stay as they are, as the plan says', async () => {
    const { db, start, parts, giftOf, userOf } = await openWorld();
    const suspended = await createUser(db, { email: 'suspended@example.org', suspendedAt: new Date() });
    const leaving = await createUser(db, { email: 'leaving@example.org' });
    await db
      .insert(accountDeletions)
      .values({ userId: leaving.id, reason: 'asked for it', dueAt: new Date(Date.now() + 1e8) });
    await createUser(db, { email: 'known@example.org' });
    const text = linesOf(['suspended', 'leaving', 'known', 'new'].map((name) => `${name}@example.org`));
    const stored = await storeImport(db, {
      name: 'members.csv',
      text: `${text}\nnobody,2031-01-01`,
      secret: testSecret,
    });
    if (!stored.ok) throw new Error(stored.reason);
    const problems = [
      { line: 2, email: 'suspended@example.org', state: 'refused', reason: 'suspended', error: null },
      { line: 3, email: 'leaving@example.org', state: 'refused', reason: 'being-deleted', error: null },
      { line: 6, email: null, state: 'refused', reason: 'no-email', error: null },
    ];
    const planned = { new: 1, known: 1, refused: 3, waiting: 0, problems };
    expect(await findImport(db, stored.id)).toMatchObject({ state: 'planned', ...planned });
    expect(await userOf('new@example.org')).toBeUndefined();
    // Nothing is done before it is started.
    await runImport(parts, stored.id);
    expect(await userOf('new@example.org')).toBeUndefined();
    const id = await start(text);
    await runImport(parts, id);
    expect(await findImport(db, id)).toMatchObject({ ...planned, refused: 2, problems: problems.slice(0, 2) });
    expect(await giftOf(suspended.id)).toBeNull();
    expect(await giftOf(leaving.id)).toBeNull();
  });
});

test(
  'an import goes on after each kill: nobody is lost, made twice or mailed twice',
  { timeout: 60_000 + count * 30 },
  async ({ annotate }) => {
    const { db, url, parts, start } = await openWorld();
    // The mail is part of the transaction, as in the outbox.
    await db.execute(sql`create table sent (recipient text)`);
    const mail = {
      ...parts.mail,
      queue: async (tx: typeof db, { to }: { to: string }) =>
        void (await tx.execute(sql`insert into sent values (${to})`)),
    };
    const began = Date.now();
    const id = await start(linesOf(Array.from({ length: count }, (_, number) => `member-${number}@example.org`)));
    for (const part of [0.25, 0.5, 0.75]) await killedRun(db, url, { ...parts, mail }, id, Math.ceil(count * part));
    expect((await findImport(db, id))?.waiting).toBeGreaterThan(0);
    await runImport({ ...parts, mail }, id);
    const seconds = (Date.now() - began) / 1000;
    expect(await findImport(db, id)).toMatchObject({ state: 'done', new: count, known: 0, refused: 0, failed: 0 });
    expect(await db.$count(users)).toBe(count);
    expect(await db.$count(memberships, eq(memberships.giftUntil, untilDay))).toBe(count);
    const { rows } = await db.execute(
      sql`select count(*)::int as all, count(distinct recipient)::int as each from sent`,
    );
    expect(rows).toEqual([{ all: count, each: count }]);
    const { rows: atProvider } = await db.execute(sql`select count(*)::int as count from provider_users`);
    expect(atProvider).toEqual([{ count }]);
    await annotate(`${count} members in ${seconds.toFixed(1)} s, with three kills`);
    expect(seconds).toBeLessThan(60 + count / 30);
  },
);

/** A process that dies once so many lines are done: its connections break within their transactions. */
async function killedRun(
  db: Awaited<ReturnType<typeof createTestDatabase>>['db'],
  url: string,
  parts: Parameters<typeof runImport>[0],
  id: string,
  done: number,
): Promise<void> {
  const name = `killed-${newId()}`;
  const own = new URL(url);
  own.searchParams.set('application_name', name);
  const process = openDatabase({ url: own.href, poolSize: 4 });
  const run = runImport({ ...parts, db: process.db }, id).catch(() => undefined);
  while ((await db.$count(importedMembers, eq(importedMembers.state, 'new'))) < done)
    await new Promise((resolve) => setTimeout(resolve, 2));
  const kill = async () => {
    await db.execute(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name} and datname = current_database()`,
    );
  };
  const again = setInterval(() => void kill(), 1);
  await kill();
  await Promise.race([run, new Promise((later) => setTimeout(later, 2000))]);
  clearInterval(again);
  await process.close();
  // The killed process renews its leases no more.
  await db.execute(sql`update payment_locks set until = now()`);
}

test('the same file goes on where it was; only one import is open; old ones are forgotten', async () => {
  const { db, start, parts } = await openWorld();
  const text = linesOf(['a@example.org']);
  const id = await start(text);
  expect(await findOpenImportOf(db, text)).toBe(id);
  expect(await findOpenImportOf(db, `${text}\n`)).toBeUndefined();
  await expect(start(linesOf(['b@example.org']))).rejects.toMatchObject({
    cause: { constraint: 'member_imports_open_idx' },
  });
  await setImportState(db, id, 'paused');
  await runImport(parts, id);
  expect((await findImport(db, id))?.waiting).toBe(1);
  await setImportState(db, id, 'running');
  await runImport(parts, id);
  expect(await findOpenImportOf(db, text)).toBeUndefined();
  expect(await setImportState(db, id, 'running')).toBe(false);

  await db.update(memberImports).set({ createdAt: sql`now() - interval '2 days'` });
  expect(await purgeImports(db)).toBe(1);
  expect(await findImport(db, id)).toBeDefined();
  await db.update(memberImports).set({ endedAt: sql`now() - interval '91 days'` });
  expect(await purgeImports(db)).toBe(1);
  expect(await db.$count(importedMembers)).toBe(0);
});

test('a line that fails is tried three times, and again when an operator asks for it', async () => {
  const { db, parts, start } = await openWorld();
  const { provider } = parts.identity;
  let isBroken = true;
  const broken = {
    ...provider,
    async createInvited(email: string) {
      if (isBroken && email.startsWith('broken')) throw new Error('it broke');
      return provider.createInvited(email);
    },
  };
  const brokenParts = { ...parts, identity: { ...parts.identity, provider: broken } };
  const id = await start(linesOf(['broken@example.org', 'whole@example.org']));
  await runImport(brokenParts, id);
  expect(await findImport(db, id)).toMatchObject({
    state: 'done',
    new: 1,
    failed: 1,
    problems: [{ line: 2, state: 'failed', error: 'it broke' }],
  });
  isBroken = false;
  expect(await retryImport(db, id)).toBe(1);
  await runImport(brokenParts, id);
  expect(await findImport(db, id)).toMatchObject({ state: 'done', new: 2, failed: 0, problems: [] });
});

test('a lost database ends the run, and no line has lost an attempt', async () => {
  const { db, parts, start } = await openWorld();
  const { provider } = parts.identity;
  const lost = Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' });
  const withoutDatabase = { ...provider, createInvited: async () => Promise.reject(lost) };
  const id = await start(linesOf(['a@example.org', 'b@example.org']));
  await expect(runImport({ ...parts, identity: { ...parts.identity, provider: withoutDatabase } }, id)).rejects.toBe(
    lost,
  );
  expect(await db.select({ attempts: importedMembers.attempts }).from(importedMembers)).toEqual([
    { attempts: 0 },
    { attempts: 0 },
  ]);
  await runImport(parts, id);
  expect(await findImport(db, id)).toMatchObject({ state: 'done', new: 2, failed: 0 });
});

describe('running subscriptions of the same Stripe account', () => {
  async function openStripe() {
    const { url } = await createTestDatabase();
    const harness = await stripeHarness(url);
    const world = await openWorld(harness.provider);
    const { stripe } = harness;
    const price = await stripe.prices.create({
      currency: 'usd',
      unit_amount: 500,
      recurring: { interval: 'month' },
      product_data: { name: 'The former site' },
    });
    /** As the former site began it. */
    async function subscribe(email: string, more: { price?: string } = {}) {
      const card = await harness.newCard('good');
      const customer = await stripe.customers.create({
        email,
        payment_method: card,
        invoice_settings: { default_payment_method: card },
        metadata: { userId: 'of-the-former-site' },
      });
      const subscription = await stripe.subscriptions.create({
        customer: customer.id,
        items: [{ price: more.price ?? price.id }],
      });
      return { customerId: customer.id, subscriptionId: subscription.id };
    }
    return { ...world, harness, stripe, subscribe };
  }
  const fileOf = (rows: [email: string, customerId: string][]) =>
    ['email,stripe customer', ...rows.map((row) => row.join(','))].join('\n');

  test(
    'go on without a payment, and are followed from then on',
    { timeout: 60_000 + running * 500 },
    async ({ annotate }) => {
      const { db, harness, stripe, subscribe, importAll, userOf, mails } = await openStripe();
      const made: [string, string][] = [];
      for (let number = 0; number < running; number += 1) {
        const email = `subscriber-${number}@example.org`;
        made.push([email, (await subscribe(email)).customerId]);
      }
      const paidBefore = (await stripe.charges.list({ limit: 100 })).data.length;
      harness.sent.length = 0;
      const began = Date.now();
      const done = await importAll(fileOf(made));
      const seconds = (Date.now() - began) / 1000;
      expect(done).toMatchObject({ state: 'done', new: running, adopted: running, refused: 0, given: 0 });
      expect(await db.$count(subscriptions, eq(subscriptions.status, 'active'))).toBe(running);
      expect((await stripe.charges.list({ limit: 100 })).data.length).toBe(paidBefore);
      expect(
        harness.sent.filter(({ path, method }) => method === 'POST' && /charges|payment_intents|invoices/.test(path)),
      ).toEqual([]);
      const [email, customerId] = made[0] ?? ['', ''];
      const user = await userOf(email);
      const userId = user?.id ?? '';
      expect(await isSubscribed(db, userId)).toBe(true);
      expect(await db.select().from(paymentCustomers).where(eq(paymentCustomers.userId, userId))).toMatchObject([
        { customerId },
      ]);
      expect(await db.select().from(subscriptions).where(eq(subscriptions.userId, userId))).toMatchObject([
        { period: 'month', amount: 500, currency: 'usd' },
      ]);
      // The former site's own mark stays.
      expect(await stripe.customers.retrieve(customerId)).toMatchObject({ metadata: { userId: 'of-the-former-site' } });
      expect(mails.find(({ to }) => to === email)?.text).toContain('Your subscription goes on as it is.');
      // The former site has told them, and issued its documents.
      expect(await db.$count(membershipMails)).toBe(0);
      expect(await db.$count(taxDocuments)).toBe(0);
      expect(await db.$count(invoices, eq(invoices.awaitsDocument, false))).toBe(running);
      const mailed = mails.length;
      expect(await importAll(fileOf(made))).toMatchObject({ known: running, adopted: running, refused: 0 });
      expect(mails.length).toBe(mailed);
      await annotate(`${running} adopted in ${seconds.toFixed(1)} s`);
    },
  );

  test('are refused with a reason, and nothing is made of their lines', async () => {
    const { db, stripe, subscribe, importAll, userOf } = await openStripe();
    const ended = await subscribe('ended@example.org');
    await stripe.subscriptions.cancel(ended.subscriptionId);
    const weekly = await stripe.prices.create({
      currency: 'usd',
      unit_amount: 100,
      recurring: { interval: 'week' },
      product_data: { name: 'Weekly' },
    });
    const odd = await subscribe('odd@example.org', { price: weekly.id });
    const owned = await subscribe('owner@example.org');
    const owner = await createUser(db, { email: 'owner@example.org' });
    await importAll(fileOf([['owner@example.org', owned.customerId]]));
    const other = await subscribe('owner@example.org');
    const done = await importAll(
      fileOf([
        ['ended@example.org', ended.customerId],
        ['odd@example.org', odd.customerId],
        ['thief@example.org', owned.customerId],
        ['missing@example.org', 'cus_missing'],
        ['owner@example.org', other.customerId],
      ]),
    );
    expect(done).toMatchObject({ new: 0, known: 0, adopted: 0, refused: 5 });
    expect(done.problems.map(({ reason }) => reason)).toEqual([
      'subscription-ended',
      'other-rhythm',
      'customer-of-another',
      'customer-missing',
      'other-subscription',
    ]);
    for (const name of ['ended', 'odd', 'thief', 'missing'])
      expect(await userOf(`${name}@example.org`)).toBeUndefined();
    expect(await db.select().from(paymentCustomers)).toMatchObject([
      { userId: owner.id, customerId: owned.customerId },
    ]);
  });

  test('wait while the provider does not answer', async () => {
    const { db, parts, harness, subscribe, start, userOf } = await openStripe();
    const { customerId } = await subscribe('later@example.org');
    const id = await start(fileOf([['later@example.org', customerId]]));
    const { DomainError } = await import('#domain/kernel/errors.ts');
    const away = async () => {
      throw new DomainError('payment/unavailable');
    };
    const silent = { ...harness.provider, adoptions: { check: away, adopt: away } };
    await expect(runImport({ ...parts, payments: silent }, id)).rejects.toMatchObject({ code: 'payment/unavailable' });
    expect(await findImport(db, id)).toMatchObject({ state: 'running', waiting: 1, failed: 0 });
    expect(await userOf('later@example.org')).toBeUndefined();
    await runImport(parts, id);
    expect(await findImport(db, id)).toMatchObject({ state: 'done', new: 1, adopted: 1 });
  });
});
