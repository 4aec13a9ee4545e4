import type { Logger } from 'pino';
import type { Config } from '#config';
import type { Database } from '#db/database.ts';
import { openDatabaseIndex } from '#domain/search/database-index.ts';
import type { SearchIndex } from '#domain/search/search-index.ts';
import { oncePer } from './log.ts';

/** Opens the configured search index; loads Algolia's code only when used. */
export async function openSearchIndex(options: {
  config: Config;
  database: Pick<Database, 'db' | 'primary'>;
  log: Logger;
}): Promise<SearchIndex> {
  const { config, database, log } = options;
  if (config.algolia === undefined)
    return openDatabaseIndex({
      db: database.primary,
      reads: config.databaseReadUrl === undefined ? database.primary : database.db,
    });
  const onError = oncePer(30_000, (error: unknown) => log.warn({ err: error }, 'Algolia could not be reached'));
  const { openAlgoliaIndex } = await import('#gateways/algolia/algolia-index.ts');
  return openAlgoliaIndex({ ...config.algolia, db: database.primary, onError });
}
