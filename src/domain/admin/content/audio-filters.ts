import { type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Db } from '../../kernel/db.ts';
import { toSlug } from '../../kernel/ids.ts';
import { startingWith } from '../../kernel/like-patterns.ts';
import { dropUnwanted } from '../../kernel/rules.ts';
import { isWithoutText } from '../../studio/audios/audio-list.ts';
import { stateConditions, stateParts } from '../../studio/managed-page.ts';
import type { AudioFilterForm } from '../forms.ts';
import type { AudioProblem } from '../rules.ts';
import { readWordSearch } from '../word-search.ts';

/** Selects audios for the operators' table or for a bulk act. */
export type AudioFilter = z.output<typeof AudioFilterForm>;

type Named = { id: string; slug: string; label: string };

/** Rows that a filter refers to; null when the slug no longer exists. */
export type FilterNames = { voice?: Named | null; category?: Named | null; tag?: Named | null };

/** Maximum creators, and tags, that a name prefix matches. */
const maxNamed = 100;

/** A filter as SQL conditions on `audios a`, and as one id query per part, to start with the most selective part. */
export type FilterSql = {
  names: FilterNames;
  /** Conditions of every part except the state. */
  conditions: SQL[];
  state: SQL;
  /** Selects with one column `id`, each by an index. */
  sources: SQL[];
  /** The same for the state; undefined when it matches nearly all audios. */
  stateSource: SQL | undefined;
};

const isChangedApart = sql`(d.has_cover or d.fields <> '{}'::jsonb)`;

const problems: Record<AudioProblem, { condition: SQL; source: SQL }> = {
  'no-cover': {
    condition: sql`a.image_key is null`,
    source: sql`select a.id from audios a where a.image_key is null`,
  },
  'no-text': {
    condition: isWithoutText,
    source: sql`select a.id from audios a where ${isWithoutText}`,
  },
  'not-measured': {
    condition: sql`exists (select from unmeasured_recordings u where u.audio_id = a.id and u.tried_file = a.file_key)`,
    source: sql`select u.audio_id as id from unmeasured_recordings u`,
  },
  changes: {
    condition: sql`exists (select from audio_drafts d where d.audio_id = a.id and ${isChangedApart})`,
    source: sql`select d.audio_id as id from audio_drafts d where ${isChangedApart}`,
  },
};

/**
 * `offset 0` keeps PostgreSQL from turning the condition into a join, which would sort the whole table for one page.
 */
