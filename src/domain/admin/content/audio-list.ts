import { type SQL, sql } from 'drizzle-orm';
import { previewSetting } from '../../catalogue/site-settings.ts';
import { findSettingChange } from '../../identity/setting-changes.ts';
import type { Actor } from '../../kernel/actor.ts';
import { csvLine } from '../../kernel/csv.ts';
import type { Db } from '../../kernel/db.ts';
import { estimateRows } from '../../kernel/estimate-rows.ts';
import type { Count } from '#formats/numbers.ts';
import { findSetting } from '../../settings/change-setting.ts';
import { findManagedAudios } from '../../studio/audios/audio-list.ts';
import {
  type ManagedPageQuery,
  fewAudios,
  readManagedPage,
  stateConditions,
  stateParts,
} from '../../studio/managed-page.ts';
import { type ManagedState, managedStates } from '../../studio/rules.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { type AudioFilter, type FilterSql, readAudioFilter } from './audio-filters.ts';

export type AdminAudioQuery = AudioFilter & ManagedPageQuery;

/** Parts with more by the planner's estimate are not counted. */
const maxEstimated = 5000;
/** Audios read for one part of a filter to intersect it with the others. */
const maxRead = 40_000;
/** Counts of states stop here. */
const maxCounted = 10_000;

/** @throws DomainError `request/bad-cursor`, and `request/not-found` for everybody but operators */
export async function listAudios(db: Db, actor: Actor, query: AdminAudioQuery) {
  administratorsOnly(actor);
  const filter = await readAudioFilter(db, query);
  const matches = await findFew(db, filter);
  const [{ ids, ...cursors }, counts] = await Promise.all([
    readManagedPage(db, { name: 'admin-audios', filter, source: matches.ofPage }, query),
    countStates(db, filter, matches.ofCounts),
  ]);
  const [items, recentPlays] = await Promise.all([findManagedAudios(db, ids), countRecentPlays(db, ids)]);
  return {
    items,
    /** For `before` and `after`; absent on the first and the last page. */
    ...cursors,
    /** Audios that match the filters. */
    total: counts?.[query.state ?? 'all'] ?? { count: fewAudios, isMore: true },
    counts,
    recentPlays,
    names: filter.names,
  };
}

/** Plays of the last 28 days (UTC) by audio id; audios without plays have no entry. */
async function countRecentPlays(db: Db, ids: string[]): Promise<Record<string, number>> {
  const { rows } = await db.execute<{ id: string; plays: number }>(sql`
    select audio_id as id, sum(plays)::float8 as plays from audio_days
    where audio_id = any(${sql.param(ids)}::uuid[]) and day > (now() at time zone 'UTC')::date - 28 group by 1`);
  return Object.fromEntries(rows.map(({ id, plays }) => [id, plays]));
}

type Few = {
  /** The most selective part of the filter; undefined when no part is selective. */
  ofPage: SQL | undefined;
  /** The same without the state, for the counts of all states. */
  ofCounts: SQL | undefined;
};

async function findFew(db: Db, { conditions, sources, stateSource }: FilterSql): Promise<Few> {
  if (conditions.length === 0 && stateSource === undefined) return { ofPage: undefined, ofCounts: undefined };
  // Small site: few audios in total.
  const parts = [...sources, sql`select a.id from audios a`, ...(stateSource ? [stateSource] : [])];
  const estimates = await estimateRows(db, parts);
  const sizes = parts.map((part, at) =>
    // An estimate can be wrong by some factor, but a word's index is read completely for the first row.
    (estimates[at] ?? 0) > maxEstimated
      ? sql`${fewAudios + 1}::int`
      : sql`(select count(*)::int from (select from (${part}) one limit ${fewAudios + 1}) found)`,
  );
  const { rows } = await db.execute<{ sizes: number[] }>(sql`select array[${sql.join(sizes, sql`, `)}] as sizes`);
  const smallest = (among: number[] = []) => {
    const fewest = Math.min(...among);
    return fewest > fewAudios ? undefined : parts[among.indexOf(fewest)];
  };
  const all = rows[0]?.sizes ?? [];
  const found = { ofPage: smallest(all), ofCounts: smallest(all.slice(0, sources.length + 1)) };
  return found.ofPage === undefined ? findTogether(db, sources, estimates) : found;
}

/**
 * Parts that match many audios each but few together: walking the order would take long to find a page.
 * @param estimates rows of each source, then of all audios
 */
