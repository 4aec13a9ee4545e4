import { type SQL, lt, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { purgeRows } from '../kernel/purge.ts';
import { addMark, addSketch, emptyRegisters, toSketch } from './listener-sketch.ts';
import { addUpKeptPlaying, moveKeptPlaying } from './kept-playing.ts';
import { checkPlaylistSources, keptReasonOf, keptSource } from './play-sources.ts';
import { audioParts } from './rules.ts';
import { type figureChanges, audioDays, audioSourceDays, keptPlayingDays, voiceDays } from './tables.ts';

/** Changes per transaction. */
const maxChanges = 5000;

type Change = typeof figureChanges.$inferSelect;

/** Sums of one audio or voice on one day, before they are added to the stored ones. */
type Sums = ReturnType<typeof noSums>;

type Kept = { parts: number[] | null; listeners: Buffer | null; members: Buffer | null };

/**
 * Adds recorded changes to the daily figures, in batches. Runs in one process at a time.
 * @returns the number of changes
 */
export async function addUpFigures(db: Db, signal?: AbortSignal): Promise<number> {
  let added = 0;
  for (;;) {
    signal?.throwIfAborted();
    const count = await db.transaction((tx) => addUpBatch(tx));
    added += count;
    if (count < maxChanges) return added;
  }
}

async function addUpBatch(tx: Db): Promise<number> {
  const { rows: locks } = await tx.execute<{ isMine: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtext('add up figures')) as "isMine"`,
  );
  if (locks[0]?.isMine !== true) return 0;
  const { rows: changes } = await tx.execute<Change>(sql`
    delete from figure_changes where ctid = any(array(select ctid from figure_changes limit ${maxChanges}))
    returning day::text, kind, voice_id as "voiceId", audio_id as "audioId", amount::float8, is_member as "isMember", source, mark,
      parts::float8[]`);
  const days = Map.groupBy(changes, ({ day }) => day);
  // In order, because the total of plays continues from the day before.
  for (const [day, list] of [...days].toSorted(([a], [b]) => (a < b ? -1 : 1))) await addUpDay(tx, day, list);
  return changes.length;
}

async function addUpDay(tx: Db, day: string, changes: Change[]): Promise<void> {
  const ofAudios = changes.filter(({ audioId }) => audioId !== null);
  const audioSums = sumsOf(ofAudios, ({ audioId }) => audioId ?? '');
  await addToAudios(tx, day, audioSums);
  const plays = ofAudios.filter(({ kind }) => kind === 'play');
  const checkedPlays = await checkPlaylistSources(tx, plays);
  // Reasons are kept for creators and the site alone, never for an audio (decision 095).
  const sourceOf = ({ source }: Change) => (keptReasonOf(source) ? keptSource : (source ?? 'unknown'));
  const sourceSums = sumsOf(checkedPlays, (play) => `${play.audioId} ${sourceOf(play)}`);
  await addToSources(tx, day, sourceSums);
  const voiceSums = sumsOf(changes, ({ voiceId }) => voiceId);
  await addToVoices(tx, day, voiceSums);
  await addUpKeptPlaying(tx, day, changes);
}

function sumsOf(changes: Change[], keyOf: (change: Change) => string): Map<string, Sums> {
  const byKey = new Map<string, Sums>();
  for (const change of changes) {
    const sums = byKey.get(keyOf(change)) ?? noSums();
    byKey.set(keyOf(change), sums);
    addChange(sums, change);
  }
  return byKey;
}

function noSums() {
  return {
    plays: 0,
    memberPlays: 0,
    ends: 0,
    halves: 0,
    heardMs: 0,
    favoritesAdded: 0,
    favoritesRemoved: 0,
    followersAdded: 0,
    followersRemoved: 0,
    parts: undefined as number[] | undefined,
    listeners: emptyRegisters(),
    members: emptyRegisters(),
  };
}

const countedAs = {
  play: 'plays',
  end: 'ends',
  half: 'halves',
  heard: 'heardMs',
  favorite: 'favoritesAdded',
  unfavorite: 'favoritesRemoved',
  follow: 'followersAdded',
  unfollow: 'followersRemoved',
} as const satisfies Record<Change['kind'], keyof Sums>;

function addChange(sums: Sums, { kind, amount, isMember, mark, parts }: Change): void {
  sums[countedAs[kind]] += amount;
  if (mark !== null) addMark(sums.listeners, mark);
  if (mark !== null && isMember === true) {
    sums.memberPlays += amount;
    addMark(sums.members, mark);
  }
  if (parts !== null) sums.parts = addParts(sums.parts, parts);
}

export function addParts(parts: number[] | null | undefined, more: number[] | null | undefined): number[] | undefined {
  if (!parts || !more) return parts ?? more ?? undefined;
  return Array.from({ length: audioParts }, (_, part) => (parts[part] ?? 0) + (more[part] ?? 0));
}

async function addToAudios(tx: Db, day: string, sums: Map<string, Sums>): Promise<void> {
  if (sums.size === 0) return;
  const ids = sql.param([...sums.keys()]);
  const { rows: kept } = await tx.execute<Kept & { id: string }>(sql`
    select audio_id as id, parts::float8[], listeners, members from ${audioDays}
    where day = ${day}::date and audio_id = any(${ids}::uuid[])`);
  for (const row of kept) addKept(sums.get(row.id), row);
  const all = [...sums.values()];
  const input = sql`unnest(${ids}::uuid[], ${countColumns(all)},
      ${sql.param(all.map(({ parts }) => (parts ? `{${parts.join()}}` : null)))}::text[],
      ${sketchColumns(all)})
    as i (audio_id, plays, member_plays, ends, heard_ms, favorites_added, favorites_removed, parts, listeners, members)`;
  // An audio may have been purged since.
  await tx.execute(sql`
    insert into ${audioDays} as d
      (audio_id, day, plays, member_plays, ends, heard_ms, favorites_added, favorites_removed, plays_total, parts, listeners, members)
    select i.audio_id, ${day}::date, i.plays, i.member_plays, i.ends, i.heard_ms, i.favorites_added, i.favorites_removed,
      i.plays + coalesce((select b.plays_total from ${audioDays} b where b.audio_id = i.audio_id and b.day < ${day}::date
        order by b.day desc limit 1), 0), i.parts::bigint[], i.listeners, i.members
    from ${input} join audios a on a.id = i.audio_id
    on conflict (audio_id, day) do update set ${addedCounts},
      plays_total = d.plays_total + excluded.plays, parts = excluded.parts,
      listeners = excluded.listeners, members = excluded.members`);
  // Changes of a past day may be committed after the first ones of the next day.
  await tx.execute(sql`
    update ${audioDays} d set plays_total = d.plays_total + i.plays from ${input}
    where d.audio_id = i.audio_id and d.day > ${day}::date and i.plays <> 0`);
}

async function addToSources(tx: Db, day: string, sums: Map<string, Sums>): Promise<void> {
  if (sums.size === 0) return;
  const keys = [...sums.keys()].map((key) => key.split(' '));
  const ids = sql.param(keys.map(([audioId]) => audioId));
  const sources = sql.param(keys.map(([, source]) => source));
  const { rows: kept } = await tx.execute<{ id: string; source: string; listeners: Buffer | null }>(sql`
    select s.audio_id as id, s.source, s.listeners from ${audioSourceDays} s
    join unnest(${ids}::uuid[], ${sources}::text[]) as i (audio_id, source) on i.audio_id = s.audio_id and i.source = s.source
    where s.day = ${day}::date`);
  for (const { id, source, listeners } of kept)
    addKept(sums.get(`${id} ${source}`), { parts: null, listeners, members: null });
  const all = [...sums.values()];
  await tx.execute(sql`
    insert into ${audioSourceDays} as d (audio_id, day, source, plays, listeners)
    select i.audio_id, ${day}::date, i.source, i.plays, i.listeners
    from unnest(${ids}::uuid[], ${sources}::text[], ${sql.param(all.map(({ plays }) => plays))}::integer[],
      ${sql.param(all.map(({ listeners }) => toSketch(listeners)))}::bytea[]) as i (audio_id, source, plays, listeners)
    join audios a on a.id = i.audio_id
    on conflict (audio_id, day, source) do update set plays = d.plays + excluded.plays, listeners = excluded.listeners`);
}

async function addToVoices(tx: Db, day: string, sums: Map<string, Sums>): Promise<void> {
  const ids = sql.param([...sums.keys()]);
  const { rows: kept } = await tx.execute<Kept & { id: string }>(sql`
    select voice_id as id, null as parts, listeners, members from ${voiceDays} where day = ${day}::date and voice_id = any(${ids}::uuid[])`);
  for (const row of kept) addKept(sums.get(row.id), row);
  const all = [...sums.values()];
  await tx.execute(sql`
    insert into ${voiceDays} as d (voice_id, day, plays, member_plays, ends, heard_ms, favorites_added, favorites_removed,
      followers_added, followers_removed, listeners, members)
    select i.voice_id, ${day}::date, i.plays, i.member_plays, i.ends, i.heard_ms, i.favorites_added, i.favorites_removed,
      i.followers_added, i.followers_removed, i.listeners, i.members
    from unnest(${ids}::uuid[], ${countColumns(all)},
      ${sql.param(all.map(({ followersAdded }) => followersAdded))}::integer[],
      ${sql.param(all.map(({ followersRemoved }) => followersRemoved))}::integer[],
      ${sketchColumns(all)})
    as i (voice_id, plays, member_plays, ends, heard_ms, favorites_added, favorites_removed, followers_added, followers_removed,
      listeners, members)
    join voices v on v.id = i.voice_id
    on conflict (voice_id, day) do update set ${addedVoiceColumns}`);
}

/** Until the transaction ends, no changes are added up. Call first: the job locks changes before voices. */
export async function pauseFigures(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('add up figures'))`);
}

