import { askForRebuild } from '#domain/search/outside-feed.ts';
import type { Command } from './command.ts';
import { parseCommandLine } from './command.ts';
import { withDatabase } from './with-database.ts';

export const reindexCommand: Command = {
  help: `reindex

Has the site make its indices at Algolia anew, within seconds where it runs, else at its next start; for after a restore. It
does so once a day by itself. The built-in index is in the memory of the site and needs no command: it is made at each start.`,
  async run(args, context) {
    parseCommandLine(args, {}, []);
    const indices = await withDatabase(context, askForRebuild);
    context.say(
      indices === 0 ? 'No index at Algolia is known: the built-in one is in use.' : 'The index will be made anew.',
    );
    return 0;
  },
};
