import { type Config, ConfigError } from '#config';
import { BackupError } from '#db/backup-manifest.ts';
import { StartError } from '#db/embedded/start-error.ts';
import { readSiteAddress } from '#start/site-address.ts';
import { type Command, type CommandContext, CommandError, UsageError } from './command.ts';

/** Nouns of the commands that are made from calls, in the groups of Admin. */
const nouns: Record<string, Record<string, string>> = {
  Content: {
    audios: 'list, publish, edit and delete audios; their drafts',
    'bulk-acts': 'the same act on many audios: start, watch, stop, undo',
    preview: 'the audio that every visitor may hear',
    uploads: 'files that creators bring in',
    'feed-imports': 'feeds of other hosts that become audios: plan, run, stop',
    voices: 'creators: their pages, people, owners and figures',
    credits: 'who had a part in an audio, and their answers',
    splits: 'shares of the earnings of an audio, and the answers to them',
    performers: 'who is heard in an audio, and their consents',
    reviews: 'audios that wait before they are published',
    'held-comments': 'comments that wait for the desk because of a watched word',
    comments: 'comments under the audios of a creator',
    series: 'series and the order of their audios',
    categories: 'categories and their order',
    facets: 'groups of tags: list, create, edit, order, delete; their tags; presets',
    tags: 'list, rename, merge and delete tags',
    playlists: 'playlists of the site and their audios',
  },
  Texts: {
    articles: 'articles of the blog, also from files',
    'blog-topics': 'topics of the blog',
    'info-pages': 'the texts of about, terms and privacy',
    'mail-texts': 'the words of the mails',
    'creator-agreements': 'versions of the agreement with creators',
    texts: 'texts of the site in its other languages, also as PO files',
    retention: 'how long logs and backups are kept, for the privacy policy',
  },
  People: {
    members: 'members from elsewhere: import a file, watch, stop, try again',
    users: 'accounts: find, log out, suspend, delete, give months and rights',
    appeals: 'appeals against decisions on notices',
    compliance: 'reports on notices for others',
    notices: 'reports by anybody, and what becomes of them',
    reports: 'reported comments, and what becomes of them',
    decisions: 'past decisions on reported comments',
  },
  Money: {
    subscriptions: 'show, sync, cancel and resume subscriptions',
    payments: 'refunds, events that failed, and the comparison with the provider',
    'promo-codes': 'list, create, replace and end promo codes',
    'gift-cards': 'list, create, resend and refund gift cards',
    tips: 'list and refund tips',
    'webhook-events': 'events of the payment provider',
    reconciliations: 'what the comparisons with the provider found',
    revenue: 'what comes in, by day and currency',
    payouts: 'time heard per creator and month, the pool, locking a month, payments and corrections',
    earnings: 'what a creator earns, statements, and the check of their proofs',
  },
  Site: {
    look: 'name, colors, pictures and Home; export or import it as one file',
    settings: 'prices, features, languages and limits',
    site: 'everything that another site can take in, as one ZIP: export and import',
    system: 'connections, starts and the search index',
    jobs: 'background jobs: list, retry, cancel',
    mails: 'mails that were not sent: list, show, send, drop',
  },
};

/** Loads each command's file when it is called, so that a broken file affects only its own command. */
const commands: Record<string, { summary: string; load: () => Promise<Command> }> = {
  admin: {
    summary: 'make an account an operator',
    load: async () => (await import('./accounts.ts')).adminCommand,
  },
  'reset-password': {
    summary: 'set a new password and print it',
    load: async () => (await import('./accounts.ts')).resetPasswordCommand,
  },
  import: {
    summary: 'make audios from a folder of sound files, by their tags',
    load: async () => (await import('./import.ts')).importCommand,
  },
  backup: {
    summary: 'copy the database and every file into a folder',
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  restore: {
    summary: 'restore a backup into an empty place, or rehearse that',
    load: async () => (await import('./backup.ts')).restoreCommand,
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
  reindex: {
    summary: 'rebuild the search index',
    load: async () => (await import('./search.ts')).reindexCommand,
  },
  demo: {
    summary: 'remove the demo, and keep everything else',
    load: async () => (await import('./demo.ts')).demoCommand,
  },
};

const program = 'npm run sotto --';

function overview(): string {
  const groups = {
    ...nouns,
    Machine: Object.fromEntries(Object.entries(commands).map(([name, { summary }]) => [name, summary])),
  };
  const lines = Object.entries(groups).flatMap(([group, names]) => [
    '',
    group,
    ...Object.entries(names).map(([name, summary]) => `  ${name.padEnd(18)}  ${summary}`),
  ]);
  return [
    `Usage: ${program} <noun> <act> [words] [--options]`,
    ...lines,
    '',
    `More about one: ${program} help <noun> [<act>]`,
    'What takes an id takes a slug, label, email, username or code, too. @<path> is the text of a file, and --json prints',
    'the answer of the API. Settings come from the environment and .env, as for the site. Commands work while the site',
    'runs and while it is stopped. For scripts: npm run --silent sotto -- <command> prints only the result.',
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
  const [first = 'help', ...others] = args;
  const asksForHelp = ['help', '--help', '-h'].includes(first);
  const [name, ...rest] = asksForHelp ? others : args;
  if (name === undefined) {
    context.print(overview());
    return 0;
  }
  const command = await load(name);
  if (asksForHelp || rest.includes('--help') || rest.includes('-h')) {
    const help =
      typeof command.help === 'string' ? command.help : command.help(rest.find((word) => !word.startsWith('-')));
    context.print(`Usage: ${program} ${help.trim()}`);
    return 0;
  }
  try {
    return await command.run(rest, context);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${error.message}; see ${program} help ${name}`);
    throw error;
  }
}

async function load(name: string): Promise<Command> {
  if (Object.hasOwn(commands, name)) return (commands[name] as (typeof commands)[string]).load();
  if (Object.values(nouns).some((names) => Object.hasOwn(names, name)))
    return (await import('./call-commands.ts')).commandsOf(name);
  throw new UsageError(`There is no command "${name}"; see ${program} help`);
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
