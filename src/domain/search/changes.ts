import { sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { purgeRows } from '../kernel/purge.ts';
import type { SearchGroup } from './forms.ts';
import { searchChanges } from './tables.ts';

/** Position in the stream of changes. */
export type Position = {
  /** As PostgreSQL writes `pg_snapshot`. */
  snapshot: string;
  /** ISO 8601. */
  at: string;
};

/** Keys of the documents to read again, by group. */
export type ChangedKeys = Record<SearchGroup, string[]>;

/** A position older than this requires a rebuild. */
const keptDays = 3;

export async function readPosition(db: Db): Promise<Position> {
  const { rows } = await db.execute<Position>(
    sql`select pg_current_snapshot()::text as snapshot, to_json(now()) as at`,
  );
  return rows[0] as Position;
}

/** SQL: the changes that a snapshot does not show, up to now. */
const unseenChanges = (snapshot: string) => sql`select kind, subject_id as id from search_changes
  where xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot) and xid < pg_snapshot_xmax(pg_current_snapshot())
    and not pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot)`;

/** SQL: audios whose time has come since then. */
const publishedSince = (at: string) =>
  sql`select 'audios', id from audios where published_at > ${at}::timestamptz and published_at <= now()`;

/** Whether `readChanges` would find anything. */
export async function hasChanges(db: Db, { snapshot, at }: Position): Promise<boolean> {
  if (snapshot === '') return true;
  const { rows } = await db.execute<{ any: boolean }>(sql`
    select exists (${unseenChanges(snapshot)}) or exists (${publishedSince(at)}) or not ${isKnown({ snapshot, at })} as any`);
  return rows[0]?.any ?? false;
}

/** SQL: the changes since this position are all there. */
const isKnown = ({ snapshot, at }: Position) =>
  sql`(pg_snapshot_xmax(${snapshot}::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot())
    and ${at}::timestamptz > now() - make_interval(days => ${keptDays}))`;

/** Scheduled content that became visible counts as changed. */
export async function readChanges(
  db: Db,
  since: Position,
): Promise<{ position: Position; keys: ChangedKeys } | undefined> {
  const { snapshot, at } = since;
  const { rows } = await db.execute<Position & { isKnown: boolean; changes: { kind: string; id: string }[] }>(sql`
    select pg_current_snapshot()::text as snapshot, to_json(now()) as at, ${isKnown(since)} as "isKnown",
      (select coalesce(json_agg(json_build_object('kind', kind, 'id', id)), '[]'::json)
        from (${unseenChanges(snapshot)} union ${publishedSince(at)}) changed) as changes`);
  const [row] = rows;
  if (row === undefined || !row.isKnown) return undefined;
  const changed = new Map<string, string[]>();
  for (const { kind, id } of row.changes) {
    const ids = changed.get(kind) ?? [];
    changed.set(kind, ids);
    ids.push(id);
  }
  return { position: { snapshot: row.snapshot, at: row.at }, keys: await findAffected(db, changed) };
}

async function findAffected(db: Db, changed: Map<string, string[]>): Promise<ChangedKeys> {
  const changedOf = (kind: string) => changed.get(kind) ?? [];
  const keys: { [Group in SearchGroup]: Set<string> } = {
    audios: new Set(changedOf('audios')),
    categories: new Set(changedOf('categories')),
    playlists: new Set(changedOf('playlists')),
    voices: new Set(changedOf('voices')),
    series: new Set(changedOf('series')),
    users: new Set(changedOf('users')),
    usersPlaylists: new Set(changedOf('user_playlists')),
  };
  const any = (kind: string) => sql`any(${sql.param(changedOf(kind))}::uuid[])`;
  if (changed.size > 0) {
    const { rows } = await db.execute<{ group: SearchGroup; id: string }>(sql`
      select 'audios' as "group", id from audios where voice_id = ${any('voices')}
      union select 'audios', audio_id from credits where voice_id = ${any('voices')}
      union select 'audios', audio_id from audio_tags where tag_id = ${any('tags')}
      union select 'audios', audio_id from audio_categories where category_id = ${any('categories')}
      union select 'voices', id from voices where category_id = ${any('categories')}
      union select 'voices', id from voices where linked_series_id = ${any('series')}
      union select 'series', id from series where voice_id = ${any('voices')}
      union select 'series', series_id from series_items where audio_id = ${any('audios')}
      union select 'playlists', playlist_id from playlist_items where audio_id = ${any('audios')}
      union select 'playlists', i.playlist_id from playlist_items i join audios a on a.id = i.audio_id where a.voice_id = ${any('voices')}
      union select 'usersPlaylists', search_key(p.id) from user_playlists p join users u on u.id = p.user_id
        where search_key(u.id) = ${any('users')} and p.is_public`);
    for (const { group, id } of rows) keys[group].add(id);
  }
  return Object.fromEntries(Object.entries(keys).map(([group, set]) => [group, [...set]])) as ChangedKeys;
}

export async function purgeOldChanges(db: Db, signal?: AbortSignal): Promise<void> {
  const isOld = sql`${searchChanges.changedAt} < now() - make_interval(days => ${keptDays})`;
  await purgeRows(db, searchChanges, isOld, signal, searchChanges.changedAt);
}
