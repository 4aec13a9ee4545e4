import { desc } from 'drizzle-orm';
import type { TestName } from '#domain/admin/operations.ts';
import { testNames } from '#domain/admin/operations.ts';
import { siteStarts } from '#domain/admin/tables.ts';
import { operator } from '#domain/kernel/actor.ts';
import { searchFeeds } from '#domain/search/tables.ts';
import { CommandError, countOf, UsageError } from '../command.ts';
import { defineNoun } from '../noun.ts';
import type { SiteTools } from '../open/with-site.ts';

async function trySearch({ db }: SiteTools): Promise<string> {
  const [feed] = await db.select().from(searchFeeds).limit(1);
  if (feed === undefined) return 'The built-in index is in use. It is in the memory of each running process.';
  return `The index ${feed.name} was read last at ${feed.readAt.toISOString()}`;
}

export const systemCommand = defineNoun(
  'system',
  'Connections, starts and the search index. Also: jobs, mails, backup, doctor.',
  {
    test: {
      words: '<connection>',
      description: `tries ${testNames.join(', ')} or search, and prints the result`,
      check({ words: [name] }) {
        if (name !== 'search' && !testNames.some((one) => one === name))
          throw new UsageError(`"${name}" is not one of ${testNames.join(', ')} and search`);
      },
      async run(tools, { words: [name] }) {
        if (name === 'search') return trySearch(tools);
        const { isOk, message } = await tools.site.admin.site.tryOut(operator, name as TestName);
        if (!isOk) throw new CommandError(message);
        return `${message}.`;
      },
    },
    starts: {
      description: 'when processes of the site started and ended, newest first',
      async run({ db }, { context }) {
        const starts = await db
          .select()
          .from(siteStarts)
          .orderBy(desc(siteStarts.startedAt), desc(siteStarts.id))
          .limit(100);
        for (const { startedAt, stoppedAt, seenAt, version, host, pid, failure } of starts)
          context.print(
            `${startedAt.toISOString()}  ${version}  ${host} ${pid}  ${
              stoppedAt === null ? `seen last ${seenAt.toISOString()}` : `ended ${stoppedAt.toISOString()}`
            }${failure === null ? '' : `: ${failure}`}`,
          );
        context.note(`${countOf(starts.length, 'start')}.`);
        return undefined;
      },
    },
    'rebuild-search': {
      description: 'builds the built-in search index anew, in every running process',
      async run({ site }) {
        await site.admin.site.rebuildSearch(operator);
        return 'Running processes rebuild their index.';
      },
    },
  },
);
