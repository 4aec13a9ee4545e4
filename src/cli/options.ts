import { randomUUID } from 'node:crypto';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { z } from 'zod';
import type { AnyCall } from '#api/call.ts';
import { refuseUnknown } from '#api/refuse-unknown.ts';
// The words of its errors.
import '#domain/kernel/input-faults.ts';
import { type CommandContext, readOperatorsFile, strictly, UsageError } from './command.ts';
import { type FoundKind, kindOfNoun, isFoundKind } from './find.ts';

/** Options of a command, from the fields of its call's query and input. */
export type Option = {
  /** Without its dashes; fields of an inner object have a point, such as `plans.month`. */
  name: string;
  /** In the query or input. */
  path: string[];
  /** `file`: a path, whose content is sent in base64. */
  kind: 'text' | 'number' | 'flag' | 'json' | 'file';
  choices: string[];
  isList: boolean;
  isNullable: boolean;
  isRequired: boolean;
  about: string;
  /** The value is the id of one, which may be named otherwise. */
  idOf: FoundKind | undefined;
};

/** The parts of a schema's definition that hold schemas and values, as Zod names them. */
type Definition = {
  type: string;
  format?: string;
  innerType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  element?: z.ZodType;
  shape?: Record<string, z.ZodType>;
  options?: z.ZodType[];
  values?: unknown[];
  entries?: Record<string, string>;
};
const definitionOf = (schema: z.ZodType) => schema.def as unknown as Definition;

type Bare = { schema: z.ZodType; isOptional: boolean; isNullable: boolean; about: string };

/** The schema within its wrappers: of a transform, what goes in. */
function bare(given: z.ZodType): Bare {
  const found: Bare = { schema: given, isOptional: false, isNullable: false, about: '' };
  for (;;) {
    const { type, innerType, in: before, out, options } = definitionOf(found.schema);
    found.about ||= found.schema.description ?? '';
    if (type === 'optional' || type === 'default' || type === 'prefault') found.isOptional = true;
    if (type === 'nullable') found.isNullable = true;
    const others = options?.filter((option) => definitionOf(option).type !== 'null');
    if (others !== undefined && others.length < (options?.length ?? 0)) found.isNullable = true;
    const inner =
      innerType ??
      (before && definitionOf(before).type === 'transform' ? out : before) ??
      (others?.length === 1 ? others[0] : undefined);
    if (inner === undefined) return found;
    found.schema = inner;
  }
}

type Reading = Pick<AnyCall, 'seen' | 'unchanged'>;

/** Fields of an object, or of all objects of a union; then none is needed. */
function fieldsOf(schema: z.ZodType): Record<string, z.ZodType> | undefined {
  const { type, shape, options = [] } = definitionOf(bare(schema).schema);
  if (type === 'object') return shape;
  const shapes = options.map(fieldsOf).filter((one) => one !== undefined);
  if (type !== 'union' || shapes.length === 0 || shapes.length < options.length) return undefined;
  const names = [...new Set(shapes.flatMap((one) => Object.keys(one)))];
  return Object.fromEntries(
    names.map((name) => {
      const fields = shapes.flatMap((one) => one[name] ?? []);
      const field = fields.length === 1 ? fields[0] : z.union(fields);
      return [name, (fields.length < shapes.length ? field?.optional() : field) as z.ZodType];
    }),
  );
}

/** @param call.seen fields that the command reads itself, as those of `unchanged` where they are not named */
export function optionsOf(schema: z.ZodType, noun: string, { seen = {}, unchanged = {} }: Reading): Option[] {
  // The command would read an optional `before` a moment before it acts.
  const isHidden = (name: string, field: z.ZodType) => name in seen || (name === 'before' && bare(field).isOptional);
  const fields = Object.entries(fieldsOf(schema) ?? {}).filter(([name, field]) => !isHidden(name, field));
  const [only, ...others] = fields;
  const inner = only && others.length === 0 ? fieldsOf(only[1]) : undefined;
  if (only === undefined || inner === undefined)
    return fields
      .flatMap(([name, field]) => optionsIn(name, field, noun))
      .map((option) => (String(option.path[0]) in unchanged ? { ...option, isRequired: false } : option));
  // An object that is all there is to send gives its fields.
  const { isNullable, about } = bare(only[1]);
  const whole = { ...plainOption([only[0]], 'json'), isNullable, about };
  return [
    ...Object.entries(inner).flatMap(([name, field]) => optionsIn(name, field, noun, [only[0]], '')),
    ...(isNullable ? [whole] : []),
  ];
}

