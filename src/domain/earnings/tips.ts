import { and, desc, eq, sql } from 'drizzle-orm';
import { payoutCorrections } from '../admin/tables.ts';
import { users } from '../identity/tables.ts';
import { type Db, pick } from '../kernel/db.ts';
import { tips } from '../membership/tips/tables.ts';

const maxListed = 200;

export type TipEntry = Awaited<ReturnType<typeof listTipsOf>>[number];

/** Tips of a creator that were paid, or paid back, in a month. `giver` null: anonymous, or the account is gone. */
export function listTipsOf(db: Db, voiceId: string, month: string) {
  return db
    .select({
      /** Once paid, and once paid back. */
      id: payoutCorrections.id,
      at: payoutCorrections.createdAt,
      ...pick(tips, 'amount', 'currency', 'note', 'tax'),
      /** Negative: paid back. */
      yours: payoutCorrections.amount,
      isDisputed: sql<boolean>`${tips.disputedAt} is not null`,
      giver: sql<string | null>`case when not ${tips.isAnonymous} then ${users.username} end`,
    })
    .from(payoutCorrections)
    .innerJoin(tips, eq(tips.id, payoutCorrections.tipId))
    .leftJoin(users, eq(users.id, tips.giverId))
    .where(and(eq(payoutCorrections.voiceId, voiceId), eq(payoutCorrections.month, `${month}-01`)))
    .orderBy(desc(payoutCorrections.createdAt), desc(payoutCorrections.id))
    .limit(maxListed);
}
