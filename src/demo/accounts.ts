import { and, eq, inArray } from 'drizzle-orm';
import { siteSettings } from '#domain/settings/tables.ts';
import type { Db } from '#domain/kernel/db.ts';
import { setAdmin } from '#domain/identity/operators.ts';
import { register } from '#domain/identity/registration.ts';
import type { IdentityProvider } from '#domain/identity/provider.ts';
import { operator } from '#domain/kernel/actor.ts';
import { recordChange } from '#domain/kernel/audit.ts';
import { users } from '#domain/identity/tables.ts';
import { giveMonths } from '#domain/membership/entitlement.ts';
import { addDemoActs, addDemoReports } from './acts.ts';
import { addDemoActivity } from './activity.ts';
import { addDemoSignUps } from './sign-ups.ts';
import { addDemoFigures, addDemoTakes } from './figures.ts';
import { ageAuthors } from './listener-rows.ts';
import { paymentsDue } from './payments.ts';
import { people } from './people.ts';

/** Their passwords are public in the README. */
export const demoAccounts = [
  { email: 'listener@sotto.example', username: 'listener', password: 'listener', activity: people.activities.listener },
  {
    email: 'subscriber@sotto.example',
    username: 'subscriber',
    password: 'subscriber',
    giftMonths: 12,
    activity: people.activities.subscriber,
  },
  {
    email: 'creator@sotto.example',
    username: 'creator',
    password: 'creator',
    voice: 'maren-holt',
    activity: people.activities.creator,
  },
  { email: 'admin@sotto.example', username: 'admin', password: 'adminadmin', isAdmin: true },
] as const;

/**
 * Created once with the demo catalogue, only for sites reachable locally, because the passwords are public.
 * `retireDemoAdmin` removes the role when a laptop's data moves to a server.
 */
export async function createDemoAccounts(db: Db, provider: IdentityProvider, now = new Date()): Promise<void> {
  const [demo] = await db.select().from(siteSettings).where(eq(siteSettings.key, 'demo')).limit(1);
  const [done] = await db.select().from(siteSettings).where(eq(siteSettings.key, 'demo_accounts')).limit(1);
  if (demo === undefined || done !== undefined) return;
  for (const account of demoAccounts) {
    const outcome = await register(db, provider, account);
    // An interrupted earlier start created it already.
    if (!outcome.ok) continue;
    if ('giftMonths' in account) await giveMonths(db, outcome.user.id, account.giftMonths);
    if ('isAdmin' in account) await setAdmin(db, outcome.user.id, true);
  }
  // All or nothing: the next start repeats an interrupted one.
  await db.transaction(async (tx) => {
    for (const account of demoAccounts) {
      if (!('activity' in account)) continue;
      const { email, activity } = account;
      const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email)).limit(1);
      if (user !== undefined) await addDemoActivity(tx, user.id, activity, now);
    }
    for (const account of demoAccounts) {
      if (!('voice' in account)) continue;
      await addDemoActs(tx, { creator: account.username, voice: account.voice });
      await addDemoFigures(tx, account.voice, now);
    }
    await addDemoSignUps(tx);
    await addDemoTakes(tx, now);
    await addDemoReports(tx, now);
    await ageAuthors(tx);
    await tx.insert(siteSettings).values({ key: 'demo_accounts', value: paymentsDue });
  });
}

/** For sites that others can reach: everybody knows the demo admin's password. @returns whether there was one */
export async function retireDemoAdmin(db: Db): Promise<boolean> {
  const emails = demoAccounts.flatMap((account) => ('isAdmin' in account ? [account.email] : []));
  return db.transaction(async (tx) => {
    const retired = await tx
      .update(users)
      .set({ isAdmin: false })
      .where(and(inArray(users.email, emails), eq(users.isAdmin, true)))
      .returning({ id: users.id, username: users.username });
    for (const { id, username } of retired)
      await recordChange(tx, {
        actor: operator,
        role: 'operator',
        action: 'user.take-admin',
        subject: { type: 'user', id, name: username ?? id },
        before: { admin: true },
        after: { admin: false },
      });
    return retired.length > 0;
  });
}