async function findTogether(db: Db, sources: SQL[], estimates: number[]): Promise<Few> {
  const none = { ofPage: undefined, ofCounts: undefined };
  const all = Math.max(estimates[sources.length] ?? 0, 1);
  // Assumes independent parts.
  const together = sources.reduce((count, _, at) => (count * (estimates[at] ?? 0)) / all, all);
  const read = sources.filter((_, at) => (estimates[at] ?? 0) <= maxRead);
  if (read.length < 2 || together > fewAudios) return none;
  // Intersected, each part is read from its own index; PostgreSQL would answer the combined query by walking all audios.
  const { rows } = await db.execute<{ id: string }>(
    sql`${sql.join(
      read.map((part) => sql`(${part})`),
      sql` intersect `,
    )} limit ${fewAudios + 1}`,
  );
  if (rows.length > fewAudios) return none;
  const source = sql`select unnest(${sql.param(rows.map(({ id }) => id))}::uuid[]) as id`;
  return { ofPage: source, ofCounts: source };
}

/** Under the other filters; `all` excludes deleted audios. @returns undefined when counting takes too long */
async function countStates(
  db: Db,
  { conditions }: FilterSql,
  source: SQL | undefined,
): Promise<Record<ManagedState | 'all', Count> | undefined> {
  if (source === undefined && conditions.length > 0) return undefined;
  const where = sql.join([sql`true`, ...conditions], sql` and `);
  const max = source === undefined ? maxCounted : fewAudios;
  const selects = managedStates.map((state) =>
    source === undefined
      ? // One index per count; each count stops at the displayed limit.
        sql.join(
          stateParts[state].map(
            (part) => sql`(select count(*)::int from (select from audios a where ${part} limit ${max + 1}) found)`,
          ),
          sql` + `,
        )
      : sql`count(*) filter (where ${stateConditions[state]})::int`,
  );
  const from =
    source === undefined
      ? sql``
      : sql`from (select distinct one.id from (${source}) one) few join audios a on a.id = few.id where ${where}`;
  const { rows } = await db.execute<{ counts: number[] }>(
    sql`select array[${sql.join(selects, sql`, `)}] as counts ${from}`,
  );
  const all = rows[0]?.counts ?? [];
  const capped = (count: number): Count => ({ count: Math.min(count, max), isMore: count > max });
  const sum = managedStates.reduce((before, state, at) => (state === 'deleted' ? before : before + (all[at] ?? 0)), 0);
  const counts = Object.fromEntries(managedStates.map((state, at) => [state, capped(all[at] ?? 0)]));
  return { ...(counts as Record<ManagedState, Count>), all: capped(sum) };
}

/** Ids of all audios that match a filter. */
export function selectFiltered({ conditions, state }: FilterSql): SQL {
  return sql`select a.id from audios a where ${sql.join([state, ...conditions], sql` and `)}`;
}

/** Audios per batch of the export. */
const exportBatch = 500;

/** All matching audios as CSV lines. @throws DomainError for everybody but operators */
export async function* exportAudios(
  db: Db,
  actor: Actor,
  query: Omit<AdminAudioQuery, 'after' | 'before' | 'limit'>,
): AsyncGenerator<string> {
  administratorsOnly(actor);
  yield csvLine(['Title', 'Creator', 'State', 'Access', 'Categories', 'Seconds', 'Plays', 'Changed (UTC)', 'Id']);
  let after: string | undefined;
  do {
    const page = await listAudios(db, actor, { ...query, after, limit: exportBatch });
    for (const { title, voice, state, isFree, categories, numberDuration, plays, changedAt, id } of page.items)
      yield csvLine([
        title,
        voice.name,
        state,
        isFree ? 'free' : 'subscribers',
        categories.join(', '),
        numberDuration,
        plays,
        changedAt,
        id,
      ]);
    after = page.olderCursor;
  } while (after !== undefined);
}

/**
 * The preview as operators see it, even when visitors cannot hear it. `audio`: null when none was chosen, or it was
 * purged. `by`: username of the operator who chose it; null: the command line, or a deleted account.
 */
export async function findPreview(db: Db, actor: Actor) {
  administratorsOnly(actor);
  const { value, revision, changedAt } = await findSetting(db, previewSetting);
  const [audio = null] = value.audioId === undefined ? [] : await findManagedAudios(db, [value.audioId]);
  const change = await findSettingChange(db, previewSetting.key);
  return { audio, revision, since: changedAt, by: change?.by ?? null };
}
