import { type Algoliasearch, type SearchForHits, type SearchResponse, algoliasearch } from 'algoliasearch';
import type { Db } from '#domain/kernel/db.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { type SearchGroup, searchGroups } from '#domain/search/forms.ts';
import { deepestHit } from '#domain/search/rules.ts';
import { type OutsideIndex, followOutside } from '#domain/search/outside-feed.ts';
import { isAskedFor } from '#domain/search/feeds.ts';
import type {
  Hidden,
  IndexResponse,
  Property,
  SearchDocument,
  SearchIndex,
  WantedAudios,
} from '#domain/search/search-index.ts';
import { callLimits } from '../call-limits.ts';
import { inTime } from '../in-time.ts';
import { timedFetch } from '../timed-fetch.ts';

export type AlgoliaOptions = {
  appId: string;
  /** May search, add and delete objects, delete indices and edit settings. It never leaves the server. */
  apiKey: string;
  /** Indices are called `<prefix>_audios` and so on. */
  prefix: string;
  db: Db;
  /** Called when sending a change failed; the next run sends it again. */
  onError: (error: unknown) => void;
  /** For tests: the API's address. */
  hosts?: ClientOptions['hosts'];
};

type ClientOptions = NonNullable<Parameters<typeof algoliasearch>[2]>;

/** Fields of a record at Algolia. */
type AlgoliaRecord = Omit<SearchDocument, 'group' | 'key' | 'publishedAt'> & { objectID: string; foundFrom: number };

/** @see https://www.algolia.com/doc/api-reference/settings-api-parameters/ */
const settings = {
  searchableAttributes: ['name', 'by', 'labels', 'text'],
  customRanking: ['desc(plays)'],
  attributesForFaceting: ['ownerId', 'tagIds', 'language', 'isFree', 'properties'].map((name) => `filterOnly(${name})`),
  numericAttributesForFiltering: ['foundFrom'],
  attributesToRetrieve: ['hit'],
  attributesToHighlight: [],
  queryType: 'prefixLast' as const,
  removeWordsIfNoResults: 'allOptional' as const,
  // Same tolerance as the built-in index (words.ts, editsForgiven), only when nothing matches as typed.
  minWordSizefor1Typo: 4,
  minWordSizefor2Typos: 7,
  typoTolerance: 'min' as const,
  paginationLimitedTo: deepestHit,
};

/** The name of these indices in `search_feeds`. */
export const algoliaFeed = ({ appId, prefix }: Pick<AlgoliaOptions, 'appId' | 'prefix'>) =>
  `algolia ${appId} ${prefix}`;

/** Algolia instead of the built-in index: one index per group, fed by the same changes. */
export function openAlgoliaIndex(options: AlgoliaOptions): SearchIndex {
  const { appId, apiKey, prefix, db, onError, hosts } = options;
  const open = (limitMs: () => number) =>
    algoliasearch(appId, apiKey, { requester: requesterWithin(limitMs), ...(hosts !== undefined && { hosts }) });
  const reader = open(() => callLimits.algolia.answerMs);
  const writer = open(() => callLimits.algoliaChanges.answerMs);
  const nameOf = (group: SearchGroup) => `${prefix}_${group}`;
  const feed = algoliaFeed(options);
  const outside = outsideIndex(writer, nameOf);
  let following: Promise<void> | undefined;
  let isAskedAgain = false;

  function follow(): Promise<void> {
    // The running update may have started before this change.
    if (following !== undefined) isAskedAgain = true;
    following ??= followOutside(db, feed, outside)
      .then(() => undefined, onError)
      .finally(() => {
        following = undefined;
        if (!isAskedAgain) return;
        isAskedAgain = false;
        return follow();
      });
    return following;
  }

  return {
    feed,
    catchUp: follow,
    async rebuildIfAsked() {
      await follow();
      return {};
    },
    // The daily rebuild brings them.
    refreshPlays: async () => {},
    state: async () => ({ engine: 'algolia', documents: undefined, isBuilding: await isAskedFor(db, feed) }),
    async find({ term, ranges, hidden, onlyFree, wanted }): Promise<IndexResponse> {
      const requests = searchGroups.map((group): SearchForHits => {
        const { from, length } = ranges[group] ?? { from: 0, length: 0 };
        const isBeyond = from >= deepestHit;
        return {
          indexName: nameOf(group),
          query: term,
          offset: isBeyond ? 0 : from,
          // The first hit of a group tells whether its matches are loose, also when none is shown.
          length: isBeyond ? 1 : Math.max(1, Math.min(length, deepestHit - from)),
          filters: [...filtersOf(group, hidden, onlyFree), ...(group === 'audios' ? filtersOfAudios(wanted) : [])].join(
            ' AND ',
          ),
          // Algolia must not record who searches for what.
          analytics: false,
          getRankingInfo: true,
          clickAnalytics: false,
        };
      });
      // Spec §8: a failed search is reported.
      const { results } = await inTime(callLimits.algolia.wholeMs, () =>
        reader.search<{ hit: unknown }>({ requests }),
      ).catch((error: unknown) => {
        onError(error);
        throw new DomainError('server/unavailable', undefined, { cause: error });
      });
      const answer = searchGroups.map((group, index) => {
        const { nbHits = 0, hits, queryAfterRemoval } = results[index] as SearchResponse<{ hit: unknown }>;
        const isLoose = queryAfterRemoval !== undefined || hits.some((hit) => (hit._rankingInfo?.nbTypos ?? 0) > 0);
        const { from, length } = ranges[group] ?? { from: 0, length: 0 };
        const shown = from >= deepestHit ? [] : hits.slice(0, length);
        return [group, { total: nbHits, hits: shown.map(({ hit }) => hit), isLoose }];
      });
      const found = Object.fromEntries(answer) as IndexResponse;
      // Each index is asked by itself: some may answer loosely, and others exactly.
      const isAnyExact = Object.values(found).some(({ total, isLoose }) => total > 0 && !isLoose);
      for (const one of Object.values(found)) if (isAnyExact && one.isLoose) Object.assign(one, { total: 0, hits: [] });
      return found;
    },
  };
}

