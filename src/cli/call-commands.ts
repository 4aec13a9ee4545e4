import { answerOf } from '#api/answer.ts';
import type { AnyCall } from '#api/call.ts';
import { calls } from '#api/calls.ts';
import { operator } from '#domain/kernel/actor.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { isId } from '#domain/kernel/ids.ts';
import { type Command, type CommandContext, CommandError, UsageError } from './command.ts';
import { type FoundKind, findId, isFoundKind, kindOfNoun } from './find.ts';
import type { SiteTools } from './open/with-site.ts';
import { type Given, type Option, anyId, check, fillIn, optionsOf, readArguments } from './options.ts';
import { ownCalls } from './own/own-calls.ts';
import { printAnswer } from './print.ts';

/** Commands of the form `sotto <noun> <verb> …`: one for each call of Admin and Studio, and what pages alone read. */

export type CallCommand = { noun: string; verb: string; call: AnyCall };

/** A call's noun and verb: `stopBulkAct` of `/admin/bulk-acts/{id}/stop` is `bulk-acts stop`. */
export function nameOf(name: string, { command, path }: AnyCall): [noun: string, verb: string] {
  if (typeof command === 'string') return command.split(' ') as [string, string];
  const [, , noun = ''] = path.split('/');
  const ofNoun = noun.split('-').flatMap((word) => [word, word.replace(/ies$/, 'y'), word.replace(/s$/, '')]);
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ');
  const verb = words.filter((word) => word !== 'studio' && !ofNoun.includes(word)).join('-');
  return [noun, verb === 'find' ? 'show' : verb];
}

/** Calls by which an operator acts. */
export const isOperators = ({ path, command }: AnyCall) => /^\/(?:admin|studio)\//.test(path) || command !== undefined;

export const callCommands: CallCommand[] = [...calls, ...ownCalls]
  .filter(({ call }) => isOperators(call) && typeof call.command !== 'object')
  .map(({ name, call }) => {
    const [noun, verb] = nameOf(name, call);
    return { noun, verb, call };
  })
  .toSorted((one, other) => (one.verb < other.verb ? -1 : 1));

type Word = { name: string; shown: string; idOf: FoundKind | undefined };

/** The parameters of its path, in order. */
function wordsOf({ path }: AnyCall): Word[] {
  const parts = path.split('/');
  return parts.flatMap((part, at) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) return [];
    const kind = name === 'id' ? kindOfNoun(parts[at - 1] ?? '') : name.replace(/Id$/, '');
    const idOf = kind !== undefined && name.endsWith('d') && isFoundKind(kind) ? kind : undefined;
    return [{ name, shown: `<${idOf ?? name}>`, idOf }];
  });
}

function optionsOfCall({ noun, call }: CallCommand): { query: Option[]; input: Option[] } {
  return {
    query: call.query === undefined ? [] : optionsOf(call.query, noun, {}),
    input: call.input === undefined ? [] : optionsOf(call.input, noun, call),
  };
}

/** All commands of a noun. */
export function commandsOf(noun: string): Command {
  return { help: (verb) => helpOf(noun, verb), run: (args, context) => runCallCommand(noun, args, context) };
}

function helpOf(noun: string, verb: string | undefined): string {
  const commands = callCommands.filter((one) => one.noun === noun && (verb === undefined || one.verb === verb));
  if (commands.length === 0) throw new UsageError(`"${verb}" is not known here`);
  const lines = commands.map((one) => {
    const words = wordsOf(one.call).map(({ shown }) => ` ${shown}`);
    const { query, input } = optionsOfCall(one);
    const { about, details } = one.call;
    return {
      usage: `  ${one.verb}${words.join('')}`,
      about: details === undefined ? about : `${about}. ${details}`,
      options: [...query, ...input].map(describeOption),
    };
  });
  const width = Math.min(
    44,
    Math.max(...lines.flatMap(({ usage, options }) => [usage.length, ...options.map((option) => option.usage.length)])),
  );
  const usage = `${noun} ${verb ?? '<act>'} … [--json]`;
  return [
    usage,
    '',
    ...lines.flatMap((line) =>
      [line, ...line.options].map((one) => `${one.usage.padEnd(width)}  ${one.about}`.trimEnd()),
    ),
  ].join('\n');
}

function describeOption({ name, kind, choices, idOf, isList, isNullable, isRequired, about }: Option) {
  const value = kind === 'text' ? (idOf ?? 'text') : kind;
  const isShort = choices.length > 0 && choices.join('|').length < 30;
  const usage = kind === 'flag' ? `--${name}` : `--${name} <${isShort ? choices.join('|') : value}>`;
  const notes = [
    about,
    ...(kind === 'flag' || isShort || choices.length === 0 ? [] : [`one of ${choices.join(', ')}`]),
    ...(isRequired && kind !== 'flag' ? ['needed'] : []),
    ...(isList ? ['may be given more than once'] : []),
    ...(isNullable || isList || (kind === 'flag' && choices.length === 0) ? [`or --no-${name}`] : []),
  ];
  return { usage: `    ${usage}`, about: notes.filter((note) => note !== '').join('; ') };
}

