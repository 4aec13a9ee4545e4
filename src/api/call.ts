import type { z } from '@hono/zod-openapi';
import type { Context, Env, Hono } from 'hono';
import type { JSONParsed } from 'hono/utils/types';
import type { AttemptKind } from '#domain/identity/attempts.ts';
import type { DomainError, ErrorCode } from '#domain/kernel/errors.ts';
import type { User, Viewer } from '#domain/kernel/viewer.ts';
import type { ApiParts } from './parts.ts';
import type { json } from './schemas.ts';

/**
 * A call of the API is one object: path, who may, limits, input, output and what it does. The routes, the OpenAPI
 * document, the browser's client, the commands and the table of authorization follow from it.
 */

/**
 * `moderator`: operators, too. `fresh-operator`: proved their identity within ten minutes. `any-operator`: operators and
 * moderators, also before the second factor.
 */
export type Who = 'anyone' | 'user' | 'creator' | 'moderator' | 'operator' | 'fresh-operator' | 'any-operator';

type Rules = {
  /** One sentence for the API's reference and the command's help. */
  about: string;
  /** More for the reference. */
  details?: string;
  /**
   * Calls per minute, counted together under `kind`: per account, or per client where no log-in is needed. `search`: the
   * budget that pages of results share.
   */
  limit?: { kind: string; perMinute: number } | 'search';
  /** Largest body, in bytes; default 16 KiB. */
  maxBytes?: number;
  /** Code for a larger body; default `request/too-large`. */
  tooLarge?: ErrorCode;
  /** HEAD answers 405, because the act counts. */
  head?: false;
  /** Counted in the database before the act, per account and network, across processes. */
  attempt?: AttemptKind;
  /** Default: 200, or 204 without an output. */
  status?: 200 | 201 | 202 | 204;
  /** Answers with another status or schema, which the act makes itself. */
  also?: { [status: number]: ReturnType<typeof json> };
  /** Headers that the call reads. */
  headers?: z.ZodObject;
  /** Headers of the answer. */
  answerHeaders?: z.ZodObject;
  /** Media type of an answer that is not JSON: `act` returns the response. */
  file?: string;
  /** Schema of refusals; default: `ErrorResponse`. */
  refusal?: z.ZodType;
  /** How clients prove who they are, when that differs from `who`. */
  security?: Record<string, string[]>[];
  /** Sent again with the same `Idempotency-Key`, the call does nothing and gets the first answer. */
  once?: true;
  /** Refuses browsers' calls from other sites. */
  sameSite?: true;
  /** Works under a limit of its own, or without one, instead of that of the database. */
  place?: 'payment-provider' | 'none';
  /** Cache-Control; default: `private, no-store` for all but public calls. */
  cache?: string;
  /** The operators' command, such as `bulk-acts stop`; default: from the path and the name. Or why there is none. */
  command?: `${string} ${string}` | { none: string };
};

type Schema = z.ZodType;
type None = undefined;
type Infer<Given> = Given extends Schema ? z.output<Given> : undefined;

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;
type Params<Path extends string> = { [Name in ParamNames<Path>]: string };

/** The cookie that pages and media are asked for with; it authenticates no call. */
export type SessionCookie = {
  readonly token: string | undefined;
  /** @param token undefined deletes the cookie */
  set(token: string | undefined): void;
  /** Both headers that only browsers send name a page of this site. */
  readonly isOfOwnPage: boolean;
};

type LoggedIn = { sessionId: string; token: string; viewer: User };

type Session<W extends Who> = W extends 'anyone'
  ? { viewer: Viewer; session: LoggedIn | undefined }
  : { viewer: User; session: LoggedIn };

/**
 * Argument of an act: the parameters of its path by name, the parsed query and body. `context`: for the few calls
 * that read or set headers.
 */
type Given<W extends Who, Path extends string, Parameters, Query, Input> = Pick<ApiParts, 'site'> &
  Session<W> &
  (Parameters extends Schema ? z.output<Parameters> : Params<Path>) & {
    query: Infer<Query>;
    input: Infer<Input>;
    /** The client's network, for counting. */
    address: string;
    /** Name of the client's device, such as “Chrome on Android”. */
    device: string;
    cookie: SessionCookie;
    context: Context;
    parts: ApiParts;
  };

/** Codes of the reasons for which the domain refuses; a function makes an error with a message of its own. */
// oxlint-disable-next-line typescript/no-explicit-any -- each function names the refusal that it takes
export type Refusals = { readonly [reason: string]: ErrorCode | ((refusal: any) => DomainError) };

/** JSON has no undefined: `nextCursor` becomes null on the last page. */
type Answer<Output> = Output extends { nextCursor: string | null }
  ? Omit<Output, 'nextCursor'> & { nextCursor: string | null | undefined }
  : Output;

/**
 * Result of an act. With an output, undefined answers 404; without, false does. `{ ok: false }` answers the code of its
 * reason.
 */
type Result<Output, Reason> =
  | (Output extends Schema ? Answer<z.input<Output>> | undefined : void | boolean | undefined | { ok: true })
  | Response
  | { ok: false; reason: Reason };

type Definition<
  W extends Who,
  Path extends string,
  Parameters,
  Query,
  Input,
  Output,
  Refuses extends Refusals,
  Errors extends ErrorCode,
