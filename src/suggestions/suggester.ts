import type { SuggestionBlock, SuggestionIndex } from '#domain/catalogue/suggestions/public-files.ts';
import { blockOf } from '#formats/suggestions/blocks.ts';
import { type Neighbour, readShard } from '#formats/suggestions/shards.ts';
import { isRecord } from '#player/stored.ts';
import { type Lot, chooseFiles, readLot } from './choose-files.ts';
import { enoughHeard } from './enough-heard.ts';
import { type HeardAudio, weightOf } from './heard.ts';
import { type SuggestedCard, type Suggestion, mix } from './mix.ts';
import { type Ranked, type Weighted, rankNeighbours } from './rank.ts';

/** The listener's own data: audios that were heard, and which ones they want to see. */
export type Own = {
  heard: readonly HeardAudio[];
  isShown: (card: SuggestedCard) => boolean;
  /** For audios whose number or tags were not known when they were heard. */
  complete?: (cards: readonly SuggestedCard[]) => void;
};

/** Files that are the same for everybody. */
export type SuggestionFiles = {
  /** @param isNew not from a cache */
  index(isNew?: boolean): Promise<SuggestionIndex>;
  shard(version: number, shard: number): Promise<Uint8Array>;
  block(block: number): Promise<SuggestionBlock>;
};

/** Kept on this device, so that its files do not reveal them. `write`: undefined removes it. */
export type SealedValues = {
  read(name: string): Promise<unknown>;
  write(name: string, value: unknown): Promise<void>;
};

export type Suggestions = {
  /** Five audios were heard. */
  isEnough: boolean;
  items: Suggestion[];
};

/** Files of which all suggestions of this page are made. `drawn`: blocks that were not chosen for what was heard. */
type Loaded = {
  shards: number;
  bytes: ReadonlyMap<number, Uint8Array>;
  cards: SuggestedCard[];
  drawn: ReadonlySet<number>;
  isWhole: boolean;
};

const dayMs = 24 * 60 * 60 * 1000;
const maxAgeMs = 5 * 60_000;
/** At a time, because the site may have to make their pictures first. */
const blocksAtOnce = 4;

/**
 * Puts suggestions together on this device: the site learns only which files are read, and each listener reads as many.
 * @param parts.owner id of the account; empty for a visitor @param parts.loadOwn from the account, or from this device
 */
