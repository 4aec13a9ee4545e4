import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openForCommand } from '#db/command-database.ts';
import { recordRetriedMail } from '#domain/admin/site/system.ts';
import { operator } from '#domain/kernel/actor.ts';
import { openMail } from '#gateways/mail.ts';
import { createLog } from '#start/log.ts';
import { senderOf } from '../settings/mail.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, countOf, orCommandError, UsageError } from './command.ts';

export const mailsCommand: Command = {
  help: `mails [send [<mail>] | drop <mail>]

Lists the mails that were not sent. Those that the mail server did not accept wait in the database, and are retried
after a minute, ten minutes and an hour. Without MAIL_URL all mails are in the outbox folder of DATA_DIR, as files
that any mail program opens. Both are deleted after 30 days. They may contain links that reset a password: let nobody
else read them.

  send  tries to send them again, or one, named as listed
  drop  deletes one`,
  async run(args, context) {
    const [act, name] = args;
    if (args.length === 2 && (act === 'send' || act === 'drop') && name !== undefined) return actOn(name, act, context);
    if (args.length > 1 || (args.length === 1 && act !== 'send'))
      throw new UsageError(`"${args.at(-1)}" is not known here`);
    const config = context.readConfig();
    const { url } = config.mail;
    if (args[0] === 'send' && url === undefined)
      throw new CommandError('MAIL_URL is not set, so that nothing can be sent');
    const outboxDir = join(config.dataDir, 'outbox');
    if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres'))) {
      context.note(`There is no site in ${config.dataDir} yet: no mail was kept.`);
      return 0;
    }
    const { database, close } = await openForCommand(config, { create: false, schema: 'current', note: context.note });
    try {
      const mail = await openMail({
        url,
        from: () => senderOf(config.mail, config.siteName),
        outboxDir,
        db: database.db,
        log: createLog('silent'),
      });
      try {
        if (args[0] === 'send') {
          const { sent, failed } = await mail.sendKept((name, outcome) =>
            recordRetriedMail(database.db, operator, name, outcome),
          );
          context.print(`${countOf(sent, 'mail')} sent, ${failed} not.`);
          return failed === 0 ? 0 : 1;
        }
        const kept = await mail.list();
        for (const { name, keptAt, to, reason } of kept)
          context.print(`${keptAt.toISOString()}  ${to}  ${name}${reason === undefined ? '' : `  ${reason}`}`);
        context.note(`${countOf(kept.length, 'mail')} in ${url === undefined ? outboxDir : 'the database'}.`);
        return 0;
      } finally {
        await mail.close();
      }
    } finally {
      await close();
    }
  },
};

async function actOn(name: string, act: 'send' | 'drop', context: CommandContext): Promise<number> {
  const { withSite } = await import('./with-site.ts');
  return withSite(context, ({ site }) =>
    orCommandError(async () => {
      await (act === 'send' ? site.admin.retryMail(operator, name) : site.admin.dropMail(operator, name));
      context.print(act === 'send' ? `${name} is sent.` : `${name} is deleted.`);
      return 0;
    }),
  );
}