/** Adds the figures of one voice to another's, and deletes them. Call between `pauseFigures` and the commit. */
export async function moveVoiceFigures(tx: Db, id: string, into: string): Promise<void> {
  await tx.execute(sql`update figure_changes set voice_id = ${into} where voice_id = ${id}`);
  await moveKeptPlaying(tx, id, into);
  const { rows: kept } = await tx.execute<Kept & { day: string }>(sql`
    select day::text, null as parts, listeners, members from ${voiceDays} where voice_id in (${id}, ${into})
      and day in (select f.day from ${voiceDays} f where f.voice_id = ${id})`);
  if (kept.length === 0) return;
  const days = new Map(kept.map(({ day }) => [day, noSums()]));
  for (const row of kept) addKept(days.get(row.day), row);
  await tx.execute(sql`
    insert into ${voiceDays} as d (voice_id, day, plays, member_plays, ends, heard_ms, favorites_added, favorites_removed,
      followers_added, followers_removed, listeners, members)
    select ${into}, f.day, f.plays, f.member_plays, f.ends, f.heard_ms, f.favorites_added, f.favorites_removed,
      f.followers_added, f.followers_removed, i.listeners, i.members
    from ${voiceDays} f
    join unnest(${sql.param([...days.keys()])}::date[], ${sketchColumns([...days.values()])}) as i (day, listeners, members)
      on i.day = f.day
    where f.voice_id = ${id}
    on conflict (voice_id, day) do update set ${addedVoiceColumns}`);
  await tx.execute(sql`delete from ${voiceDays} where voice_id = ${id}`);
}