> = Rules & {
  /** Default: each parameter of the path is a UUID. */
  params?: Parameters & z.ZodObject<{ [Name in ParamNames<Path>]: z.ZodType<string> }>;
  query?: Query;
  /** An optional schema makes the body optional. */
  input?: Input;
  output?: Output;
  refuses?: Refuses;
  /** Codes that the domain throws or refuses with, beside those of `refuses`. */
  errors?: readonly Errors[];
  /** Fields that a form sends back as it saw them, such as a revision. */
  seen?: Read<W, Path, Parameters, Input>;
  /** Fields that are sent whole: what a command does not name stays as it is. */
  unchanged?: Read<W, Path, Parameters, Input>;
  act(
    given: Given<W, Path, Parameters, Query, Input>,
  ):
    | Promise<Result<Output, keyof Refuses | Errors | 'not-found'>>
    | Result<Output, keyof Refuses | Errors | 'not-found'>;
};

/** Reads fields of the input, for commands, which show no form. */
type Read<W extends Who, Path extends string, Parameters, Input> = {
  [Field in Input extends Schema ? keyof z.input<Input> : never]?: (
    given: Pick<Given<W, Path, Parameters, None, None>, 'site' | 'viewer'> &
      (Parameters extends Schema ? z.output<Parameters> : Params<Path>),
  ) => unknown;
};

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

// oxlint-disable-next-line typescript/no-explicit-any -- the types of the parameters are the call's own
type Reads = Record<string, (given: any) => unknown>;

/** Without its types, for those that read all calls. */
export type AnyCall = Rules & {
  who: Who;
  method: Method;
  path: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  input?: Schema;
  output?: Schema;
  refuses?: Refusals;
  errors?: readonly ErrorCode[];
  // oxlint-disable-next-line typescript/no-explicit-any -- the types of the parameters are the call's own
  act(given: any): unknown;
  seen?: Reads;
  unchanged?: Reads;
};

declare const types: unique symbol;
export type Call<M extends Method, Path extends string, Query, Input, Output> = AnyCall & {
  readonly [types]?: { method: M; path: Path; query: Query; input: Input; output: Output };
};

/** @param common rules of all calls of a file; a call may have its own */
export function callBy<W extends Who>(who: W, common: Partial<Rules> = {}) {
  return <
    const Get extends string = never,
    const Post extends string = never,
    const Put extends string = never,
    const Patch extends string = never,
    const Delete extends string = never,
    Parameters extends z.ZodObject | None = None,
    Query extends z.ZodObject | None = None,
    Input extends Schema | None = None,
    Output extends Schema | None = None,
    const Refuses extends Refusals = Record<never, never>,
    const Errors extends ErrorCode = never,
  >(
    definition: { get?: Get; post?: Post; put?: Put; patch?: Patch; delete?: Delete } & Definition<
      W,
      Get | Post | Put | Patch | Delete,
      Parameters,
      Query,
      Input,
      Output,
      Refuses,
      Errors
    >,
  ) => {
    const { get, post, put, patch, delete: remove, ...rest } = definition;
    const method = get ? 'get' : post ? 'post' : put ? 'put' : patch ? 'patch' : 'delete';
    return { who, method, path: get ?? post ?? put ?? patch ?? remove, ...common, ...rest } as unknown as Call<
      | ([Get] extends [never] ? never : 'get')
      | ([Post] extends [never] ? never : 'post')
      | ([Put] extends [never] ? never : 'put')
      | ([Patch] extends [never] ? never : 'patch')
      | ([Delete] extends [never] ? never : 'delete'),
      Get | Post | Put | Patch | Delete,
      Query,
      Input,
      Output
    >;
  };
}

/** For everybody, logged in or not. */
export const call = callBy('anyone');
/** For users; answers 401 without a session. */
export const userCall = callBy('user');
/** For owners and editors of a creator; what belongs to others answers 404. */
export const studioCall = callBy('creator');
/** For operators whose session has passed the second factor; others get the answer for an unknown address. */
export const adminCall = callBy('operator');
/** For moderators and operators: what the desk does. */
export const deskCall = callBy('moderator');
/** For acts that give power, or cannot be undone. */
export const freshAdminCall = callBy('fresh-operator');
/** For the second factor itself. */
export const operatorCall = callBy('any-operator');

/** The calls of a file by name, without what else it exports. */
export function callsOf(module: object): { name: string; call: AnyCall }[] {
  return Object.entries(module)
    .filter(
      (entry): entry is [string, AnyCall] =>
        typeof entry[1] === 'object' && entry[1] !== null && 'act' in entry[1] && 'who' in entry[1],
    )
    .map(([name, call]) => ({ name, call }));
}

type HonoPath<Path extends string> = Path extends `${infer Before}{${infer Name}}${infer Rest}`
  ? `${Before}:${Name}${HonoPath<Rest>}`
  : Path;

type InputOf<Path extends string, Query, Input> = ([ParamNames<Path>] extends [never]
  ? Record<never, never>
  : { param: Params<Path> }) &
  (Query extends Schema ? { query: QueryOf<z.input<Query>> } : unknown) &
  (Input extends Schema ? { json: z.input<Input> } : unknown);

/** Everything in an address is text. */
type QueryOf<Values> = {
  [Name in keyof Values]: Values[Name] extends string | readonly string[] | undefined ? Values[Name] : string;
};

type SchemaOf<Of> =
  Of extends Call<infer M, infer Path, infer Query, infer Input, infer Output>
    ? {
        [P in HonoPath<Path>]: {
          [N in `$${M}`]: Output extends Schema
            ? {
                input: InputOf<Path, Query, Input>;
                output: JSONParsed<z.input<Output>>;
                outputFormat: 'json';
                status: 200;
              }
            : { input: InputOf<Path, Query, Input>; output: null; outputFormat: 'body'; status: 204 };
        };
      }
    : never;

/** Type of the browser's client for files of calls. */
export type ApiOf<Module> = Module extends unknown
  ? { [Name in keyof Module]: Hono<Env, SchemaOf<Module[Name]>> }[keyof Module]
  : never;
