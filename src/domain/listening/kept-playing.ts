import { sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { type Registers, addMark, addSketch, emptyRegisters, toSketch } from './listener-sketch.ts';
import { keptReasonOf } from './play-sources.ts';
import { type figureChanges, keptPlayingDays } from './tables.ts';

type Change = Pick<typeof figureChanges.$inferSelect, 'kind' | 'voiceId' | 'isMember' | 'source' | 'mark'>;

/** Sums of a creator, or of the whole site. */
type Sums = { voiceId: string | null; reason: string; plays: number; halves: number; listeners: Registers };

/** Adds plays of members that playback went on with by itself, and those heard to the half. */
export async function addUpKeptPlaying(tx: Db, day: string, changes: Change[]): Promise<void> {
  const all = new Map<string, Sums>();
  for (const { kind, voiceId: ofVoice, isMember, source, mark } of changes) {
    const reason = keptReasonOf(source);
    if (reason === undefined || (kind !== 'half' && isMember !== true)) continue;
    for (const voiceId of [ofVoice, null]) {
      const key = `${voiceId} ${reason}`;
      const sums = all.get(key) ?? { voiceId, reason, plays: 0, halves: 0, listeners: emptyRegisters() };
      all.set(key, sums);
      if (kind === 'half') sums.halves += 1;
      else sums.plays += 1;
      if (mark !== null) addMark(sums.listeners, mark);
    }
  }
  await add(tx, day, [...all.values()]);
}

/** Adds those of one voice to another's, and deletes them. */
export async function moveKeptPlaying(tx: Db, id: string, into: string): Promise<void> {
  const { rows } = await tx.execute<Omit<Sums, 'listeners'> & { day: string; sketch: Buffer | null }>(sql`
    delete from ${keptPlayingDays} where voice_id = ${id}
    returning day::text, reason, plays, halves, listeners as sketch`);
  for (const [day, list] of Map.groupBy(rows, (row) => row.day))
    await add(
      tx,
      day,
      list.map(({ sketch, ...row }) => {
        const listeners = emptyRegisters();
        addSketch(listeners, sketch);
        return { ...row, voiceId: into, listeners };
      }),
    );
}

/** Counts are added by the database, sketches here. */
async function add(tx: Db, day: string, all: Sums[]): Promise<void> {
  if (all.length === 0) return;
  const column = (name: 'voiceId' | 'reason' | 'plays' | 'halves') => sql.param(all.map((sums) => sums[name]));
  const keys = sql`${column('voiceId')}::uuid[], ${column('reason')}::text[]`;
  const { rows: kept } = await tx.execute<{ place: number; listeners: Buffer | null }>(sql`
    select i.place::int, d.listeners from unnest(${keys}) with ordinality as i (voice_id, reason, place)
    join ${keptPlayingDays} d on d.voice_id is not distinct from i.voice_id and d.reason = i.reason
    where d.day = ${day}::date`);
  for (const { place, listeners } of kept) addSketch(all[place - 1]?.listeners ?? emptyRegisters(), listeners);
  // A creator may have been deleted since.
  await tx.execute(sql`
    insert into ${keptPlayingDays} as d (voice_id, day, reason, plays, halves, listeners)
    select i.voice_id, ${day}::date, i.reason, i.plays, i.halves, i.listeners
    from unnest(${keys}, ${column('plays')}::integer[], ${column('halves')}::integer[],
      ${sql.param(all.map(({ listeners }) => toSketch(listeners)))}::bytea[]) as i (voice_id, reason, plays, halves, listeners)
    where i.voice_id is null or exists (select from voices v where v.id = i.voice_id)
    on conflict (voice_id, day, reason) do update
    set plays = d.plays + excluded.plays, halves = d.halves + excluded.halves, listeners = excluded.listeners`);
}
