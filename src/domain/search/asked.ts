import type { AudioFilter } from '../catalogue/forms.ts';
import { type Condition, readFilter } from '../catalogue/filters/read-filter.ts';
import type { Db } from '../kernel/db.ts';
import { readWithout } from './without.ts';

/** A search as it was meant. */
export type Asked = {
  /** Without what it excludes. */
  term: string;
  conditions: Condition[];
  /** Words that no audio may have. */
  noWords: string[];
};

const unknownTag = '00000000-0000-0000-0000-000000000000';
/** No audio has it. */
const unknownKey = -1;

/** @param typed from `SearchTerm` */
export async function readAsked(db: Db, typed: string, filter: AudioFilter): Promise<Asked> {
  const { term, without } = await readWithout(db, typed);
  const { shorterThan: _shorterThan, ...asked } = filter;
  const not = [...(asked.not ?? []), ...without.map(({ slug }) => slug)];
  const conditions = await readFilter(db, { ...asked, ...(not.length > 0 && { not }) });
  const nothing = { of: { tag: asked.tag }, anyOf: [unknownKey], tagIds: [unknownTag] };
  return { term, conditions: conditions ?? [nothing], noWords: without.flatMap(({ word }) => word ?? []) };
}
