import { and, desc, eq, sql } from 'drizzle-orm';
import type { Push } from '../gateways.ts';
import type { Db } from '../kernel/db.ts';
import { isId, newId } from '../kernel/ids.ts';
import type { PushSubscriptionForm } from './forms.ts';
import { maxPushSubscriptions } from './rules.ts';
import { pushSubscriptions } from './tables.ts';

export type PushDevice = { id: string; device: string; createdAt: Date; endpoint: string };

export async function listPushDevices(db: Db, userId: string): Promise<PushDevice[]> {
  const { id, device, createdAt, endpoint } = pushSubscriptions;
  return db
    .select({ id, device, createdAt, endpoint })
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.userId, userId))
    .orderBy(desc(createdAt), desc(id))
    .limit(maxPushSubscriptions);
}

/**
 * Stores a browser's subscription; idempotent. A subscription of another user of this browser moves to this user.
 * @param from the subscription ends with this session
 */
export async function addPushSubscription(
  { db, push }: { db: Db; push: Push },
  userId: string,
  { endpoint, keys }: PushSubscriptionForm,
  from: { device: string; sessionId: string },
): Promise<{ ok: true; id: string } | { ok: false; reason: 'not-found' | 'unknown-service' }> {
  if (!push.accepts(endpoint)) return { ok: false, reason: 'unknown-service' };
  return db.transaction(async (tx) => {
    const { rowCount } = await tx.execute(sql`
      select from users u join sessions s on s.user_id = u.id and s.id = ${from.sessionId}
      where u.id = ${userId} for no key update of u`);
    if (rowCount === 0) return { ok: false, reason: 'not-found' };
    const { sessionId } = from;
    const values = { userId, sessionId, p256dh: keys.p256dh, auth: keys.auth, device: from.device.slice(0, 200) };
    const [row] = await tx
      .insert(pushSubscriptions)
      .values({ id: newId(), endpoint, ...values })
      .onConflictDoUpdate({ target: pushSubscriptions.endpoint, set: { ...values, failures: 0, notBefore: null } })
      .returning({ id: pushSubscriptions.id });
    await tx.execute(sql`
      delete from push_subscriptions where user_id = ${userId} and id not in (
        select id from push_subscriptions where user_id = ${userId} order by created_at desc, id desc limit ${maxPushSubscriptions})`);
    return { ok: true, id: row?.id ?? '' };
  });
}

/** @returns false when this user has no such subscription */
export async function removePushSubscription(db: Db, userId: string, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  const { rowCount } = await db
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.id, id), eq(pushSubscriptions.userId, userId)));
  return rowCount === 1;
}