/** Each host has the same limit: that of the client's own requester grows to half a minute for a search. */
function requesterWithin(limitMs: () => number): NonNullable<ClientOptions['requester']> {
  return {
    async send({ url, method, headers, data }) {
      try {
        const body = data === undefined ? {} : { body: data as BodyInit };
        const answer = await timedFetch(url, { method, headers, ...body, limitMs: limitMs() });
        return {
          status: answer.status,
          content: await answer.text(),
          headers: Object.fromEntries(answer.headers),
          isTimedOut: false,
        };
      } catch (error) {
        const { code, message } = error as Error & { code?: unknown };
        return { status: 0, content: message, isTimedOut: code === 'ETIMEDOUT' };
      }
    },
  };
}

function filtersOf(group: SearchGroup, hidden: Hidden, onlyFree: boolean): string[] {
  const { userIds, voiceIds, tagIds } = hidden;
  const { audioIds, languages = [] } = group === 'audios' ? hidden : { audioIds: [] };
  return [
    `foundFrom <= ${Date.now()}`,
    ...[...userIds, ...voiceIds].map((id) => `NOT ownerId:"${id}"`),
    ...audioIds.map((id) => `NOT objectID:"${id}"`),
    ...tagIds.map((id) => `NOT tagIds:"${id}"`),
    ...(languages.length > 0 ? [`(${languages.map((code) => `language:"${code}"`).join(' OR ')})`] : []),
    ...(onlyFree ? ['isFree:true'] : []),
  ];
}

function filtersOfAudios({ all, noTagIds }: WantedAudios = { all: [], noTagIds: [], noWords: [] }): string[] {
  const anyOf = (list: Property[]) => `(${list.map(({ field, value }) => `${field}:"${value}"`).join(' OR ')})`;
  return [...all.map(anyOf), ...noTagIds.map((id) => `NOT tagIds:"${id}"`)];
}

function toRecord({ group: _group, key, publishedAt, ...document }: SearchDocument): AlgoliaRecord {
  return { ...document, objectID: key, foundFrom: publishedAt ?? 0 };
}

function outsideIndex(client: Algoliasearch, nameOf: (group: SearchGroup) => string): OutsideIndex {
  const add = (indexName: string, documents: SearchDocument[]) =>
    client.batch({
      indexName,
      batchWriteParams: { requests: documents.map((one) => ({ action: 'addObject', body: toRecord(one) })) },
    });
  return {
    async replaceAll(group, documents) {
      const name = nameOf(group);
      const made = `${name}_new`;
      // Left over from an interrupted attempt.
      await client.deleteIndex({ indexName: made });
      let { taskID } = await client.setSettings({ indexName: made, indexSettings: settings });
      for await (const part of documents) ({ taskID } = await add(made, part));
      // Tasks of an index run in order.
      await client.waitForTask({ indexName: made, taskID });
      const moved = await client.operationIndex({
        indexName: made,
        operationIndexParams: { operation: 'move', destination: name },
      });
      await client.waitForTask({ indexName: made, taskID: moved.taskID });
    },
    async save(group, documents) {
      await add(nameOf(group), documents);
    },
    async remove(group, keys) {
      await client.batch({
        indexName: nameOf(group),
        batchWriteParams: { requests: keys.map((objectID) => ({ action: 'deleteObject', body: { objectID } })) },
      });
    },
  };
}
