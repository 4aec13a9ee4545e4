import { and, eq, sql } from 'drizzle-orm';
import { isId } from '../kernel/ids.ts';
import type { Db } from '../kernel/db.ts';
import type { IdentityParts } from './parts.ts';
import type { IdentityProvider, ProviderAccount } from './provider.ts';
import type { AvatarColor } from './rules.ts';
import { accountDeletions, users } from './tables.ts';

/** A user as that user sees it (spec §3, "User"). */
export type Me = {
  id: string;
  email: string | null;
  /** Null until a new social account has chosen one. */
  username: string | null;
  icon: string | null;
  /** Index into the avatar colours, 0–5. */
  color: AvatarColor;
  isSubscribed: boolean;
  /** Whether the subscription was made here and not in an app. */
  subIsWeb: boolean;
  isAdmin: boolean;
  /** Discreet mode; null until this user chooses: the browser's setting applies. */
  isDiscreet: boolean | null;
  hasBlockedUsers: boolean;
  blockedUsers: string[];
};

export type PublicProfile = { id: string; username: string; icon: string | null; color: AvatarColor; createdAt: Date };

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
    isDiscreet: users.isDiscreet,
    blockedUsers: userSql.blockedUserIds(users.id),
  };
}

export function toMe(row: Omit<Me, 'hasBlockedUsers'>): Me {
  return { ...row, hasBlockedUsers: row.blockedUsers.length > 0 };
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

/** Hides suspended accounts and accounts without a username. */
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
    .where(and(eq(users.id, id), sql`${users.suspendedAt} is null`))
    .limit(1);
  return row?.username ? { ...row, username: row.username } : undefined;
}