export function createSuggester({
  files,
  owner,
  loadOwn,
  sealed,
  now = Date.now,
  random = cryptoRandom,
}: {
  files: SuggestionFiles;
  owner: string;
  loadOwn: () => Promise<Own>;
  sealed: SealedValues;
  now?: () => number;
  random?: () => number;
}) {
  const key = owner === '' ? 'sotto_for_you' : 'sotto_for_you_account';
  let loading: { loaded: Promise<Loaded>; at: number } | undefined;

  async function load(heard: readonly HeardAudio[]): Promise<Loaded> {
    const lots = await readLots();
    const weighted = weigh(heard);
    const day = Math.floor(now() / dayMs);
    async function readShards(index: SuggestionIndex) {
      const { shards, version } = index;
      const chosen = chooseFiles(lots.shards, {
        kind: 'shards',
        below: shards,
        of: shards,
        day,
        random,
        rank: () => rankShards(weighted, shards),
      });
      return { index, chosen, read: await readAll(chosen.files, (shard) => files.shard(version, shard)) };
    }
    let near = await readShards(await files.index());
    // A cache may have the index of the count before.
    if (!near.read.isWhole) near = await readShards(await files.index(true));
    const { index, read: shards } = near;
    throwIfNone(shards);
    const isHeard = new Set(weighted.map(({ number }) => number));
    const blocks = chooseFiles(lots.blocks, {
      kind: 'blocks',
      below: index.blocks,
      of: 0,
      day,
      random,
      always: index.blocks - 1,
      rank: () =>
        rank(weighted, index.shards, shards.found)
          .filter(({ number }) => !isHeard.has(number))
          .map(({ number }) => blockOf(number)),
    });
    if (near.chosen.lot || blocks.lot) await sealed.write(key, { owner, shards: near.chosen.lot, blocks: blocks.lot });
    const cards = await readAll(blocks.files, (block) => files.block(block), blocksAtOnce);
    throwIfNone(cards);
    const wanted = new Set(blocks.lot?.wanted);
    return {
      shards: index.shards,
      bytes: shards.found,
      cards: [...cards.found.values()].flatMap(({ audios }) => audios),
      drawn: new Set(blocks.files.filter((block) => !wanted.has(block))),
      isWhole: shards.isWhole && cards.isWhole,
    };
  }

  /** Those of another account are not used: they say what it hears. */
  async function readLots(): Promise<{ shards?: Lot | undefined; blocks?: Lot | undefined }> {
    const kept = await sealed.read(key);
    if (!isRecord(kept) || kept['owner'] !== owner) return {};
    return { shards: readLot(kept['shards']), blocks: readLot(kept['blocks']) };
  }

  async function loadOnce(heard: readonly HeardAudio[]): Promise<Loaded> {
    if (loading === undefined || now() - loading.at > maxAgeMs) {
      const own = { loaded: load(heard), at: now() };
      loading = own;
      const drop = () => {
        if (loading === own) loading = undefined;
      };
      own.loaded.then(({ isWhole }) => isWhole || drop(), drop);
    }
    return loading.loaded;
  }

  return {
    /** @param isLeftOut such as what is in the queue @throws when no file of a kind can be read */
    async suggest(limit: number, isLeftOut: (card: SuggestedCard) => boolean = () => false): Promise<Suggestions> {
      // Each time: what is hidden or no longer in the history counts at once.
      const { heard, ...own } = await loadOwn();
      if (heard.length < enoughHeard) return { isEnough: false, items: [] };
      const { cards, drawn, shards, bytes } = await loadOnce(heard);
      if (heard.some(({ number }) => number === null)) own.complete?.(cards);
      const ranked = rank(weigh(heard), shards, bytes);
      const isShown = (card: SuggestedCard) => own.isShown(card) && !isLeftOut(card);
      return { isEnough: true, items: mix({ heard, ranked, cards, drawn, isShown, limit, now: now() }) };
    },
    /** Removes what this device keeps of the choice of files. */
    async forget(): Promise<void> {
      loading = undefined;
      await sealed.write(key, undefined);
    },
  };
}

/** A visitor's audio may have no number yet: it keeps its place, and is near to nothing. */
function weigh(heard: readonly HeardAudio[]): Weighted[] {
  return heard.map((one, place) => ({ number: one.number ?? -1, weight: weightOf(one, place) }));
}

function rankShards(weighted: readonly Weighted[], shards: number): number[] {
  const weights = new Map<number, number>();
  for (const { number, weight } of weighted)
    if (number >= 0) weights.set(number % shards, (weights.get(number % shards) ?? 0) + weight);
  return [...weights].toSorted((one, other) => other[1] - one[1] || one[0] - other[0]).map(([shard]) => shard);
}

function rank(weighted: readonly Weighted[], shards: number, bytes: ReadonlyMap<number, Uint8Array>): Ranked[] {
  const numbers = new Set(weighted.map(({ number }) => number));
  const neighbours = new Map<number, Neighbour[]>();
  for (const [shard, own] of bytes)
    for (const [number, near] of readShard(own, shard, shards, (one) => numbers.has(one))) neighbours.set(number, near);
  const size = Math.max(0, ...[...neighbours.values()].flat().map(({ number }) => number)) + 1;
  return rankNeighbours(weighted, (number) => neighbours.get(number), size);
}

/** Without those that cannot be read. */
async function readAll<File>(numbers: readonly number[], read: (number: number) => Promise<File>, atOnce = Infinity) {
  const found = new Map<number, File>();
  let failure: unknown;
  for (let at = 0; at < numbers.length; at += atOnce)
    await Promise.all(
      numbers.slice(at, at + atOnce).map((number) =>
        read(number).then(
          (file) => found.set(number, file),
          (error: unknown) => (failure = error),
        ),
      ),
    );
  return { found, isWhole: found.size === numbers.length, failure };
}

function throwIfNone({ found, isWhole, failure }: Awaited<ReturnType<typeof readAll>>): void {
  if (found.size === 0 && !isWhole) throw failure;
}

function cryptoRandom(): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1));
  return value / 2 ** 32;
}
