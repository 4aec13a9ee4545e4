import { builtInFeed } from '#domain/search/index-feed.ts';
import { askForRebuild } from '#domain/search/feeds.ts';
import { algoliaFeed } from '#gateways/algolia/algolia-index.ts';
import { type Command, parseCommandLine } from './command.ts';
import { withDatabase } from './open/with-database.ts';

export const reindexCommand: Command = {
  help: `reindex

Rebuilds the search index, at Algolia too: within a minute if the site runs, else after its next start. The old index
answers until then. The index at Algolia is rebuilt once a day anyway.`,
  async run(args, context) {
    parseCommandLine(args, {}, []);
    const { algolia } = context.readConfig();
    await withDatabase(context, (db) => askForRebuild(db, algolia === undefined ? builtInFeed : algoliaFeed(algolia)));
    context.print('The index will be rebuilt.');
    return 0;
  },
};
