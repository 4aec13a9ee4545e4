import { and, asc, eq, inArray } from 'drizzle-orm';
import { payoutSplits } from '../admin/tables.ts';
import type { Db } from '../kernel/db.ts';
import type { MonthFacts } from './month-facts.ts';

/** `share` in percent. */
export type NamedShare = { voiceId: string; name: string; share: number };

/** Agreed shares in a month, by audio. */
export async function readShares(
  db: Db,
  { month }: MonthFacts,
  audioIds: string[],
): Promise<Map<string, NamedShare[]>> {
  if (audioIds.length === 0) return new Map();
  const rows = await db
    .select({
      audioId: payoutSplits.audioId,
      voiceId: payoutSplits.voiceId,
      name: payoutSplits.voiceName,
      share: payoutSplits.share,
    })
    .from(payoutSplits)
    .where(and(eq(payoutSplits.month, `${month}-01`), inArray(payoutSplits.audioId, audioIds)))
    // In the order in which the parts were shared out when the month was locked.
    .orderBy(asc(payoutSplits.audioId), asc(payoutSplits.voiceId));
  return Map.groupBy(rows, ({ audioId }) => audioId);
}

/** Audios in which a creator has a share in a month. */
export async function readSharedAudios(db: Db, { month }: MonthFacts, voiceId: string): Promise<string[]> {
  const rows = await db
    .select({ audioId: payoutSplits.audioId })
    .from(payoutSplits)
    .where(and(eq(payoutSplits.month, `${month}-01`), eq(payoutSplits.voiceId, voiceId)))
    .orderBy(asc(payoutSplits.audioId));
  return rows.map(({ audioId }) => audioId);
}
