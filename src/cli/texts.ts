import { readFile } from 'node:fs/promises';
import {
  changeInfoText,
  changeMailText,
  changeRetention,
  findInfoText,
  findMailText,
  findRetention,
  listInfoPages,
  listMails,
} from '#domain/admin/texts/site-texts.ts';
import { infoPageNames, loadInfoPages, retention } from '#domain/editorial/info-pages.ts';
import { operator } from '#domain/kernel/actor.ts';
import type { Db } from '#domain/kernel/db.ts';
import type { MailText } from '#domain/kernel/mail-text.ts';
import { MailTextForm } from '#domain/settings/mail-texts.ts';
import { openSettings } from '#domain/settings/open-settings.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, countOf, orCommandError, parseCommandLine, resolveFolder, UsageError } from './command.ts';
import { withDatabase } from './open/with-database.ts';

export const textCommand: Command = {
  help: `text list | show <name> | set <name> <file> | default <name> | retention [--logs <days>] [--backups <days>]

The texts of the site: its pages about, terms and privacy (Markdown), and the words of its mails. A running site uses
a change within a moment. Both may contain placeholders such as {site}; unknown ones, and missing required ones, are
refused. Print a text, change it and set it again:

  npm run sotto -- text show reset-password > reset-password.txt

A mail's file begins with its subject; a line of --- starts the small print:

  Subject: Set a new password

  Someone asked for a new password.

  [Set a new password]({link})

  ---
  If it was not you, you can ignore this mail.

  default    restores the site's own text
  retention  prints or sets how long logs and backups are kept, for the privacy policy; none: not stated`,
  async run([act, ...rest], context) {
    if (act === 'list') return list(rest, context);
    if (act === 'retention') return changeOrPrintRetention(rest, context);
    if (act !== 'show' && act !== 'set' && act !== 'default')
      throw new UsageError(
        act === undefined ? 'Name an act: list, show, set, default, retention' : `"${act}" is not known here`,
      );
    const names = act === 'set' ? (['<name>', '<file>'] as const) : (['<name>'] as const);
    const [name, path] = parseCommandLine(rest, {}, names).positionals as [string, string | undefined];
    const file = path === undefined ? undefined : await readText(resolveFolder(context, path));
    return withDatabase(context, async (db) => {
      const text = await findText(db, name);
      if (text === undefined) throw new CommandError(`There is no text ${JSON.stringify(name)}; see text list`);
      if (act === 'show') context.print(text.written);
      else await orCommandError(() => text.change(file ?? null));
      if (act !== 'show') context.print(act === 'set' ? `${name} has your text.` : `${name} has the text of the site.`);
      return 0;
    });
  },
};

async function list(args: string[], context: CommandContext): Promise<number> {
  parseCommandLine(args, {}, []);
  return withDatabase(context, async (db) => {
    const settings = await openSettings({ db });
    const texts = [
      ...listInfoPages(settings, operator),
      ...listMails(settings, operator).flatMap(({ mails }) => mails),
    ];
    for (const { key, name, isChanged } of texts)
      context.print(`${key.padEnd(20)}  ${isChanged ? 'yours' : 'the site’s'.padEnd(5)}  ${name}`);
    context.note(`${countOf(texts.length, 'text')}.`);
    return 0;
  });
}

async function changeOrPrintRetention(args: string[], context: CommandContext): Promise<number> {
  const { values } = parseCommandLine(args, { logs: { type: 'string' }, backups: { type: 'string' } }, []);
  const daysOf = (text: string) => (text === 'none' ? null : Number(text));
  return withDatabase(context, async (db) => {
    const { revision, ...before } = await findRetention(db, operator);
    const wanted = {
      logDays: values.logs === undefined ? before.logDays : daysOf(values.logs),
      backupDays: values.backups === undefined ? before.backupDays : daysOf(values.backups),
    };
    const form = retention.schema.safeParse(wanted);
    if (!form.success) throw new UsageError('--logs and --backups must be whole numbers of days, or none');
    const kept = form.data as typeof before;
    if (values.logs !== undefined || values.backups !== undefined)
      await orCommandError(() => changeRetention(db, operator, { ...kept, revision }));
    context.print(`Logs: ${daysText(kept.logDays)}. Backups: ${daysText(kept.backupDays)}.`);
    return 0;
  });
}

function daysText(days: number | null): string {
  return days === null ? 'not said' : countOf(days, 'day');
}

type FoundText = {
  /** The text in the format of its file. */
  written: string;
  /** @param file null: the site's own text */
  change(file: string | null): Promise<void>;
};

async function findText(db: Db, name: string): Promise<FoundText | undefined> {
  const page = infoPageNames.find((one) => one === name);
  if (page !== undefined) {
    const { defaults } = await loadInfoPages({ name: '' });
    const { text, revision } = await findInfoText(db, operator, page, defaults[page]);
    return {
      written: text.trimEnd(),
      change: (file) => changeInfoText(db, operator, page, { text: file && file.trim(), revision }),
    };
  }
  const mail = await findMailText(db, operator, name);
  if (mail === undefined) return undefined;
  const { text, revision } = mail;
  return {
    written: writeMail(text),
    change: async (file) =>
      changeMailText(db, operator, name, { text: file === null ? null : readMail(file), revision }),
  };
}

function writeMail({ subject, body, closing }: MailText): string {
  return `Subject: ${subject}\n\n${body}${closing === '' ? '' : `\n\n---\n${closing}`}`;
}

function readMail(file: string): MailText {
  const [, subject, rest] = /^Subject:[ \t]*(.*)\n([\s\S]*)$/.exec(file) ?? [];
  if (subject === undefined || rest === undefined)
    throw new CommandError('The file does not begin with a line such as "Subject: Set a new password"');
  const [body, ...closing] = rest.split(/^---$/m);
  const form = MailTextForm.safeParse({ subject, body, closing: closing.join('---') });
  if (!form.success) {
    const [issue] = form.error.issues;
    throw new CommandError(`${issue?.path.join('.')}: ${issue?.message}`);
  }
  return form.data;
}

async function readText(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new CommandError(`${path} cannot be read`);
  });
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}
