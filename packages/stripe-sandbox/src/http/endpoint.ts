import type { z } from 'zod';
import type { Work } from '../store/work.ts';

export type Path = Record<string, string>;

export type Endpoint = {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the root, with `:names`. */
  path: string;
  parameters: z.ZodObject;
  /** May be called with the publishable key. */
  forBrowsers: boolean;
  /** Runs in a transaction that is always rolled back. */
  isRehearsal: boolean;
  answer(work: Work, input: unknown, path: Path): Promise<object>;
};

type Settings = { forBrowsers?: boolean; isRehearsal?: boolean };

function endpoint(method: Endpoint['method']) {
  return <T extends z.ZodObject>(
    path: string,
    parameters: T,
    answer: (work: Work, input: z.output<T>, path: Path) => Promise<object>,
    { forBrowsers = false, isRehearsal = false }: Settings = {},
  ): Endpoint => ({
    method,
    path,
    parameters,
    forBrowsers,
    isRehearsal,
    answer: answer as Endpoint['answer'],
  });
}

export const get = endpoint('GET');
export const post = endpoint('POST');
export const del = endpoint('DELETE');

/** A path parameter matched by the router. */
export function named(path: Path, name: string): string {
  const value = path[name];
  if (value === undefined) throw new Error(`The address has no ${name}`);
  return value;
}
