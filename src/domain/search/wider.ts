import type { AudioFilter } from '../catalogue/forms.ts';
import type { Asked } from './asked.ts';
import { wantedOf } from './properties.ts';
import type { Hidden, SearchIndex } from './search-index.ts';
import { queryWords } from './words.ts';

/** A part of the filter, or a word of the term, and the audios that are found without it. */
export type Wider = { without: AudioFilter & { word?: string }; audios: number };

const mostWider = 2;
/** Parts that are tried: each is a search. */
const mostTried = 8;

/** @param asked something that finds no audio */
export async function widen(
  index: SearchIndex,
  { term, conditions, without, noWords }: Asked,
  { hidden, onlyFree }: { hidden: Hidden; onlyFree: boolean },
): Promise<Wider[]> {
  const words = queryWords(term);
  const find = async (changed: Partial<Asked>, isFree = onlyFree) => {
    const wanted = wantedOf(changed.conditions ?? conditions, changed.noWords ?? noWords);
    const found = await index.find({ term: changed.term ?? term, ranges: {}, hidden, onlyFree: isFree, wanted });
    return found.audios.isLoose ? 0 : found.audios.total;
  };
  const tries: { without: Wider['without']; find: () => Promise<number> }[] = [
    // The filter does not have what the term excludes.
    ...conditions
      .filter(({ of }) => !of.not?.some((slug) => without.includes(slug)))
      .map((left) => ({
        without: left.of,
        find: () => find({ conditions: conditions.filter((one) => one !== left) }, left.of.free ? false : onlyFree),
      })),
    ...(words.length < 2 ? [] : words).map((word) => ({
      without: { word },
      find: () => find({ term: words.filter((one) => one !== word).join(' ') }),
    })),
  ];
  const found: Wider[] = [];
  for (const one of tries.slice(0, mostTried)) found.push({ without: one.without, audios: await one.find() });
  return found
    .filter(({ audios }) => audios > 0)
    .toSorted((a, b) => b.audios - a.audios)
    .slice(0, mostWider);
}
