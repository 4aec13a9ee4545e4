import { and, ne, sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { isUsername, normalizeUsername } from './rules.ts';
import { users } from './tables.ts';

/** Whether nobody has it, in whatever case. @param exceptUserId whose own name counts as free */
export async function isUsernameFree(db: Db, username: string, exceptUserId?: string): Promise<boolean> {
  const name = normalizeUsername(username);
  const [taken] = await db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        sql`lower(${users.username}) = lower(${name})`,
        exceptUserId === undefined ? undefined : ne(users.id, exceptUserId),
      ),
    )
    .limit(1);
  return taken === undefined;
}

export async function checkUsername(db: Db, username: string): Promise<'free' | 'taken' | 'invalid'> {
  const name = normalizeUsername(username);
  if (name === '' || !isUsername(name)) return 'invalid';
  return (await isUsernameFree(db, name)) ? 'free' : 'taken';
}
