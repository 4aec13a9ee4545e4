import type { SuggestionBlock } from '#domain/catalogue/suggestions/public-files.ts';
import { blockOf } from '#formats/suggestions/blocks.ts';
import { withLittleHeard } from '#formats/suggestions/little-heard.ts';
import { type HeardAudio, type HeardKind, kindOf, weightOf } from './heard.ts';
import type { Ranked } from './rank.ts';

export type SuggestedCard = SuggestionBlock['audios'][number];

/** Why an audio is suggested. `tag`: its name. */
export type Reason =
  | { kind: HeardKind; heard: HeardAudio }
  | { kind: 'new' | 'new-little-heard' | 'little-heard' }
  | { kind: 'tag'; tag: string };

/** `reason` is undefined where nothing that was heard led there. */
export type Suggestion = { audio: SuggestedCard; reason: Reason | undefined };

const dayMs = 24 * 60 * 60 * 1000;
const newDays = 30;
/** Heard in these days, it is not suggested again. */
const rememberedDays = 90;
/** Share of what was heard that has a tag, from which on the tag is named as a reason. */
const namedShare = 0.1;

/** May not be suggested again yet: heard not long ago, not to its end, or a favorite. */
export function isRemembered({ at, isFinished, isFavorite }: HeardAudio, now: number): boolean {
  return isFavorite || !isFinished || now - Date.parse(at) < rememberedDays * dayMs;
}

/**
 * The suggestions: the best neighbours first, then what has the tags of what was heard; two of ten are new or little heard.
 * @param given.ranked by neighbours @param given.cards of the loaded blocks @param given.drawn blocks that were not chosen
 *   for what was heard @param given.isShown whether this listener wants to see it
 */
export function mix({
  heard,
  ranked,
  cards,
  drawn,
  isShown,
  limit,
  now,
}: {
  heard: readonly HeardAudio[];
  ranked: readonly Ranked[];
  cards: readonly SuggestedCard[];
  drawn: ReadonlySet<number>;
  isShown: (card: SuggestedCard) => boolean;
  limit: number;
  now: number;
}): Suggestion[] {
  const fair = cards.filter(({ number }) => drawn.has(blockOf(number)));
  const taste = tasteOf(heard, fair);
  const remembered = new Set(heard.filter((one) => isRemembered(one, now)).map(({ id }) => id));
  const shown = cards.filter((card) => !remembered.has(card.id) && isShown(card));
  const byNumber = new Map(shown.map((card) => [card.number, card]));
  const near = ranked.flatMap(({ number }) => byNumber.get(number) ?? []);
  const isNear = new Set(near);
  const others = shown
    .filter((card) => !isNear.has(card))
    .map((card) => ({ card, likeness: taste.likenessOf(card) }))
    .toSorted((one, other) => other.likeness - one.likeness || other.card.plays - one.card.plays);
  const few = median(fair.map(({ plays }) => plays));
  const little = others
    .map(({ card }) => card)
    .filter((card) => drawn.has(blockOf(card.number)) && (card.plays < few || isNew(card, now)));
  const isLittle = new Set(little);
  const because = new Map(ranked.map(({ number, because: index }) => [number, heard[index]]));
  // Without neighbours there is nothing that keeps the little heard down.
  const all = [...near, ...others.map(({ card }) => card)];
  const chosen = near.length === 0 ? all.slice(0, limit) : withLittleHeard(all, little, limit);
  return chosen.map((audio) => {
    const led = isNear.has(audio) ? because.get(audio.number) : undefined;
    if (led !== undefined) return { audio, reason: { kind: kindOf(led), heard: led } };
    const tag = taste.mainTagOf(audio);
    if (isLittle.has(audio) && (near.length > 0 || tag === undefined)) {
      const isFew = audio.plays < few;
      const kind = isNew(audio, now) ? (isFew ? 'new-little-heard' : 'new') : 'little-heard';
      return { audio, reason: { kind } };
    }
    return { audio, reason: tag === undefined ? undefined : { kind: 'tag', tag } };
  });
}

function isNew({ publishedAt }: SuggestedCard, now: number): boolean {
  return now - Date.parse(publishedAt) < newDays * dayMs;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** How often each tag was heard; one that most audios have says less. @param fair a sample of all audios */
function tasteOf(heard: readonly HeardAudio[], fair: readonly SuggestedCard[]) {
  const shares = new Map<string, number>();
  const total = heard.reduce((sum, one, place) => sum + weightOf(one, place), 0);
  for (const [place, one] of heard.entries())
    for (const tag of one.tags) shares.set(tag, (shares.get(tag) ?? 0) + weightOf(one, place) / total);
  const usual = new Map<string, number>();
  for (const { tags } of fair) for (const { slug } of tags) usual.set(slug, (usual.get(slug) ?? 0) + 1 / fair.length);
  const partOf = (tag: string) => (shares.get(tag) ?? 0) / Math.sqrt(0.1 + (usual.get(tag) ?? 0));
  return {
    likenessOf: ({ tags }: SuggestedCard) => tags.reduce((sum, { slug }) => sum + partOf(slug), 0),
    /** Name of the tag that says most. */
    mainTagOf({ tags }: SuggestedCard): string | undefined {
      const [main] = tags
        .filter(({ slug }) => (shares.get(slug) ?? 0) >= namedShare)
        .toSorted((one, other) => partOf(other.slug) - partOf(one.slug));
      return main?.label;
    },
  };
}
