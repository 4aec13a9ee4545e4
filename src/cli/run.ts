import type { Config } from '#config';
import { ConfigError } from '#config';
import { BackupError } from '#db/backup-manifest.ts';
import { StartError } from '#db/embedded/start-error.ts';
import { readSiteAddress } from '#start/site-address.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, UsageError } from './command.ts';

/** Loads each command's file when it is called, so that a broken file affects only its own command. */
const commands: Record<string, { summary: string; load: () => Promise<Command> }> = {
  import: {
    summary: 'make audios from a folder of sound files, by their tags',
    load: async () => (await import('./import.ts')).importCommand,
  },
  audios: {
    summary: 'list the audios, drafts too, and act on them',
    load: async () => (await import('./audios.ts')).audiosCommand,
  },
  bulk: {
    summary: 'the same act on many audios: start, watch, stop, undo',
    load: async () => (await import('./nouns/bulk.ts')).bulkCommand,
  },
  changes: {
    summary: 'publish or discard the drafts of published audios',
    load: async () => (await import('./nouns/changes.ts')).changesCommand,
  },
  uploads: {
    summary: 'list, change, retry and remove files that creators bring in',
    load: async () => (await import('./nouns/uploads.ts')).uploadsCommand,
  },
  voices: {
    summary: 'list, make, change, hide and merge creators, their people and comments',
    load: async () => (await import('./nouns/voices.ts')).voicesCommand,
  },
  series: {
    summary: 'list, make, change and hide series, and their audios',
    load: async () => (await import('./nouns/series.ts')).seriesCommand,
  },
  categories: {
    summary: 'list, make, change, hide, order and delete categories',
    load: async () => (await import('./nouns/categories.ts')).categoriesCommand,
  },
  tags: {
    summary: 'list, rename, merge and delete tags',
    load: async () => (await import('./nouns/tags.ts')).tagsCommand,
  },
  playlists: {
    summary: 'list, make, change, publish, order and delete playlists of the house',
    load: async () => (await import('./nouns/playlists.ts')).playlistsCommand,
  },
  edit: {
    summary: 'change the title, sound, cover, tags, transcript … of an audio',
    load: async () => (await import('./edit.ts')).editCommand,
  },
  delete: {
    summary: 'delete an audio; it can be undone for 30 days',
    load: async () => (await import('./audios.ts')).deleteCommand,
  },
  undelete: {
    summary: 'restore a deleted audio',
    load: async () => (await import('./audios.ts')).undeleteCommand,
  },
  voice: {
    summary: 'set the picture and the linked series of a voice',
    load: async () => (await import('./pictures.ts')).voiceCommand,
  },
  category: {
    summary: 'set the picture of a category',
    load: async () => (await import('./pictures.ts')).categoryCommand,
  },
  publish: {
    summary: 'publish audios, now or at a time',
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
    summary: 'choose who may comment on an audio',
    load: async () => (await import('./audios.ts')).commentsCommand,
  },
  article: {
    summary: 'list, publish, remove and restore articles of the blog',
    load: async () => (await import('./articles.ts')).articleCommand,
  },
  look: {
    summary: 'show and change the look of the site, export or import it as one file',
    load: async () => (await import('./nouns/look.ts')).lookCommand,
  },
  topics: {
    summary: 'list, add, rename, order and remove topics of the blog',
    load: async () => (await import('./nouns/topics.ts')).topicsCommand,
  },
  text: {
    summary: 'show and change the texts of info pages and mails',
    load: async () => (await import('./texts.ts')).textCommand,
  },
  reports: {
    summary: 'list reported comments, keep or remove one',
    load: async () => (await import('./community.ts')).reportsCommand,
  },
  owner: {
    summary: 'list, add and remove owners of a voice',
    load: async () => (await import('./community.ts')).ownerCommand,
  },
  preview: {
    summary: 'set the audio that anyone may hear',
    load: async () => (await import('./audios.ts')).previewCommand,
  },
  users: {
    summary: 'find accounts, log them out, mail them, delete or keep one',
    load: async () => (await import('./nouns/users.ts')).usersCommand,
  },
  admin: {
    summary: 'make an account an operator',
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
    summary: 'give an account months without charge, or take them back',
    load: async () => (await import('./gift.ts')).giftCommand,
  },
  subscription: {
    summary: 'show, sync, cancel, resume or refund the subscription of an account',
    load: async () => (await import('./subscription.ts')).subscriptionCommand,
  },
  payouts: {
    summary: 'seconds heard per creator and month, the pool, and locking a month',
    load: async () => (await import('./payouts.ts')).payoutsCommand,
  },
  promo: {
    summary: 'list, create, change and disable promo codes',
    load: async () => (await import('./promo.ts')).promoCommand,
  },
  'gift-card': {
    summary: 'list gift cards, refund one, mail a new code',
    load: async () => (await import('./gift-card.ts')).giftCardCommand,
  },
  payments: {
    summary: 'process payment events again, or compare all subscriptions',
    load: async () => (await import('./payments.ts')).paymentsCommand,
  },
  settings: {
    summary: 'list, get, set and reset what changes while the site runs',
    load: async () => (await import('./nouns/settings.ts')).settingsCommand,
  },
  system: {
    summary: 'test connections, list starts, rebuild the search index',
    load: async () => (await import('./nouns/system.ts')).systemCommand,
  },
  acts: {
    summary: 'which command does what a page of Admin or Studio does',
    load: async () => (await import('./acts.ts')).actsCommand,
  },
  mails: {
    summary: 'list the mails that were not sent, send or drop them',
    load: async () => (await import('./mails.ts')).mailsCommand,
  },
  jobs: {
    summary: 'list the background jobs of the site, retry or cancel one',
    load: async () => (await import('./jobs.ts')).jobsCommand,
  },
  reindex: {
    summary: 'rebuild the search index at Algolia',
    load: async () => (await import('./search.ts')).reindexCommand,
  },
  demo: {
    summary: 'remove the demo, and keep everything else',
    load: async () => (await import('./demo.ts')).demoCommand,
  },
  doctor: {
    summary: 'check settings, database and files',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  migrate: {
    summary: 'bring the schema of the database up to date',
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  changed: {
    summary: 'confirm that SECRET or the storage was changed on purpose',
    load: async () => (await import('./changed.ts')).changedCommand,
  },
  storage: {
    summary: 'copy every file from disk to object storage, or back',
    load: async () => (await import('./storage.ts')).storageCommand,
  },
  backup: {
    summary: 'copy the database and every file into a folder',
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  restore: {
    summary: 'restore a backup into an empty place',
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
    'For scripts: npm run --silent sotto -- <command> prints only the result.',
    'Exit codes: 0 done, 1 failed, 2 wrong usage.',
  ].join('\n');
}

/** Runs one command and prints errors in one line. @returns the exit code */
export async function runCommandLine(args: string[], context: CommandContext): Promise<number> {
  try {
    return await run(args, { ...context, readConfig: () => readConfigOfSite(context) });
  } catch (error) {
    // A capitalized sentence, except when it starts with the name of a file, option or verb.
    context.note(describe(error).replace(/^[a-z]+(?= )/, (word) => word.charAt(0).toUpperCase() + word.slice(1)));
    return error instanceof UsageError ? 2 : 1;
  }
}

/** Adds the address of the site that uses DATA_DIR, unless the command's own settings set one. */
function readConfigOfSite({ readConfig, environment }: CommandContext): Config {
  const config = readConfig();
  const isNamed = ['SITE_URL', 'HOST', 'PORT'].some((name) => (environment[name] ?? '').trim() !== '');
  return isNamed ? config : { ...config, ...readSiteAddress(config.dataDir) };
}

async function run(args: string[], context: CommandContext): Promise<number> {
  const [name = 'help', ...rest] = args;
  const asksForHelp = name === 'help' || name === '--help' || name === '-h';
  const wanted = asksForHelp ? rest[0] : name;
  if (wanted === undefined) {
    context.print(overview());
    return 0;
  }
  const entry = Object.hasOwn(commands, wanted) ? commands[wanted] : undefined;
  if (entry === undefined) throw new UsageError(`There is no command "${wanted}"; see ${program} help`);
  const command = await entry.load();
  if (asksForHelp || rest.includes('--help') || rest.includes('-h')) {
    context.print(`Usage: ${program} ${command.help.trim()}`);
    return 0;
  }
  try {
    return await command.run(rest, context);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${error.message}; see ${program} help ${wanted}`);
    throw error;
  }
}

/** One line for the operator for any error; unwraps errors of libraries. */
function describe(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describe(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const expected = [UsageError, CommandError, ConfigError, StartError, BackupError].some(
    (kind) => error instanceof kind,
  );
  if (!expected && error.cause instanceof Error) return describe(error.cause);
  return (error.message || (error as NodeJS.ErrnoException).code || error.name).split('\n')[0] ?? error.name;
}
