import { askForRebuild, claimRebuild } from '#domain/search/rebuilds.ts';
import { type Command, parseCommandLine } from './command.ts';
import { withDatabase } from './open/with-database.ts';

export const reindexCommand: Command = {
  help: `reindex

Rebuilds the indices at Algolia, for example after a restore: within seconds if the site runs, else at its next start.
The site does so once a day. The built-in index lives in memory, is built at each start and needs no command.`,
  async run(args, context) {
    parseCommandLine(args, {}, []);
    const indices = await withDatabase(context, (db) =>
      db.transaction(async (tx) => {
        const indices = await askForRebuild(tx);
        if (indices > 0) await claimRebuild(tx);
        return indices;
      }),
    );
    context.print(
      indices === 0 ? 'No index at Algolia is known: the built-in one is in use.' : 'The index will be rebuilt.',
    );
    return 0;
  },
};
