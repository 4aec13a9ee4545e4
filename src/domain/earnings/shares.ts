import { type SQL, sql } from 'drizzle-orm';
import { payoutSplits } from '../admin/tables.ts';
import type { Db } from '../kernel/db.ts';
import { sharesInForce } from '../studio/splits/splits-in-force.ts';
import type { MonthFacts } from './month-facts.ts';

/** `share` in percent. */
export type NamedShare = { voiceId: string; name: string; share: number };

/** A locked month has its own copy. */
const sharesIn = ({ month, lockedAt }: MonthFacts, condition: SQL): SQL =>
  lockedAt === null
    ? sharesInForce(month, condition)
    : sql`(select * from ${payoutSplits} s where s.month = ${`${month}-01`} and ${condition})`;

/** Agreed shares in a month, by audio. */
export async function readShares(db: Db, facts: MonthFacts, audioIds: string[]): Promise<Map<string, NamedShare[]>> {
  if (audioIds.length === 0) return new Map();
  const condition = sql`s.audio_id = any(${sql.param(audioIds)}::uuid[])`;
  // In the order in which the parts are shared out when a month is locked.
  const { rows } = await db.execute<NamedShare & { audioId: string }>(sql`
    select audio_id as "audioId", voice_id as "voiceId", voice_name as name, share
    from ${sharesIn(facts, condition)} shares order by audio_id, voice_id`);
  return Map.groupBy(rows, ({ audioId }) => audioId);
}

/** Audios in which a creator has a share in a month. */
export async function readSharedAudios(db: Db, facts: MonthFacts, voiceId: string): Promise<string[]> {
  // Narrowed first: shares of other creators are not read.
  const mayBe =
    facts.lockedAt === null
      ? sql`s.audio_id in (select o.audio_id from splits o join split_parts p on p.split_id = o.id where p.voice_id = ${voiceId})`
      : sql`s.voice_id = ${voiceId}`;
  const { rows } = await db.execute<{ audioId: string }>(sql`
    select audio_id as "audioId" from ${sharesIn(facts, mayBe)} shares where voice_id = ${voiceId} order by audio_id`);
  return rows.map(({ audioId }) => audioId);
}
