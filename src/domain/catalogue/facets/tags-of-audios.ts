import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { inWords } from '../../settings/translations.ts';

/** Rules about the tags that audios have of each facet. */

type Named = { id: string; label: string };

async function namesOf(db: Db, found: SQL): Promise<string[]> {
  const { rows } = await db.execute<Named>(found);
  return rows.map((row) => inWords(db, 'facet', row, 'label').label);
}

/** Within the transaction that wrote the tags of a locked audio. @returns names of facets that take one tag, not several */
export function findCrowdedFacets(tx: Db, audioId: string): Promise<string[]> {
  return namesOf(
    tx,
    sql`select f.id, f.label from audio_tags a join tags t on t.id = a.tag_id join facets f on f.id = t.facet_id
      where a.audio_id = ${audioId} and f.chooses = 'one' group by f.id having count(*) > 1 order by f.position, f.id`,
  );
}

/** @returns names of required facets of which the audio has no tag; one without tags asks for nothing */
export function findMissingFacets(db: Db, audioId: string): Promise<string[]> {
  return namesOf(
    db,
    sql`select f.id, f.label from facets f where f.is_required
      and exists (select from tags where facet_id = f.id) and not exists (
        select from audio_tags a join tags t on t.id = a.tag_id where a.audio_id = ${audioId} and t.facet_id = f.id)
      order by f.position, f.id`,
  );
}

/**
 * Audios, but deleted ones, that have several of these tags. Hold the tags first, so that no edit adds one meanwhile.
 * @param added those of them of which an audio must have one: restored audios may have several of the others already
 */
export async function countCrowdedAudios(tx: Db, tagIds: string[], added = tagIds): Promise<number> {
  if (tagIds.length < 2) return 0;
  const { rows } = await tx.execute<{ audios: number }>(sql`
    select count(*)::int as audios from (
      select a.audio_id from audio_tags a where a.tag_id = any(${sql.param(tagIds)}::uuid[])
      group by a.audio_id
      having count(*) > 1 and bool_or(a.tag_id = any(${sql.param(added)}::uuid[]))) crowded
    join audios on audios.id = crowded.audio_id and audios.deleted_at is null`);
  return rows[0]?.audios ?? 0;
}

/**
 * Gives a new audio tags of facets, by slug. Those that no longer exist are left out, and all but the first of a facet
 * that takes one.
 */
export async function addFacetTags(tx: Db, audioId: string, slugs: string[]): Promise<void> {
  if (slugs.length === 0) return;
  // An act that changes what their facets take is waited for, and then seen.
  await tx.execute(sql`select from tags where slug = any(${sql.param(slugs)}::text[]) order by id for key share`);
  await tx.execute(sql`
    insert into audio_tags (audio_id, tag_id)
    select distinct on (case when f.chooses = 'one' then f.id else t.id end) ${audioId}::uuid, t.id
    from unnest(${sql.param(slugs)}::text[]) with ordinality n (slug, place)
    join tags t on t.slug = n.slug join facets f on f.id = t.facet_id
    order by case when f.chooses = 'one' then f.id else t.id end, n.place`);
}