const plainOption = (path: string[], kind: Option['kind']): Option => ({
  name: path.map(kebab).join('.'),
  path,
  kind,
  choices: [],
  isList: false,
  isNullable: false,
  isRequired: false,
  about: '',
  idOf: undefined,
});

function optionsIn(name: string, field: z.ZodType, noun: string, above: string[] = [], prefix?: string): Option[] {
  const path = [...above, name];
  const { isNullable, isOptional, about } = bare(field);
  const shown = prefix ?? above.map((one) => `${kebab(one)}.`).join('');
  const inner = fieldsOf(field);
  if (inner !== undefined)
    return [
      ...Object.entries(inner).flatMap(([key, one]) => optionsIn(key, one, noun, path, `${shown}${kebab(name)}.`)),
      { ...plainOption(path, 'json'), name: `${shown}${kebab(name)}`, isNullable, about },
    ];
  const isList = definitionOf(bare(field).schema).type === 'array';
  const item = isList ? bare(definitionOf(bare(field).schema).element as z.ZodType) : bare(field);
  const { kind, choices } = valueOf(item.schema);
  const idOf = definitionOf(item.schema).format === 'uuid' ? kindOfField(name, noun) : undefined;
  const ownName = kind === 'flag' ? name.replace(/^is(?=[A-Z])/, '') : idOf && name.replace(/(?<=.)Ids?$/, '');
  return [
    {
      ...plainOption(path, kind),
      name: `${shown}${kebab(ownName ?? name)}`,
      choices,
      isList: isList && kind !== 'json',
      isNullable,
      isRequired: !isOptional && above.length === 0,
      about: about || item.about,
      idOf,
    },
  ];
}

function kindOfField(name: string, noun: string): FoundKind | undefined {
  if (name === 'ids' || name === 'into') return noun === 'bulk-acts' ? 'audio' : kindOfNoun(noun);
  const [, word = ''] = /([A-Z]?[a-z]+)Ids?$/.exec(name) ?? [];
  const kind = name === 'after' ? 'audio' : word.toLowerCase();
  return isFoundKind(kind) ? kind : undefined;
}

function valueOf(schema: z.ZodType): Pick<Option, 'kind' | 'choices'> {
  const { type, format, values, entries, options } = definitionOf(schema);
  const choices = entries ? Object.values(entries) : (values ?? []);
  if (choices.length === 1 && choices[0] === true) return { kind: 'flag', choices: [] };
  // In a query everything is text.
  if (choices.length === 1 && choices[0] === 'true') return { kind: 'flag', choices: ['true'] };
  if (choices.length > 0)
    return { kind: typeof choices[0] === 'number' ? 'number' : 'text', choices: choices.map(String) };
  if (type === 'union' && options !== undefined) {
    const all = options.map((option) => valueOf(bare(option).schema));
    // A text may be any beside its words, such as a time beside `now`.
    const named = all.every((one) => one.choices.length > 0) ? all.flatMap((one) => one.choices) : [];
    return { kind: all.some(({ kind }) => kind === 'text') ? 'text' : (all[0]?.kind ?? 'text'), choices: named };
  }
  if (type === 'boolean') return { kind: 'flag', choices: [] };
  if (type === 'string') return { kind: format === 'base64' ? 'file' : 'text', choices: [] };
  return { kind: type === 'number' ? 'number' : 'json', choices: [] };
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]+/g, (letters) => `-${letters.toLowerCase()}`).replace(/^-/, '');
}

export type Given = { option: Option; value: unknown };
type Typed = string | boolean;