export async function readAudioFilter(db: Db, filter: AudioFilter): Promise<FilterSql> {
  const names: FilterNames = {};
  const conditions: SQL[] = [];
  const sources: SQL[] = [];
  const narrow = (condition: SQL, source?: SQL) => {
    conditions.push(condition);
    if (source !== undefined) sources.push(source);
  };
  if (filter.q !== undefined && filter.q.trim() !== '') {
    const { condition, source } = await readWords(db, filter.q);
    narrow(condition, source);
  }
  if (filter.tag !== undefined) {
    const tag = (names.tag = await findNamed(db, sql`tags`, sql`label`, filter.tag));
    const ofTag = sql`select t.audio_id as id from audio_tags t where t.tag_id = ${tag?.id ?? null}::uuid`;
    narrow(
      sql`exists (select from audio_tags t where t.tag_id = ${tag?.id ?? null}::uuid and t.audio_id = a.id offset 0)`,
      ofTag,
    );
  }
  if (filter.category !== undefined) {
    const category = (names.category = await findNamed(db, sql`categories`, sql`label`, filter.category));
    const id = category?.id ?? null;
    narrow(
      sql`exists (select from audio_categories c where c.category_id = ${id}::uuid and c.audio_id = a.id offset 0)`,
      sql`select c.audio_id as id from audio_categories c where c.category_id = ${id}::uuid`,
    );
  }
  if (filter.voice !== undefined) {
    const voice = (names.voice = await findNamed(db, sql`voices`, sql`name`, filter.voice));
    const isOf = sql`a.voice_id = ${voice?.id ?? null}::uuid`;
    narrow(isOf, sql`select a.id from audios a where ${isOf}`);
  }
  if (filter.problem !== undefined) {
    const { condition, source } = problems[filter.problem];
    narrow(condition, source);
  }
  if (filter.changed !== undefined) {
    const since = sql`now() - make_interval(days => ${filter.changed}::int)`;
    narrow(
      sql`(a.updated_at >= ${since}
        or exists (select from audio_drafts d where d.audio_id = a.id and d.updated_at >= ${since}))`,
      sql`select a.id from audios a where a.updated_at >= ${since}
        union select d.audio_id from audio_drafts d where d.updated_at >= ${since}`,
    );
  }
  if (filter.syntheticVoice !== undefined) narrow(sql`a.synthetic_voice = ${filter.syntheticVoice}`);
  if (filter.access === 'free') narrow(sql`a.is_free`, sql`select a.id from audios a where a.is_free`);
  if (filter.access === 'subscribers') narrow(sql`not a.is_free`);
  const state = filter.state === undefined ? sql`a.deleted_at is null` : stateConditions[filter.state];
  const isRare = filter.state !== undefined && filter.state !== 'published';
  const stateSource = isRare
    ? sql.join(
        stateParts[filter.state ?? 'draft'].map((part) => sql`select a.id from audios a where ${part}`),
        sql` union all `,
      )
    : undefined;
  return { names, conditions, state, sources, stateSource };
}

async function findNamed(db: Db, table: SQL, label: SQL, slug: string): Promise<Named | null> {
  const { rows } = await db.execute<Named>(
    sql`select id, slug, ${label} as label from ${table} where slug = ${dropUnwanted(slug)} limit 1`,
  );
  return rows[0] ?? null;
}

async function readWords(db: Db, text: string): Promise<{ condition: SQL; source: SQL | undefined }> {
  const inTitle = await readWordSearch(db, { table: sql`audios a`, column: sql`a.sort_title` }, text);
  if (inTitle === undefined) return { condition: sql`false`, source: sql`select null::uuid as id where false` };
  const inName = await readWordSearch(db, { table: sql`voices v`, column: sql`v.sort_name` }, text);
  const slug = toSlug(text);
  const { rows } = await db.execute<{ voices: string[]; tags: string[] }>(sql`
    select array(select v.id from voices v where ${inName?.anyFew ?? sql`false`} limit ${maxNamed})::text[] as voices,
      array(select t.id from tags t where ${slug !== ''} and t.slug like ${startingWith(slug)} limit ${maxNamed})::text[]
        as tags`);
  const { voices = [], tags = [] } = rows[0] ?? {};
  const [voiceIds, tagIds] = [sql`${sql.param(voices)}::uuid[]`, sql`${sql.param(tags)}::uuid[]`];
  const others: { condition: SQL; source: SQL }[] = [];
  if (voices.length > 0)
    others.push({
      condition: sql`a.voice_id = any(${voiceIds})`,
      source: sql`select a.id from audios a where a.voice_id = any(${voiceIds})`,
    });
  if (tags.length > 0)
    others.push({
      // `offset 0` keeps PostgreSQL from hashing all audios of these tags.
      condition: sql`exists (select from audio_tags t where t.audio_id = a.id and t.tag_id = any(${tagIds}) offset 0)`,
      source: sql`select t.audio_id as id from audio_tags t where t.tag_id = any(${tagIds})`,
    });
  return {
    condition: sql`(${sql.join([inTitle.condition, ...others.map(({ condition }) => condition)], sql` or `)})`,
    source:
      inTitle.indexed &&
      sql.join(
        [sql`select a.id from audios a where ${inTitle.indexed}`, ...others.map(({ source }) => source)],
        // Keeps duplicates: removing them would run the whole union before the first row.
        sql` union all `,
      ),
  };
}
