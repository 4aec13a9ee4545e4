import { and, desc, eq } from 'drizzle-orm';
import { payoutLines } from '../admin/tables.ts';
import { audios } from '../catalogue/tables.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import { readVoiceMonth } from './earnings.ts';
import { type Amounts, maySeeEarnings } from './rules.ts';

/** An audio's amount before splits in its last locked month. @returns undefined without one, or when the actor may not see it */
export async function findLastEarned(
  db: Db,
  actor: Actor,
  audioId: string,
): Promise<{ month: string; amounts: Amounts } | undefined> {
  if (!isId(audioId)) return undefined;
  const [last] = await db
    .select({ month: payoutLines.month, voiceId: audios.voiceId })
    .from(payoutLines)
    // Earned by its present creator: another one's amounts are theirs.
    .innerJoin(audios, and(eq(audios.id, payoutLines.audioId), eq(audios.voiceId, payoutLines.voiceId)))
    .where(eq(payoutLines.audioId, audioId))
    .orderBy(desc(payoutLines.month))
    .limit(1);
  if (last === undefined || !maySeeEarnings(actor, last.voiceId)) return undefined;
  const month = last.month.slice(0, 7);
  const { lines } = await readVoiceMonth(db, month, last.voiceId);
  const line = lines.own.find((one) => one.audioId === audioId);
  return line && { month, amounts: line.amounts };
}
