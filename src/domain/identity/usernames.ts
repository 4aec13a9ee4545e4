import { and, ne, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { findListedInName, findWordLists } from '../settings/word-lists.ts';
import { type ReservedNames, isUsernameReserved } from './reserved-usernames.ts';
import { isUsername, normalizeUsername } from './rules.ts';
import { users } from './tables.ts';

/** Whether the username is free, ignoring case. @param exceptUserId whose own name counts as free */
export async function isUsernameFree(db: Db, username: string, exceptUserId?: string): Promise<boolean> {
  const isThis = sql`lower(${users.username}) = lower(${normalizeUsername(username)})`;
  const isOther = exceptUserId === undefined ? undefined : ne(users.id, exceptUserId);
  return (await db.$count(users, and(isThis, isOther))) === 0;
}

export async function checkUsername(
  parts: ReservedNames,
  username: string,
  userId?: string,
): Promise<'free' | 'taken' | 'invalid'> {
  const name = normalizeUsername(username);
  if (name === '' || !isUsername(name)) return 'invalid';
  const { refused } = await findWordLists(parts.db);
  if (findListedInName(name, refused).length > 0) return 'taken';
  const isTaken = (await isUsernameReserved(parts, name, userId)) || !(await isUsernameFree(parts.db, name, userId));
  return isTaken ? 'taken' : 'free';
}
