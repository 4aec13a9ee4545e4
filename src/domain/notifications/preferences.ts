import { type SQL, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { afterQuietHours, nextMail } from './delivery-times.ts';
import { type NewsKind, type NewsPreferences, canReceiveNews, defaultPreferences } from './rules.ts';
import { notificationPreferences } from './tables.ts';

type Row = typeof notificationPreferences.$inferSelect;

/** @param row undefined or null: the user has no preferences yet */
export function toPreferences(row: Omit<Row, 'userId' | 'updatedAt'> | undefined | null): NewsPreferences {
  if (!row) return defaultPreferences;
  const { quietFrom, quietUntil, ...others } = row;
  return {
    ...others,
    quiet: quietFrom === null || quietUntil === null ? null : { from: quietFrom, until: quietUntil },
  };
}

const { userId: _userId, updatedAt: _updatedAt, ...preferenceColumns } = getTableColumns(notificationPreferences);

/** The same columns as one value, for a left join; null for users without preferences. */
export const preferencesJson = sql`case when ${notificationPreferences.userId} is not null then json_build_object(${sql.join(
  Object.entries(preferenceColumns).map(([name, column]) => sql`${sql.raw(`'${name}'`)}, ${column}`),
  sql`, `,
)}) end`;

export async function findPreferences(db: Db, userId: string): Promise<NewsPreferences> {
  const [row] = await db
    .select(preferenceColumns)
    .from(notificationPreferences)
    .where(eq(notificationPreferences.userId, userId));
  return toPreferences(row);
}

/** Preferences of many users in one query. */
export async function findPreferencesOf(db: Db, userIds: string[]): Promise<(userId: string) => NewsPreferences> {
  const rows = await db
    .select({ userId: notificationPreferences.userId, ...preferenceColumns })
    .from(notificationPreferences)
    .where(inArray(notificationPreferences.userId, userIds));
  const chosen = new Map(rows.map(({ userId, ...row }) => [userId, toPreferences(row)]));
  return (userId) => chosen.get(userId) ?? defaultPreferences;
}

/** Saves all preferences. Waiting news are planned again, so that the change applies to them too. */
export async function savePreferences(db: Db, userId: string, preferences: NewsPreferences): Promise<void> {
  const { quiet, ...others } = preferences;
  const values = { ...others, quietFrom: quiet?.from ?? null, quietUntil: quiet?.until ?? null, updatedAt: new Date() };
  await db.transaction(async (tx) => {
    await tx
      .insert(notificationPreferences)
      .values({ userId, ...values })
      .onConflictDoUpdate({ target: notificationPreferences.userId, set: values });
    await replan(tx, userId, preferences);
  });
}

/** For the link in a mail. */
export async function turnMailOff(db: Db, userId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .update(notificationPreferences)
      .set({ email: 'off', updatedAt: new Date() })
      .where(eq(notificationPreferences.userId, userId));
    await tx.execute(
      sql`update notifications set mail_due_at = null where user_id = ${userId} and mail_due_at is not null`,
    );
  });
}

async function replan(tx: Db, userId: string, preferences: NewsPreferences): Promise<void> {
  const planOf = planner(new Date());
  const kinds = await tx.execute<{ kind: NewsKind }>(
    sql`select distinct kind from notifications where user_id = ${userId} and (mail_due_at is not null or push_due_at is not null)`,
  );
  for (const { kind } of kinds.rows) {
    const { mailDueAt, pushDueAt } = planOf(preferences, kind);
    const when = (at: Date | null): SQL => sql`${at?.toISOString() ?? null}::timestamptz`;
    await tx.execute(sql`
      update notifications set
        mail_due_at = case when mail_due_at is null then null else ${when(mailDueAt)} end,
        push_due_at = case when push_due_at is null then null else ${when(pushDueAt)} end
      where user_id = ${userId} and kind = ${kind} and (mail_due_at is not null or push_due_at is not null)`);
  }
}

export type NewsPlan = { mailDueAt: Date | null; pushDueAt: Date | null };

/** Many followers share a few preferences: each time is computed once. */
export function planner(now: Date): (preferences: NewsPreferences, kind: NewsKind) => NewsPlan {
  const plans = new Map<string, NewsPlan>();
  return (preferences, kind) => {
    const { showsTitles: _titles, ...deciding } = preferences;
    const key = `${kind} ${JSON.stringify(deciding)}`;
    const former = plans.get(key);
    if (former !== undefined) return former;
    const plan = {
      mailDueAt: canReceiveNews(preferences, 'mail', kind) ? (nextMail(now, preferences) ?? null) : null,
      pushDueAt: canReceiveNews(preferences, 'push', kind) ? afterQuietHours(now, preferences) : null,
    };
    plans.set(key, plan);
    return plan;
  };
}