/** Sketches and parts are added here, counts by the database. */
function addKept(sums: Sums | undefined, kept: Kept): void {
  if (sums === undefined) return;
  addSketch(sums.listeners, kept.listeners);
  addSketch(sums.members, kept.members);
  sums.parts = addParts(sums.parts, kept.parts);
}

function countColumns(all: Sums[]): SQL {
  const column = (name: 'plays' | 'memberPlays' | 'ends' | 'heardMs' | 'favoritesAdded' | 'favoritesRemoved') =>
    sql.param(all.map((sums) => sums[name]));
  return sql`${column('plays')}::integer[], ${column('memberPlays')}::integer[], ${column('ends')}::integer[],
    ${column('heardMs')}::bigint[], ${column('favoritesAdded')}::integer[], ${column('favoritesRemoved')}::integer[]`;
}

function sketchColumns(all: Sums[]): SQL {
  const column = (name: 'listeners' | 'members') => sql.param(all.map((sums) => toSketch(sums[name])));
  return sql`${column('listeners')}::bytea[], ${column('members')}::bytea[]`;
}

const addedCounts = sql.raw(
  ['plays', 'member_plays', 'ends', 'heard_ms', 'favorites_added', 'favorites_removed']
    .map((name) => `${name} = d.${name} + excluded.${name}`)
    .join(', '),
);

const addedVoiceColumns = sql`${addedCounts}, followers_added = d.followers_added + excluded.followers_added,
  followers_removed = d.followers_removed + excluded.followers_removed,
  listeners = excluded.listeners, members = excluded.members`;

/** @param keepMonths whole months before the current one, which is kept too @returns the number of deleted rows */
export async function purgeOldFigures(db: Db, keepMonths: number, signal?: AbortSignal): Promise<number> {
  const first = sql`(date_trunc('month', now() at time zone 'UTC') - make_interval(months => ${keepMonths}))::date`;
  let deleted = 0;
  for (const table of [audioDays, audioSourceDays, voiceDays, keptPlayingDays])
    deleted += await purgeRows(db, table, lt(table.day, first), signal, table.day);
  return deleted;
}