/** Words and options as they were typed, before names become ids. @throws UsageError */
export async function readArguments(
  args: string[],
  options: Option[],
  context: CommandContext,
): Promise<{ words: string[]; given: Given[]; isJson: boolean }> {
  const config: NonNullable<ParseArgsConfig['options']> = { json: { type: 'boolean' } };
  for (const { name, kind, isList, isNullable } of options) {
    config[name] = kind === 'flag' ? { type: 'boolean' } : { type: 'string', multiple: isList };
    // The parser stores it as false under the name without "no-".
    if (kind !== 'flag' && (isNullable || isList)) config[`no-${name}`] = { type: 'boolean' };
  }
  const { values, positionals } = strictly(() =>
    parseArgs({ args, options: config, allowPositionals: true, allowNegative: true }),
  );
  const given: Given[] = [];
  for (const option of options) {
    const value = values[option.name];
    if (value !== undefined) given.push({ option, value: await valueIn(option, value as never, context) });
  }
  return { words: positionals, given, isJson: values['json'] === true };
}

async function valueIn(option: Option, typed: Typed | Typed[], context: CommandContext): Promise<unknown> {
  if (option.isList) {
    const all = [typed].flat();
    return all.includes(false)
      ? []
      : Promise.all(all.map((one) => valueIn({ ...option, isList: false }, one, context)));
  }
  const { kind, name, choices } = option;
  if (typeof typed !== 'string') return kind !== 'flag' ? null : typed && choices.length > 0 ? 'true' : typed;
  if (kind === 'file') return (await readOperatorsFile(context, typed)).toString('base64');
  const text = await textIn(typed, context);
  if (kind === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (kind !== 'json') return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--${name} is not JSON`);
  }
}

/** `@<path>` is the text of a file; `@@` begins with one @. */
async function textIn(typed: string, context: CommandContext): Promise<string> {
  if (!typed.startsWith('@')) return typed;
  if (typed.startsWith('@@')) return typed.slice(1);
  const text = (await readOperatorsFile(context, typed.slice(1))).toString('utf8');
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}

/** Stands for an id until its name is looked up. */
export const anyId = (): string => randomUUID();

/** @param idOf gives the id for a name @param base what the command read itself */
export async function fillIn(
  given: Given[],
  idOf: (kind: FoundKind, name: string) => Promise<string> | string,
  base: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const filled = structuredClone(base);
  for (const { option, value } of given) {
    const { path, idOf: kind } = option;
    const ids = (name: unknown) => (kind === undefined || typeof name !== 'string' ? name : idOf(kind, name));
    putIn(filled, path, Array.isArray(value) && option.isList ? await Promise.all(value.map(ids)) : await ids(value));
  }
  return filled;
}

function putIn(target: Record<string, unknown>, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) target[name] = value;
  else putIn((target[name] ??= {}) as Record<string, unknown>, rest, value);
}

/**
 * @param options.known fields that are filled in later
 * @throws UsageError that names the option
 */
export function check(
  schema: z.ZodType,
  value: unknown,
  { options, known = [] }: { options: Option[]; known?: string[] },
): unknown {
  const parsing = refuseUnknown(schema).safeParse(value);
  if (parsing.success) return parsing.data;
  const issue = parsing.error.issues.find(({ path }) => !known.includes(String(path[0])));
  if (issue === undefined) return undefined;
  const path = issue.path.map(String);
  const option = options
    .filter((one) => one.path.every((name, at) => path[at] === name) || path.every((name, at) => one.path[at] === name))
    .toSorted((one, other) => Math.abs(one.path.length - path.length) - Math.abs(other.path.length - path.length))[0];
  if (option === undefined || path.length === 0) throw new UsageError(issue.message);
  if (issue.code !== 'custom' && valueAt(value, path) === undefined)
    throw new UsageError(`--${option.name} is missing`);
  const reason = option.choices.length > 0 ? `must be one of ${option.choices.join(', ')}` : issue.message;
  throw new UsageError(`--${option.name}${/^(?:is|must|has) /.test(reason) ? '' : ':'} ${reason}`);
}

function valueAt(value: unknown, path: string[]): unknown {
  return path.reduce<unknown>((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], value);
}
