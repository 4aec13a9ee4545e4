import type { z } from 'zod';
import type { Page } from '#domain/kernel/pages.ts';
import { dropUnwanted } from '#domain/kernel/rules.ts';
import { orBadRequest } from '../../route-errors.ts';

/** Search, state and cursor of a list from its address; an invalid state is ignored. */
export function readListQuery<State extends string>(
  parameters: URLSearchParams,
  states: readonly State[],
): { q: string; state: State | undefined; cursor: string | undefined } {
  return {
    q: dropUnwanted(parameters.get('q') ?? '')
      .trim()
      .slice(0, 200),
    state: states.find((state) => state === parameters.get('state')),
    cursor: parameters.get('cursor') ?? undefined,
  };
}

export type ListReading<Row, State extends string, Filters extends object> = {
  states?: readonly State[];
  /** Reads the others from the address. */
  filters?: z.ZodType<Filters>;
  limit?: number;
  read(
    query: { q: string; state: State | undefined } & Filters,
    page: { cursor: string | undefined; limit: number },
  ): Promise<Page<Row>>;
};

/** Reads one page of a list by its address: `q`, `state`, other filters and `cursor`. */
export async function readList<Row, State extends string = never, Filters extends object = object>(
  url: URL,
  { states = [], filters: schema, limit = 25, read }: ListReading<Row, State, Filters>,
) {
  const { cursor, ...query } = readListQuery(url.searchParams, states);
  const filters = (schema?.parse(Object.fromEntries(url.searchParams)) ?? {}) as Filters;
  return { ...query, filters, page: await orBadRequest(read({ ...query, ...filters }, { cursor, limit })) };
}
