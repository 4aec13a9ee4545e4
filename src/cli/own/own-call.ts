import { z } from 'zod';
import type { AnyCall, Refusals } from '#api/call.ts';
import type { Actor } from '#domain/kernel/actor.ts';
import type { Site } from '#domain/site.ts';
import type { CommandContext } from '../command.ts';
import type { SiteTools } from '../open/with-site.ts';

type Params<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name]: string } & Params<Rest>
  : unknown;

/**
 * A command without a call of the API, in the form of a call: what pages read by their loaders, and what only somebody
 * on the machine may do. The answer is a page, an object, or a `Response` for plain text; an empty object says "Done".
 */
export function ownCall<
  const Path extends string,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Input extends z.ZodType = z.ZodUndefined,
>(
  command: `${string} ${string}`,
  definition: {
    /** Its parameters are the words, as in an address of the API. */
    path?: Path;
    about: string;
    details?: string;
    query?: Query;
    input?: Input;
    /** Refuses a command that names no option. */
    changes?: true;
    refuses?: Refusals;
    act(
      given: Params<Path> & {
        query: z.output<Query>;
        input: z.output<Input>;
        site: Site;
        viewer: Actor;
        tools: SiteTools;
        context: CommandContext;
      },
    ): unknown;
  },
): AnyCall {
  const { path = '', changes, ...rest } = definition;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return {
    ...rest,
    who: 'operator',
    method: changes ? 'patch' : definition.input === undefined ? 'get' : 'post',
    path,
    params: z.object(Object.fromEntries(names.map((name) => [name, z.string().min(1)]))),
    command,
    output: z.any(),
  };
}

export const flag = z.enum(['true']).optional();
