import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { isId } from '../kernel/ids.ts';
import type { Db } from '../kernel/db.ts';
import type { IdentityParts } from './parts.ts';
import { type OwnPreferences, type StoredPreferences, forPreferences } from './preference-rules.ts';
import type { IdentityProvider, ProviderAccount } from './provider.ts';
import type { MeShape, UserShape } from './shapes.ts';
import { accountDeletions, users } from './tables.ts';

export type Me = z.output<typeof MeShape>;

export type PublicProfile = UserShape & { createdAt: Date };

type MeParts = Pick<IdentityParts, 'db' | 'userSql'>;

/** Columns of `users` for `toMe`. */
export function meColumns(userSql: Pick<MeParts['userSql'], 'isSubscribed' | 'hasSubscription' | 'blockedUserIds'>) {
  return {
    id: users.id,
    email: users.email,
    username: users.username,
    icon: users.icon,
    color: users.color,
    isSubscribed: userSql.isSubscribed(users.id),
    subIsWeb: userSql.hasSubscription(users.id),
    isAdmin: users.isAdmin,
    isModerator: users.isModerator,
    preferences: users.preferences,
    blockedUsers: userSql.blockedUserIds(users.id),
  };
}

type MeRow = Omit<Me, 'preferences' | 'isDiscreet' | 'language' | 'hasBlockedUsers'> & {
  preferences: StoredPreferences;
};

export function toMe(row: MeRow): Me {
  const preferences = allPreferences(row.preferences);
  const { isDiscreet } = preferences;
  const { language = null } = row.preferences;
  return { ...row, preferences, isDiscreet, language, hasBlockedUsers: row.blockedUsers.length > 0 };
}

export function allPreferences(stored: StoredPreferences): OwnPreferences {
  return forPreferences((name) => stored[name] ?? null);
}

export async function findMe({ db, userSql }: MeParts, userId: string): Promise<Me | undefined> {
  const [row] = await db.select(meColumns(userSql)).from(users).where(eq(users.id, userId)).limit(1);
  return row && toMe(row);
}

/** A user with more fields, for the account page. */
export type Profile = Me & {
  createdAt: Date;
  passwordChangedAt: Date | null;
  /** Null when the identity provider does not report it, or is unavailable. */
  hasPassword: boolean | null;
  /** Set when an operator deletes the account. */
  deletionDueAt: Date | null;
};

export async function findProfile(
  parts: MeParts & Pick<IdentityParts, 'provider'>,
  userId: string,
): Promise<Profile | undefined> {
  const { db, provider } = parts;
  const me = await findMe(parts, userId);
  const [row] = await db
    .select({
      subject: users.identitySubject,
      createdAt: users.createdAt,
      passwordChangedAt: users.passwordChangedAt,
      deletionDueAt: accountDeletions.dueAt,
    })
    .from(users)
    .leftJoin(accountDeletions, eq(accountDeletions.userId, users.id))
    .where(eq(users.id, userId))
    .limit(1);
  if (me === undefined || row === undefined) return undefined;
  const { subject, ...rest } = row;
  const account = { subject: subject ?? '', email: me.email ?? '' };
  return { ...me, ...rest, hasPassword: subject !== null && (await findHasPassword(provider, account)) };
}

/** @returns null when the provider does not report it, or is unavailable */
export async function findHasPassword(
  provider: Pick<IdentityProvider, 'hasPassword'>,
  account: ProviderAccount,
): Promise<boolean | null> {
  return (await provider.hasPassword(account).catch(() => null)) ?? null;
}

/** Hides suspended accounts, those that the desk has hidden, and accounts without a username. */
export async function findPublicProfile(db: Db, id: string): Promise<PublicProfile | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await db
    .select({
      id: users.id,
      username: users.username,
      icon: users.icon,
      color: users.color,
      createdAt: users.createdAt,
    })
    .from(users)
    .where(and(eq(users.id, id), sql`${users.suspendedAt} is null and ${users.profileWithheldAt} is null`))
    .limit(1);
  return row?.username ? { ...row, username: row.username } : undefined;
}
