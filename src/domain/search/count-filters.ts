import { sql } from 'drizzle-orm';
import { countFilters } from '../catalogue/filters/count-filters.ts';
import type { FilterChoices } from '../catalogue/filters/shapes.ts';
import type { AudioFilter } from '../catalogue/forms.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { readAsked } from './asked.ts';
import { findHidden } from './hidden.ts';
import { wantedOf } from './properties.ts';
import { deepestHit } from './rules.ts';
import { type SearchParts, fewAudios } from './search.ts';
import { findHeard } from './transcript-hits.ts';
import { queryWords } from './words.ts';

/** @param query.filter as of `search` */
export async function countSearchFilters(
  { db, index, isRefused }: SearchParts,
  viewer: Viewer,
  { term: typed, filter }: { term: string; filter: AudioFilter },
): Promise<FilterChoices> {
  const { term, conditions, noWords } = await readAsked(db, typed, {});
  const words = isRefused?.(typed) === true ? [] : queryWords(term);
  const { ids, said, isTooLong } = words.length === 0 ? nothing : await findAll();
  const { shorterThan: _shorterThan, ...known } = filter;
  const listed = (of: string[]) => sql`select unnest(${sql.param(of)}::uuid[])`;
  return countFilters(
    db,
    viewer,
    { found: { ids: listed(ids), more: { ids: listed(said), few: fewAudios }, isTooLong } },
    known,
  );

  /** By name, and by what is said. */
  async function findAll() {
    const hidden = await findHidden(db, viewer);
    const ranges = { audios: { from: 0, length: deepestHit } };
    const wanted = wantedOf(conditions, noWords);
    const { audios } = await index.find({ term, ranges, hidden, onlyFree: false, wanted });
    const { total, isLoose, hits } = audios;
    const isLong = total > deepestHit;
    const named = isLong ? [] : hits.map(({ id }) => id);
    const heard = { except: isLoose ? [] : named, hidden, onlyFree: false, conditions };
    const lines = isLong ? [] : await findHeard(db, words, heard);
    return { ids: isLoose && lines.length > 0 ? [] : named, said: lines, isTooLong: isLong };
  }
}

const nothing = { ids: [], said: [], isTooLong: false };
