import { existsSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { openForCommand } from '#db/command-database.ts';
import { recordRetriedMail } from '#domain/admin/site/system.ts';
import { operator } from '#domain/kernel/actor.ts';
import type { MailGateway } from '#gateways/mail.ts';
import { openMail } from '#gateways/mail.ts';
import { createLog } from '#start/log.ts';
import { senderOf } from '../settings/mail.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, countOf, orCommandError, UsageError } from './command.ts';

export const mailsCommand: Command = {
  help: `mails [show <mail> | send [<mail>] | drop <mail>]

Lists the mails that were not sent. Those that the mail server did not accept are retried after a minute, ten minutes
and an hour; without MAIL_URL every mail waits here. They are deleted after 30 days. They may contain links that reset a
password: let nobody else read them.

  show  prints the text of one, named as listed
  send  tries to send them again, or one
  drop  deletes one`,
  async run(args, context) {
    const [act, name] = args;
    if (args.length === 2 && (act === 'send' || act === 'drop') && name !== undefined) return actOn(name, act, context);
    const isShown = args.length === 2 && act === 'show';
    if (!isShown && (args.length > 1 || (args.length === 1 && act !== 'send')))
      throw new UsageError(`"${args.at(-1)}" is not known here`);
    const config = context.readConfig();
    const { url } = config.mail;
    if (args[0] === 'send' && url === undefined)
      throw new CommandError('MAIL_URL is not set, so that nothing can be sent');
    if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres'))) {
      context.note(`There is no site in ${config.dataDir} yet: no mail was kept.`);
      return 0;
    }
    const { database, close } = await openForCommand(config, { create: false, schema: 'current', note: context.note });
    try {
      const mail = await openMail({
        url,
        from: () => senderOf(config.mail, config.siteName),
        formerOutbox: join(config.dataDir, 'outbox'),
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
        if (isShown) return await show(mail, args[1] ?? '', context);
        const kept = await mail.list();
        for (const { name, keptAt, to, reason } of kept)
          context.print(`${keptAt.toISOString()}  ${to}  ${name}${reason === undefined ? '' : `  ${reason}`}`);
        context.note(`${countOf(kept.length, 'mail')} not sent.`);
        return 0;
      } finally {
        await mail.close();
      }
    } finally {
      await close();
    }
  },
};

async function show(mail: Pick<MailGateway, 'read'>, name: string, context: CommandContext): Promise<number> {
  const message = await mail.read(name);
  if (message === undefined) throw new CommandError(`There is no mail ${name}`);
  const { to, subject, text } = await PostalMime.parse(message);
  context.print(`To: ${to?.map(({ address }) => address).join(', ')}\nSubject: ${subject}\n\n${text?.trim()}`);
  return 0;
}

async function actOn(name: string, act: 'send' | 'drop', context: CommandContext): Promise<number> {
  const { withSite } = await import('./open/with-site.ts');
  return withSite(context, ({ site }) =>
    orCommandError(async () => {
      await (act === 'send' ? site.admin.site.retryMail(operator, name) : site.admin.site.dropMail(operator, name));
      context.print(act === 'send' ? `${name} is sent.` : `${name} is deleted.`);
      return 0;
    }),
  );
}
