import { createHmac } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { purgeRows } from '../kernel/purge.ts';
import type { IdentityProviderName, VerifiedIdentity } from './provider.ts';
import { deletedIdentities } from './tables.ts';

/** Firebase ID tokens live for an hour; the rest covers clock skew. */
const keptMinutes = 70;

/** Allowed clock skew between the site and the identity provider. */
export const clockToleranceMs = 10_000;

/** Call before the user is erased, so that no token finds the account gone but not yet marked. */
export async function markDeleted(
  db: Db,
  secret: string,
  account: { provider: IdentityProviderName; subject: string },
): Promise<void> {
  const deletedAt = new Date();
  await purgeDeletedIdentities(db);
  await db
    .insert(deletedIdentities)
    .values({ identityHash: hashIdentity(secret, account), deletedAt })
    .onConflictDoUpdate({ target: deletedIdentities.identityHash, set: { deletedAt } });
}

/** Whether the account was deleted after this ID token was issued. */
export async function isOfDeleted(
  db: Db,
  secret: string,
  provider: IdentityProviderName,
  { subject, issuedAt }: VerifiedIdentity,
): Promise<boolean> {
  const [deleted] = await db
    .select({ at: deletedIdentities.deletedAt })
    .from(deletedIdentities)
    .where(eq(deletedIdentities.identityHash, hashIdentity(secret, { provider, subject })))
    .limit(1);
  return deleted !== undefined && issuedAt.getTime() <= deleted.at.getTime() + clockToleranceMs;
}

export async function purgeDeletedIdentities(db: Db, signal?: AbortSignal): Promise<void> {
  const isOld = sql`${deletedIdentities.deletedAt} < now() - make_interval(mins => ${keptMinutes})`;
  await purgeRows(db, deletedIdentities, isOld, signal);
}

function hashIdentity(secret: string, { provider, subject }: { provider: IdentityProviderName; subject: string }) {
  return createHmac('sha256', secret).update(`deleted ${provider} ${subject}`).digest('base64url');
}
