import type { SuggestionBlock, SuggestionIndex } from '#domain/catalogue/suggestions/public-files.ts';
import { type Neighbour, readShard } from '#formats/suggestions/shards.ts';
import { type PreferenceStore, readRecord } from '#player/stored.ts';
import { chooseBlocks, chooseShards } from './choose-files.ts';
import { type HeardAudio, enoughHeard, weightOf } from './heard.ts';
import { type SuggestedCard, type Suggestion, mix } from './mix.ts';
import { type Ranked, rankNeighbours } from './rank.ts';

/** The listener's own data: audios that were heard, and which ones they want to see. */
export type Own = { heard: readonly HeardAudio[]; isShown: (card: SuggestedCard) => boolean };

/** Files that are the same for everybody. */
export type SuggestionFiles = {
  index(): Promise<SuggestionIndex>;
  shard(version: number, shard: number): Promise<Uint8Array>;
  block(block: number): Promise<SuggestionBlock>;
};

export type Suggestions = {
  /** Five audios were heard. */
  isEnough: boolean;
  items: Suggestion[];
};

type Loaded = {
  heard: readonly HeardAudio[];
  own: Own;
  ranked: Ranked[];
  cards: SuggestedCard[];
  drawn: ReadonlySet<number>;
};

const key = 'sotto_for_you';
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
  storage,
  now = Date.now,
  random = Math.random,
}: {
  files: SuggestionFiles;
  owner: string;
  loadOwn: () => Promise<Own>;
  storage: PreferenceStore;
  now?: () => number;
  random?: () => number;
}) {
  let loading: { loaded: Promise<Loaded>; at: number } | undefined;

  async function load(): Promise<Loaded> {
    const own = await loadOwn();
    const heard = own.heard.filter(({ number }) => number !== null);
    if (own.heard.length < enoughHeard) return { heard, own, ranked: [], cards: [], drawn: new Set() };
    const index = await files.index();
    const weighted = heard.map((one, place) => ({ number: one.number ?? 0, weight: weightOf(one, place) }));
    const seed = seedOf(index.version);
    const numbers = new Set(weighted.map(({ number }) => number));
    const neighbours = new Map<number, Neighbour[]>();
    const shards = index.shards === 0 ? [] : chooseShards(weighted, index.shards, seed);
    await Promise.all(
      shards.map(async (shard) => {
        const bytes = await files.shard(index.version, shard);
        for (const [number, near] of readShard(bytes, shard, index.shards, (one) => numbers.has(one)))
          neighbours.set(number, near);
      }),
    );
    const size = Math.max(0, ...[...neighbours.values()].flat().map(({ number }) => number)) + 1;
    const ranked = rankNeighbours(weighted, (number) => neighbours.get(number), size);
    const { blocks, drawn } = batchOf(index, seed, () => {
      const isHeard = (number: number) => numbers.has(number);
      return ranked.map(({ number }) => number).filter((number) => !isHeard(number));
    });
    const cards: SuggestedCard[] = [];
    for (let at = 0; at < blocks.length; at += blocksAtOnce) {
      const read = await Promise.all(blocks.slice(at, at + blocksAtOnce).map((block) => files.block(block)));
      cards.push(...read.flatMap(({ audios }) => audios));
    }
    return { heard, own, ranked, cards, drawn };
  }

  /** Kept, so that the next visit draws the same files. */
  function seedOf(version: number): number {
    const stored = readRecord(storage.get(key));
    const seed = Number.isInteger(stored['seed']) ? Number(stored['seed']) : Math.floor(random() * 2 ** 32);
    if (stored['seed'] !== seed) storage.set(key, JSON.stringify({ seed }));
    return seed + version;
  }

  /** The same blocks for a day: one that comes with the next audio would tell which audio that was. */
  function batchOf({ version, blocks }: SuggestionIndex, seed: number, rank: () => number[]) {
    const stored = readRecord(storage.get(key));
    const [day, chosen] = [Math.floor(now() / dayMs), stored['wanted']];
    const isOfToday = stored['version'] === version && stored['day'] === day && stored['owner'] === owner;
    const isKept = isOfToday && Array.isArray(chosen);
    const wanted = isKept ? chosen.filter(Number.isInteger).map(Number) : rank();
    const batch = chooseBlocks(wanted, blocks, seed);
    if (!isKept) storage.set(key, JSON.stringify({ ...stored, version, day, owner, wanted: wanted.slice(0, 200) }));
    return batch;
  }

  return {
    /** @param isLeftOut such as what is in the queue @throws when a file cannot be read */
    async suggest(limit: number, isLeftOut: (card: SuggestedCard) => boolean = () => false): Promise<Suggestions> {
      if (loading === undefined || now() - loading.at > maxAgeMs) {
        const own = { loaded: load(), at: now() };
        loading = own;
        own.loaded.catch(() => {
          if (loading === own) loading = undefined;
        });
      }
      const { own, ...loaded } = await loading.loaded;
      const isShown = (card: SuggestedCard) => own.isShown(card) && !isLeftOut(card);
      return {
        isEnough: own.heard.length >= enoughHeard,
        items: mix({ ...loaded, isShown, limit, now: now() }),
      };
    },
    /** After a change of what was heard or hidden. */
    renew: () => (loading = undefined),
  };
}
