import type { RouterContextProvider } from 'react-router';
import type { z } from 'zod';
import type { AdminList } from '#domain/admin/list-totals.ts';
import type { Page } from '#domain/kernel/pages.ts';
import { dropUnwanted } from '#domain/kernel/rules.ts';
import type { User } from '#domain/kernel/viewer.ts';
import type { Site } from '#domain/site.ts';
import { orBadRequest } from '../route-errors.ts';
import { adminViewer } from './admin-viewer.ts';

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

/**
 * Loads one page of a list of Admin by its address: `q`, `state`, other filters and `cursor`.
 * @param list `name`: for the number of all, when the filters leave none; `filters`: reads the others from the address
 */
export async function loadList<Row, State extends string = never, Filters extends object = object>(
  { context, url }: { context: Readonly<RouterContextProvider>; url: URL },
  list: {
    name?: AdminList;
    states?: readonly State[];
    filters?: z.ZodType<Filters>;
    limit?: number;
    read(
      site: Site,
      viewer: User,
      query: { q: string; state: State | undefined } & Filters,
      page: { cursor: string | undefined; limit: number },
    ): Promise<Page<Row>>;
  },
) {
  const { site, viewer } = adminViewer(context);
  const { cursor, ...query } = readListQuery(url.searchParams, list.states ?? []);
  const filters = (list.filters?.parse(Object.fromEntries(url.searchParams)) ?? {}) as Filters;
  const page = await orBadRequest(
    list.read(site, viewer, { ...query, ...filters }, { cursor, limit: list.limit ?? 25 }),
  );
  const all = list.name && (await site.admin.countAll(viewer, list.name, page));
  return { ...query, filters, page, all };
}
