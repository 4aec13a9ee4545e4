import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import type { Config } from '#config';

/** The command was called in a way it does not know; the message is one line. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The command could not do what it was asked; the message is one line. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** What a command may use of the process it runs in. */
export type CommandContext = {
  /** @throws ConfigError */
  readConfig(): Config;
  /** What `readConfig` reads. */
  environment: Record<string, string | undefined>;
  /** Where the operator stands; npm starts every script in the package's folder. */
  startFolder: string;
  /** One line of the answer. */
  say(line: string): unknown;
  /** One line beside the answer: progress, warnings, what went wrong. */
  note(line: string): unknown;
};

export type Command = {
  /** Shown by `help <command>`; the first line is the usage. */
  help: string;
  /** @returns the exit code */
  run(args: string[], context: CommandContext): Promise<number>;
};

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * Options and positionals of one command.
 * @param names of the positionals, all needed
 * @throws UsageError
 */
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
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
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

/** Seconds as `m:ss` or `h:mm:ss`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const tail = String(rest).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
