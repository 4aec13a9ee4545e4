import { z } from '@hono/zod-openapi';
import { csvLine } from '#domain/kernel/csv.ts';
import { Limit } from '#domain/kernel/pages.ts';
import { Id, Slug } from '#domain/kernel/shapes.ts';
import { FeedCode, FeedImportRun, FeedSource, ItemChoice } from '#domain/studio/feed-imports/forms.ts';
import { FeedImport, ItemQuery, ListedFeedItem } from '#domain/studio/feed-imports/import-state.ts';
import { maxFeedFileLength } from '#domain/studio/feed-imports/rules.ts';
import { attachment } from '../attachment.ts';
import { callBy } from '../call.ts';
import { pageOf } from '../schemas.ts';

/** Feeds of other hosts that become audios, for those who manage the creator (decision 099). */

const studioCall = callBy('creator', { limit: { kind: 'studio feed imports', perMinute: 120 } });
/** May send a mail to the feed's owner. */
const readingCall = callBy('creator', { limit: { kind: 'studio feeds', perMinute: 10 } });

const refuses = {
  'import-under-way': 'import/under-way',
  'too-many-imports': 'import/too-many',
  'import-too-late': 'import/too-late',
  'wrong-feed-code': 'import/wrong-code',
  'unknown-category': 'upload/unknown-category',
} as const;

const FeedImportResponse = z.object(FeedImport.shape).openapi('FeedImport');
const FeedItemResponse = z.object(ListedFeedItem.shape).openapi('FeedItem');

export const startFeedImport = readingCall({
  post: '/studio/voices/{id}/feed-imports',
  command: 'feed-imports start',
  about: 'Reads a feed of another host, by its address or as a file, and makes a plan of what can come',
  details: 'Creators confirm with a code that is mailed to the feed’s owner; operators need none',
  input: FeedSource,
  status: 201,
  output: z.object({ id: Id }),
  refuses,
  // Most characters have one byte, some three; proxies let no more through.
  maxBytes: 3 * maxFeedFileLength,
  act: ({ site, viewer, id, input }) => site.studio.startFeedImport(viewer, id, input),
});

export const findFeedImport = studioCall({
  get: '/studio/voices/{id}/feed-import',
  command: 'feed-imports show',
  about: 'The import of a creator, with its counts',
  output: FeedImportResponse,
  act: ({ site, viewer, id }) => site.studio.findFeedImport(viewer, id),
});

export const listFeedItems = studioCall({
  get: '/studio/feed-imports/{id}/items',
  command: 'feed-imports items',
  about: 'Items of a feed in its order, with what becomes of them',
  query: ItemQuery.extend({ limit: Limit }),
  output: pageOf(FeedItemResponse),
  act: ({ site, viewer, id, query }) => site.studio.listFeedItems(viewer, id, query),
});

export const confirmFeedImport = studioCall({
  post: '/studio/feed-imports/{id}/confirm',
  command: 'feed-imports confirm',
  about: 'Proves by the code of the mail to the feed’s owner that the feed may be imported',
  input: FeedCode,
  refuses,
  act: ({ site, viewer, id, input }) => site.studio.confirmFeedImport(viewer, id, input.code),
});

export const runFeedImport = studioCall({
  post: '/studio/feed-imports/{id}/run',
  command: 'feed-imports run',
  about: 'Begins an import, or goes on with what was stopped, failed or left out; what is here is not doubled',
  input: FeedImportRun,
  refuses,
  maxBytes: 64 * 1024,
  act: ({ site, viewer, id, input }) => site.studio.runFeedImport(viewer, id, input),
});

export const chooseFeedItems = studioCall({
  post: '/studio/feed-imports/{id}/choose',
  command: 'feed-imports choose',
  about: 'Leaves out items that have not begun to come while an import runs, or takes them in again',
  input: ItemChoice,
  refuses,
  maxBytes: 64 * 1024,
  act: ({ site, viewer, id, input }) => site.studio.chooseFeedItems(viewer, id, input),
});

export const stopFeedImport = studioCall({
  post: '/studio/feed-imports/{id}/stop',
  command: 'feed-imports stop',
  about: 'Stops an import; what is here stays',
  refuses,
  act: ({ site, viewer, id }) => site.studio.stopFeedImport(viewer, id),
});

export const dropFeedImport = studioCall({
  delete: '/studio/feed-imports/{id}',
  command: 'feed-imports drop',
  about: 'Forgets the plan of an import; its audios stay',
  refuses,
  act: ({ site, viewer, id }) => site.studio.dropFeedImport(viewer, id),
});

export const listOldPages = studioCall({
  get: '/studio/voices/{id}/old-pages',
  command: 'feed-imports old-pages',
  about: 'Paths of imported episodes at their former host, which lead to the audios once its domain leads here',
  output: z.object({ items: z.array(z.object({ path: z.string(), slug: Slug })) }),
  act: ({ site, viewer, id }) => site.studio.listOldPages(viewer, id),
});

export const exportOldPages = studioCall({
  get: '/studio/voices/{id}/old-pages.csv',
  command: 'feed-imports export-old-pages',
  about: 'The same as CSV, for a domain that leads here by redirects of its own',
  file: 'text/csv',
  async act({ site, viewer, id }) {
    const pages = await site.studio.listOldPages(viewer, id);
    const lines = pages?.items.map(({ path, slug }) => csvLine([path, `${site.facts.url}/audio/${slug}`]));
    return (
      lines &&
      attachment([csvLine(['Old path', 'New address']), ...lines].join(''), 'text/csv; charset=utf-8', 'old-pages.csv')
    );
  },
});
