import type { Logger } from 'pino';
import type { Config } from '#config';
import type { Db } from '#domain/kernel/db.ts';
import { openBuiltInIndex } from '#domain/search/built-in-index.ts';
import type { SearchIndex } from '#domain/search/search-index.ts';
import type { Metrics } from '#http/metrics.ts';
import { oncePer } from './log.ts';

/** Above this number of entries, the index takes more than 200 MB of each process, and ten seconds or more at each start. */
const maxBuiltInEntries = 250_000;

/** Opens the configured search index; loads Algolia's code only when used. */
export async function openSearchIndex(options: {
  config: Config;
  db: Db;
  log: Logger;
  metrics: Metrics;
  maxEntries?: number;
}): Promise<SearchIndex> {
  const { config, db, log, metrics, maxEntries = maxBuiltInEntries } = options;
  if (config.algolia !== undefined) {
    const onError = oncePer(30_000, (error: unknown) => log.warn({ err: error }, 'Algolia could not be reached'));
    const { openAlgoliaIndex } = await import('#gateways/algolia/algolia-index.ts');
    return openAlgoliaIndex({ ...config.algolia, db, onError });
  }
  const onError = oncePer(30_000, (error: unknown) =>
    log.warn({ err: error }, 'The search index could not be built; it is tried again'),
  );
  const index = openBuiltInIndex(db, {
    onBuilt({ documents, seconds }) {
      if (documents > maxEntries)
        log.warn({ documents, seconds }, 'Search is large for the memory of each process; Algolia is recommended');
    },
    onError,
  });
  metrics.gauge('sotto_search_documents', 'What can be found', () => index.figures().documents);
  metrics.gauge('sotto_search_words', 'Words of the search index', () => index.figures().words);
  metrics.gauge('sotto_search_ready', '1 once everything can be found', () => Number(index.figures().isReady));
  return index;
}
