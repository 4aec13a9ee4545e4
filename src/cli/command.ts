import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Config } from '#config';
import { formatBytes } from '#formats/bytes.ts';
import { countOf } from '#formats/numbers.ts';

export { countOf, formatBytes };

/** Wrong usage of a command; the message is one line. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The command failed; the message is one line. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** The parts of the process that commands may use. */
export type CommandContext = {
  /** @throws ConfigError */
  readConfig(): Config;
  /** The input of `readConfig`. */
  environment: Record<string, string | undefined>;
  /** The operator's working folder; npm runs every script in the package's folder. */
  startFolder: string;
  /** Prints one line of the result to stdout. */
  print(line: string): unknown;
  /** Prints one line to stderr: progress, warnings, errors. */
  note(line: string): unknown;
};

export type Command = {
  /** Shown by `help <command>`; the first line is the usage. Of a noun also for one act. */
  help: string | ((act?: string) => string);
  /** @returns the exit code */
  run(args: string[], context: CommandContext): Promise<number>;
};

type Options = NonNullable<ParseArgsConfig['options']>;

/** Options and positionals of one command. @param names names of the positionals, all required */
export function parseCommandLine<const O extends Options, const N extends readonly string[]>(
  args: string[],
  options: O,
  names: N,
) {
  const parsed = parseStrictly(args, options);
  const { positionals } = parsed;
  const missing = names[positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing`);
  if (positionals.length > names.length) throw new UsageError(`"${positionals[names.length]}" is one word too many`);
  return { values: parsed.values, positionals: positionals as { [K in keyof N]: string } };
}

function parseStrictly<const O extends Options>(args: string[], options: O) {
  return strictly(() => parseArgs({ args, options, allowPositionals: true, strict: true }));
}

/** @param parse by `parseArgs`. @throws UsageError in place of its error */
export function strictly<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!code.startsWith('ERR_PARSE_ARGS')) throw error;
    throw new UsageError(message.split(/\.\s|\n/)[0]?.replace(/\.$/, '') ?? message);
  }
}

/** A path as the operator wrote it. */
export function resolveFolder(context: CommandContext, path: string): string {
  if (path === '') throw new UsageError('the folder is empty');
  return resolve(context.startFolder, path);
}

/** @throws CommandError */
export async function readOperatorsFile(context: CommandContext, path: string): Promise<Buffer> {
  const file = resolveFolder(context, path);
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read: ${error.code ?? error.message}`);
  });
}
