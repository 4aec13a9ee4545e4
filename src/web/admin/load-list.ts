import type { RouterContextProvider } from 'react-router';
import type { AdminList } from '#domain/admin/list-totals.ts';
import type { Page } from '#domain/kernel/pages.ts';
import type { User } from '#domain/kernel/viewer.ts';
import type { Site } from '#domain/site.ts';
import { orBadRequest } from '../route-errors.ts';
import { adminViewer } from './admin-viewer.ts';
import { readListQuery } from './list-query.ts';

/**
 * Loads one page of a list of Admin by its address: `q`, `state` and `cursor`.
 * @param list `name`: for the number of all, when the filters leave none
 */
export async function loadList<State extends string, Row>(
  { context, url }: { context: Readonly<RouterContextProvider>; url: URL },
  list: {
    name: AdminList;
    states: readonly State[];
    limit?: number;
    read(
      site: Site,
      viewer: User,
      query: { q: string; state: State | undefined },
      page: { cursor: string | undefined; limit: number },
    ): Promise<Page<Row>>;
  },
) {
  const { site, viewer } = adminViewer(context);
  const { cursor, ...query } = readListQuery(url.searchParams, list.states);
  const page = await orBadRequest(list.read(site, viewer, query, { cursor, limit: list.limit ?? 25 }));
  return { ...query, page, all: await site.admin.countAll(viewer, list.name, page) };
}