/** @returns the exit code. @throws UsageError, CommandError */
async function runCallCommand(noun: string, args: string[], context: CommandContext): Promise<number> {
  const verbs = callCommands.filter((one) => one.noun === noun);
  const isNamed = args[0]?.startsWith('-') === false;
  const isListed = verbs.some((one) => one.verb === 'list' && wordsOf(one.call).length === 0);
  if (!isNamed && !isListed) throw new UsageError(`name an act: ${verbs.map((one) => one.verb).join(', ')}`);
  const [verb, ...rest] = isNamed ? args : ['list', ...args];
  const command = verbs.find((one) => one.verb === verb);
  if (command === undefined) throw new UsageError(`"${verb}" is not known here`);
  const { call } = command;
  const { query, input } = optionsOfCall(command);
  const { words, given, isJson } = await readArguments(rest, [...query, ...input], context);
  const parts = {
    words: wordsOf(call),
    query: given.filter((one) => query.includes(one.option)),
    input: given.filter((one) => input.includes(one.option)),
  };
  const params = readWords(parts.words, words, call);
  const schemas = { call, query, input };
  // Reports wrong usage before anything is opened.
  await readGiven(schemas, parts, () => anyId());
  if (call.method === 'patch' && parts.input.length === 0) throw new UsageError('name something to change');
  // Loads the whole site only to act, not for the help.
  const { withSite } = await import('./open/with-site.ts');
  const answer = await withSite(context, (tools) =>
    asCommandErrors(async () => {
      const ids = await Promise.all(
        parts.words.map(async ({ name, idOf }) => {
          const word = String(params[name]);
          return [name, idOf === undefined ? word : await findId(tools, idOf, word)] as const;
        }),
      );
      const of = { ...Object.fromEntries(ids), site: tools.site, viewer: operator };
      const base = { ...(await readAll(call.unchanged, of)), ...(await readAll(call.seen, of)) };
      const values = await readGiven(schemas, parts, (kind, name) => findId(tools, kind, name), base);
      return actAll(call, {
        ...of,
        ...values,
        tools,
        context,
        address: 'command line',
        parts: partsOf(tools, context),
      });
    }),
  );
  if (answer instanceof Response) context.print((await answer.text()).replaceAll('\r\n', '\n').trimEnd());
  else printAnswer(answer, isJson, context);
  return 0;
}

/** @throws UsageError */
function readWords(words: Word[], typed: string[], call: AnyCall): Record<string, string> {
  const missing = words[typed.length];
  if (missing !== undefined) throw new UsageError(`${missing.shown} is missing`);
  if (typed.length > words.length) throw new UsageError(`"${typed[words.length]}" is one word too many`);
  const params = Object.fromEntries(words.map(({ name }, at) => [name, typed[at] ?? '']));
  for (const { name, shown, idOf } of words) {
    if (idOf !== undefined) continue;
    const value = params[name] ?? '';
    const field = call.params?.shape[name];
    if (field === undefined ? isId(value) : field.safeParse(value).success) continue;
    const choices = (field as { options?: string[] } | undefined)?.options;
    throw new UsageError(
      choices === undefined
        ? `"${value}" is not an ${shown.slice(1, -1)}`
        : `"${value}" is not one of ${choices.join(', ')}`,
    );
  }
  return params;
}

type Parts = { query: Given[]; input: Given[] };

/** The query and input of a call, from what was typed. @param base what the command read itself */
async function readGiven(
  { call, query, input }: { call: AnyCall; query: Option[]; input: Option[] },
  given: Parts,
  idOf: (kind: FoundKind, name: string) => Promise<string> | string,
  base?: Record<string, unknown>,
) {
  const known = base === undefined ? [...Object.keys(call.unchanged ?? {}), ...Object.keys(call.seen ?? {})] : [];
  return {
    query: call.query && check(call.query, await fillIn(given.query, idOf), { options: query }),
    input: call.input && check(call.input, await fillIn(given.input, idOf, base), { options: input, known }),
  };
}

async function readAll(fields: AnyCall['seen'], of: object): Promise<Record<string, unknown>> {
  const entries = Object.entries(fields ?? {}).map(async ([name, read]) => [name, await read(of)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** Lists are read to their end, unless the operator names a page. */
async function actAll(call: AnyCall, given: { query: unknown } & Record<string, unknown>): Promise<object | undefined> {
  const query = (given.query ?? {}) as Record<string, unknown>;
  const cursor = ['cursor', 'after'].find((name) => call.method === 'get' && call.query?.shape[name] !== undefined);
  const first = answerOf(call, await call.act(given)) as Page | undefined;
  if (cursor === undefined || first?.items === undefined || query[cursor] !== undefined) return first;
  for (let last = first, next = nextOf(last); next !== undefined; next = nextOf(last)) {
    last = answerOf(call, await call.act({ ...given, query: { ...query, [cursor]: next } })) as Page;
    first.items.push(...(last.items ?? []));
  }
  return first;
}

type Page = { items?: unknown[]; nextCursor?: string | null; olderCursor?: string | null };
const nextOf = ({ nextCursor, olderCursor }: Page) => nextCursor ?? olderCursor ?? undefined;

/** The parts of the process that calls use. */
function partsOf({ site }: SiteTools, context: CommandContext) {
  const report = (error: unknown, what: string) => context.note(`${what}: ${(error as Error).message}`);
  return { site, failures: { report } };
}

/** Refusals of the domain are for the operator, not for the log. */
async function asCommandErrors<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // In one line, as all errors are.
    const said = error.message.replaceAll('\n', ' ');
    throw new CommandError(error.code === 'request/not-found' ? 'There is nothing with this name' : said);
  }
}
