import type { AudioFilter } from '../catalogue/forms.ts';
import { type Condition, readConditions } from '../catalogue/filters/read-filter.ts';
import type { Db } from '../kernel/db.ts';
import { readWithout } from './without.ts';

/** A search as it was meant. */
export type Asked = {
  /** Without what it excludes. */
  term: string;
  conditions: Condition[];
  /** Tags that the term excludes, by slug. */
  without: string[];
  /** Words that no audio may have, but in its title. */
  noWords: string[];
};

/** @param typed from `SearchTerm` */
export async function readAsked(db: Db, typed: string, filter: AudioFilter): Promise<Asked> {
  const { term, without } = await readWithout(db, typed);
  const { shorterThan: _shorterThan, ...asked } = filter;
  const slugs = without.map(({ slug }) => slug);
  const not = [...(asked.not ?? []), ...slugs];
  const conditions = await readConditions(db, { ...asked, ...(not.length > 0 && { not }) });
  const noWords = without.flatMap(({ word }) => word ?? []);
  return { term, conditions, without: slugs, noWords };
}
