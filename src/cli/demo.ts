import { fileURLToPath } from 'node:url';
import { openForCommand } from '#db/command-database.ts';
import { type DemoRemoval, removeDemo } from '#demo/removal.ts';
import { deleteObjects } from 'stripe-sandbox/delete-objects';
import { type Command, CommandError, countOf, parseCommandLine, UsageError } from './command.ts';

const demoDir = fileURLToPath(new URL('../../demo', import.meta.url));

export const demoCommand: Command = {
  help: `demo remove [--yes]

Removes the demo: its audios, voices, series, playlists, categories and articles, its people with their comments and
playlists, the demo accounts, and its files. Everything of yours and of real users stays; lists with demo audios lose
these. The demo is not loaded again.

  --yes   do it; without it, only lists what would be removed and what would stay`,
  async run(args, context) {
    const [word, ...rest] = args;
    if (word !== 'remove')
      throw new UsageError(word === undefined ? 'remove is missing' : `"${word}" is not known here`);
    const { values } = parseCommandLine(rest, { yes: { type: 'boolean', default: false } }, []);
    const config = context.readConfig();
    const opened = await openForCommand(config, { create: false, schema: 'current', note: context.note });
    try {
      const removal = await removeDemo({
        db: opened.database.db,
        demoDir,
        isDryRun: !values.yes,
        deletePayments: deleteObjects,
      });
      if (removal === undefined) throw new CommandError('The demo was never loaded into this site');
      for (const line of describe(removal)) context.print(line);
      context.print(values.yes ? 'The demo is removed.' : 'Nothing was changed; add --yes to remove it.');
      return 0;
    } finally {
      await opened.close();
    }
  },
};

function describe({ removed, otherComments, kept }: DemoRemoval): string[] {
  const counts = [
    countOf(removed.audios, 'audio'),
    countOf(removed.voices, 'voice'),
    countOf(removed.series, 'series', 'series'),
    countOf(removed.playlists, 'playlist'),
    countOf(removed.categories, 'category', 'categories'),
    countOf(removed.articles, 'article'),
    countOf(removed.accounts, 'demo account'),
    countOf(removed.users, 'invented listener'),
  ];
  return [
    `Goes:  ${counts.join(', ')}`,
    ...(otherComments > 0 ? [`Goes:  ${countOf(otherComments, 'comment')} of real users under demo audios`] : []),
    ...kept.map((line) => `Stays: ${line}`),
  ];
}
