import type { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import type { z } from 'zod';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { errorSentences } from '#domain/kernel/errors.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, orCommandError, parseWords, UsageError } from './command.ts';
import type { SiteTools } from './open/with-site.ts';

/** Commands of the form `sotto <noun> <verb> …`, whose help is generated from their verbs. */

type OptionType = 'text' | 'texts' | 'flag';

export type VerbInput = {
  /** Names as in `words`; the last one may take several values. */
  words: string[];
  /** @returns undefined when absent */
  text(name: string): string | undefined;
  texts(name: string): string[] | undefined;
  flag(name: string): boolean;
  context: CommandContext;
};

export type Verb = {
  /** For example `<tag> <label>`. `[<x>]` is optional; `<x>...` is one or more. */
  words?: string;
  description: string;
  options?: Record<string, { type: OptionType; description: string }>;
  /** Reports usage errors before the database is opened. */
  check?(input: VerbInput): void;
  /** @returns the final message */
  run(tools: SiteTools, input: VerbInput): Promise<string | undefined>;
};

export type Noun = Command & { verbs: Record<string, Verb> };

/** @param defaultVerb runs when no verb is given */
export function defineNoun(name: string, intro: string, verbs: Record<string, Verb>, defaultVerb?: string): Noun {
  return {
    verbs,
    help: helpOf(name, intro, verbs),
    async run([given, ...rest], context) {
      const asked = given === undefined || given.startsWith('-') ? defaultVerb : given;
      if (asked === undefined) throw new UsageError(`Name an act: ${Object.keys(verbs).join(', ')}`);
      if (!Object.hasOwn(verbs, asked)) throw new UsageError(`"${asked}" is not known here`);
      const verb = verbs[asked] as Verb;
      const input = readInput(verb, asked === given ? rest : given === undefined ? [] : [given, ...rest], context);
      verb.check?.(input);
      // Loads the whole site only to run a verb, not for the help.
      const { withSite } = await import('./open/with-site.ts');
      const message = await withSite(context, (tools) => orCommandError(() => verb.run(tools, input)));
      if (message !== undefined) context.print(message);
      return 0;
    },
  };
}

function readInput(verb: Verb, args: string[], context: CommandContext): VerbInput {
  const options = Object.fromEntries(
    Object.entries(verb.options ?? {}).map(([name, { type }]) => [
      name,
      type === 'flag' ? { type: 'boolean' as const } : { type: 'string' as const, multiple: type === 'texts' },
    ]),
  );
  const { values, positionals } = parseWords<NonNullable<ParseArgsConfig['options']>>(args, options);
  const names = verb.words?.split(' ') ?? [];
  const missing = names.find((name, index) => !name.startsWith('[') && positionals[index] === undefined);
  if (missing !== undefined) throw new UsageError(`${missing.replace('...', '')} is missing`);
  const takesMany = names.at(-1)?.includes('...') === true;
  if (positionals.length > names.length && !takesMany)
    throw new UsageError(`"${positionals[names.length]}" is one word too many`);
  const given = values as ReturnType<typeof parseArgs>['values'];
  return {
    words: positionals,
    text: (name) => given[name] as string | undefined,
    texts: (name) => given[name] as string[] | undefined,
    flag: (name) => given[name] === true,
    context,
  };
}

function helpOf(name: string, intro: string, verbs: Record<string, Verb>): string {
  const usages = Object.entries(verbs).map(([verb, { words, description, options }]) => ({
    usage: words === undefined ? verb : `${verb} ${words}`,
    description,
    options: Object.entries(options ?? {}).map(([option, { type, description: about }]) => ({
      usage: `--${option}${type === 'flag' ? '' : ' <…>'}`,
      description: about,
    })),
  }));
  const width = Math.max(
    ...usages.flatMap(({ usage, options }) => [usage.length, ...options.map((o) => o.usage.length + 2)]),
  );
  const lines = usages.flatMap(({ usage, description, options }) => [
    `  ${usage.padEnd(width)}  ${description}`,
    ...options.map((option) => `    ${option.usage.padEnd(width - 2)}  ${option.description}`),
  ]);
  return [`${name} <act> …`, '', intro, '', ...lines].join('\n');
}

/** @throws UsageError with the first error of the form */
export function readForm<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') ?? '';
  throw new UsageError(where === '' ? String(issue?.message) : `${where}: ${issue?.message}`);
}

/** Messages for refusals without an error code. */
const sentences: Record<string, string> = {
  'not-found': 'There is nothing with this name',
  'unknown-category': 'There is no such category',
  'unknown-series': errorSentences['audio/unknown-series'],
  'unknown-audio': 'One of these audios does not exist',
  'no-user': errorSentences['voice/no-user'],
  'other-name': errorSentences['list/other-name'],
  exists: errorSentences['tag/exists'],
  changed: errorSentences['list/changed'],
  'in-another': errorSentences['series/audio-in-another'],
  full: errorSentences['library/full'],
  'not-a-picture': errorSentences['picture/unreadable'],
  'slug-taken': errorSentences['voice/address-taken'],
  'last-owner': errorSentences['voice/last-owner'],
  own: errorSentences['voice/is-member'],
  'too-late': errorSentences['upload/too-late'],
  'too-many': errorSentences['bulk-act/too-many'],
  nothing: errorSentences['bulk-act/nothing'],
  gone: errorSentences['bulk-act/gone'],
  conflict: errorSentences['audio/changed-meanwhile'],
};

/** @throws CommandError for a refusal, and for a missing item */
export function done<Outcome>(outcome: Outcome): Exclude<Outcome, { ok: false } | false | undefined> {
  if (outcome === false || outcome === undefined) throw new CommandError(String(sentences['not-found']));
  const { ok, reason = '', message } = outcome as { ok?: boolean; reason?: string; message?: string };
  if (ok === false)
    throw new CommandError(message ?? sentences[reason] ?? errorSentences[reason as ErrorCode] ?? reason);
  return outcome as Exclude<Outcome, { ok: false } | false | undefined>;
}

/** Prints every page of a list. @returns the number of items */
export async function printAll<Item>(
  context: CommandContext,
  load: (cursor: string | undefined) => Promise<{ items: Item[]; nextCursor: string | undefined }>,
  line: (item: Item) => string,
): Promise<number> {
  let count = 0;
  let cursor: string | undefined;
  do {
    const page = await load(cursor);
    for (const item of page.items) context.print(line(item));
    count += page.items.length;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return count;
}
