import { eq } from 'drizzle-orm';
import { siteSettings } from '#domain/catalogue/tables.ts';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import type { Db } from '#domain/db.ts';
import { register } from '#domain/identity/accounts.ts';
import type { IdentityProvider } from '#domain/identity/provider.ts';
import { giveMonths } from '#domain/membership/entitlement.ts';

/** Anyone can read their passwords in the README. */
export const demoAccounts = [
  { email: 'listener@sotto.example', username: 'listener', password: 'listener' },
  { email: 'subscriber@sotto.example', username: 'subscriber', password: 'subscriber', giftMonths: 12 },
  { email: 'creator@sotto.example', username: 'creator', password: 'creator', voice: 'maren-holt' },
] as const;

/**
 * Made once, beside the demo catalogue, for a site that nobody else can reach: their passwords are known to all. None of
 * them is an admin, since a laptop's data may become a server's.
 */
export async function createDemoAccounts(db: Db, provider: IdentityProvider): Promise<void> {
  const [demo] = await db.select().from(siteSettings).where(eq(siteSettings.key, 'demo')).limit(1);
  const [done] = await db.select().from(siteSettings).where(eq(siteSettings.key, 'demo_accounts')).limit(1);
  if (demo === undefined || done !== undefined) return;
  for (const account of demoAccounts) {
    const outcome = await register(db, provider, account);
    // What broke off last time has made it already.
    if (!outcome.ok) continue;
    if ('giftMonths' in account) await giveMonths(db, outcome.user.id, account.giftMonths);
    if ('voice' in account) await setVoiceOwner(db, account.voice, outcome.user.id, true);
  }
  await db.insert(siteSettings).values({ key: 'demo_accounts', value: {} }).onConflictDoNothing();
}
