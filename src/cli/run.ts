import { ConfigError } from '#config';
import { BackupError } from '#db/backup.ts';
import { StartError } from '#db/embedded-start-error.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, UsageError } from './command.ts';

/** Each command with its file, loaded when it is called: a part that is broken breaks only what needs it. */
const commands: Record<string, { summary: string; load: () => Promise<Command> }> = {
  import: {
    summary: 'make audios of a folder of sound files, by their tags',
    load: async () => (await import('./import.ts')).importCommand,
  },
  audios: { summary: 'list the audios, drafts too', load: async () => (await import('./audios.ts')).listCommand },
  publish: {
    summary: 'bring an audio out, now or at a time',
    load: async () => (await import('./audios.ts')).publishCommand,
  },
  unpublish: {
    summary: 'make an audio a draft again',
    load: async () => (await import('./audios.ts')).unpublishCommand,
  },
  free: { summary: 'let anyone hear an audio', load: async () => (await import('./audios.ts')).freeCommand },
  'not-free': {
    summary: 'keep an audio for subscribers',
    load: async () => (await import('./audios.ts')).notFreeCommand,
  },
  comments: {
    summary: 'turn the comments of an audio on or off',
    load: async () => (await import('./audios.ts')).commentsCommand,
  },
  reports: {
    summary: 'list the comments that were reported, keep or remove one',
    load: async () => (await import('./community.ts')).reportsCommand,
  },
  owner: {
    summary: 'say whose voice it is: they decide about its comments',
    load: async () => (await import('./community.ts')).ownerCommand,
  },
  preview: {
    summary: 'name the audio that anyone may hear',
    load: async () => (await import('./audios.ts')).previewCommand,
  },
  admin: {
    summary: 'make an operator, with an account or of one',
    load: async () => (await import('./accounts.ts')).adminCommand,
  },
  'reset-password': {
    summary: 'set a new password and print it',
    load: async () => (await import('./accounts.ts')).resetPasswordCommand,
  },
  suspend: {
    summary: 'log an account out and keep it out, until it is lifted',
    load: async () => (await import('./accounts.ts')).suspendCommand,
  },
  gift: {
    summary: 'give an account months without charge',
    load: async () => (await import('./accounts.ts')).giftCommand,
  },
  subscription: {
    summary: 'show, sync or cancel the subscription of an account',
    load: async () => (await import('./subscription.ts')).subscriptionCommand,
  },
  promo: {
    summary: 'list, make and disable promo codes',
    load: async () => (await import('./promo.ts')).promoCommand,
  },
  'gift-card': {
    summary: 'list gift cards, give one back, mail its code anew',
    load: async () => (await import('./gift-card.ts')).giftCardCommand,
  },
  payments: {
    summary: 'settle events of the payment provider again, or ask it about everybody',
    load: async () => (await import('./payments.ts')).paymentsCommand,
  },
  mails: {
    summary: 'list the mails that were not sent, or send them',
    load: async () => (await import('./mails.ts')).mailsCommand,
  },
  reindex: {
    summary: 'make the search index of Algolia anew',
    load: async () => (await import('./search.ts')).reindexCommand,
  },
  doctor: {
    summary: 'check settings, database and files, and say what is wrong',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  backup: {
    summary: 'copy the database and every file into a folder',
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  restore: {
    summary: 'bring a backup back into an empty place',
    load: async () => (await import('./backup.ts')).restoreCommand,
  },
};

const program = 'npm run sotto --';

function overview(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  return [
    `Usage: ${program} <command> [options]`,
    '',
    ...Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    `More about one: ${program} help <command>`,
    'Settings come from the environment and .env, as for the site. Commands work while the site runs and while it is stopped.',
    'For scripts: npm run --silent sotto -- <command> prints nothing but the answer.',
    'Exit codes: 0 done, 1 it could not be done, 2 wrong use.',
  ].join('\n');
}

/** Runs one command, and says what goes wrong in one line. @returns the exit code */
export async function runCommandLine(args: string[], context: CommandContext): Promise<number> {
  try {
    return await run(args, context);
  } catch (error) {
    const line = describe(error);
    context.note(line.charAt(0).toUpperCase() + line.slice(1));
    return error instanceof UsageError ? 2 : 1;
  }
}

async function run(args: string[], context: CommandContext): Promise<number> {
  const [name = 'help', ...rest] = args;
  const asksForHelp = name === 'help' || name === '--help' || name === '-h';
  const wanted = asksForHelp ? rest[0] : name;
  if (wanted === undefined) {
    context.say(overview());
    return 0;
  }
  const entry = Object.hasOwn(commands, wanted) ? commands[wanted] : undefined;
  if (entry === undefined) throw new UsageError(`There is no command "${wanted}"; see ${program} help`);
  const command = await entry.load();
  if (asksForHelp || rest.includes('--help') || rest.includes('-h')) {
    context.say(`Usage: ${program} ${command.help.trim()}`);
    return 0;
  }
  try {
    return await command.run(rest, context);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${error.message}; see ${program} help ${wanted}`);
    throw error;
  }
}

/** One line for the operator, whatever went wrong; what a library wraps is unwrapped. */
function describe(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describe(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const expected = [UsageError, CommandError, ConfigError, StartError, BackupError].some(
    (kind) => error instanceof kind,
  );
  if (!expected && error.cause instanceof Error) return describe(error.cause);
  return (error.message || (error as NodeJS.ErrnoException).code || error.name).split('\n')[0] ?? error.name;
}
