import { formatCount } from '#formats/numbers.ts';
import { seededRandom } from '#demo/random.ts';
import { listAudios } from '#domain/catalogue/audio-lists.ts';
import { type AudioFilter, audioSorts } from '#domain/catalogue/forms.ts';
import { voiceTypes } from '#domain/catalogue/rules.ts';
import { countFilters } from '#domain/catalogue/filters/count-filters.ts';
import { audioLengths } from '#domain/catalogue/filters/rules.ts';
import type { FilterPlace } from '#domain/catalogue/filters/shapes.ts';
import type { Db } from '#domain/kernel/db.ts';
import { visitor } from '#domain/kernel/viewer.ts';
import { type Figure, atMost, median, quantile } from './figures.ts';
import { type Sizes, facetsOf, kinds, millionId } from './million-database.ts';

/** Combinations that are drawn, each in one order. */
const combinations = 200;
const limit = 24;

const ceilings = { list: { p50: 50, p99: 150 }, counts: { p50: 50, p99: 150 } };

type Drawn = { filter: AudioFilter; place: FilterPlace; sort: (typeof audioSorts)[number] };

/** Two to five parts of a filter each, of all kinds, in all orders and places. */
function drawCombinations({ tags, categories }: Sizes): Drawn[] {
  const random = seededRandom(48);
  const draw = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const upTo = (count: number) => 1 + Math.floor(random() * count);
  const some = <Item>(count: number, one: () => Item) => [...new Set(Array.from({ length: upTo(count) }, one))];
  const inFacet = () => `tag-${Math.floor(random() * facetsOf.count * facetsOf.tags)}`;
  const parts: (() => AudioFilter)[] = [
    () => ({ tag: some(4, inFacet) }),
    () => ({ tag: some(3, inFacet) }),
    // Rarer ones.
    () => ({ tag: [`tag-${Math.floor(random() ** 2 * tags)}`] }),
    () => ({ not: some(3, inFacet) }),
    () => ({ length: some(2, () => draw(audioLengths)) }),
    () => ({ free: 'true' }),
    () => ({ syntheticVoice: 'none' }),
    () => ({ language: ['en'] }),
    () => ({ voiceType: [draw(voiceTypes)] }),
    () => ({ shorterThan: 600 }),
  ];
  return Array.from({ length: combinations }, () => ({
    filter: Object.assign({}, ...Array.from({ length: 1 + upTo(4) }, () => draw(parts)())),
    place: draw<FilterPlace>([
      {},
      {},
      { categoryId: millionId(kinds.category, Math.floor(random() * categories)) },
      { voiceId: millionId(kinds.voice, Math.floor(random() * 20)) },
    ]),
    sort: draw(audioSorts),
  }));
}

/** Lists of random combinations of filters, and the counts beside them. */
export async function timeFilters({ db, sizes }: { db: Db; sizes: Sizes }): Promise<Figure[]> {
  const times = { list: [] as number[], counts: [] as number[] };
  let counted = 0;
  let slowest = { ms: 0, name: '' };
  for (const { filter, place, sort } of drawCombinations(sizes)) {
    let page: Awaited<ReturnType<typeof listAudios>> | undefined;
    const list = await timed(async () => {
      page = await listAudios(db, visitor, { ...place, filter, sort, limit });
    });
    times.list.push(list);
    let total: number | undefined;
    times.counts.push(
      await timed(async () => {
        ({ total } = await countFilters(db, visitor, place, filter));
      }),
    );
    if (total !== undefined) counted += 1;
    if (total !== undefined && page?.items.length !== Math.min(limit, total))
      throw new Error(`A page has ${page?.items.length} audios of ${total}: ${JSON.stringify(filter)}`);
    if (list > slowest.ms) slowest = { ms: list, name: `${sort} ${JSON.stringify({ ...place, ...filter })}` };
  }
  console.log(`  The slowest filtered list took ${slowest.ms.toFixed(0)} ms: ${slowest.name}`);
  return [
    ...(['list', 'counts'] as const).flatMap((name) => [
      atMost(`Million: ${name} of ${combinations} filters, p50`, median(times[name]), ceilings[name].p50, 'ms'),
      atMost(`Million: ${name} of ${combinations} filters, p99`, quantile(times[name], 0.99), ceilings[name].p99, 'ms'),
    ]),
    {
      name: 'Million: filters with counts',
      value: `${formatCount(counted)} of ${combinations}`,
      limit: '',
      ok: undefined,
    },
  ];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}
