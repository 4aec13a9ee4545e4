import type { RouterContextProvider } from 'react-router';
import type { AdminPart } from '#domain/admin/rules.ts';
import type { AdminList } from '#domain/admin/list-totals.ts';
import type { Page } from '#domain/kernel/pages.ts';
import type { User } from '#domain/kernel/viewer.ts';
import type { Site } from '#domain/site.ts';
import { type ListReading, readList } from '../workshop/lists/read-list.ts';
import { adminViewer } from './admin-viewer.ts';

/**
 * Loads one page of a list of Admin by its address.
 * @param list `name`: for the number of all, when the filters leave none
 */
export async function loadList<Row, State extends string = never, Filters extends object = object>(
  { context, url }: { context: Readonly<RouterContextProvider>; url: URL },
  {
    name,
    part,
    read,
    ...list
  }: Omit<ListReading<Row, State, Filters>, 'read'> & {
    name?: AdminList;
    part?: AdminPart;
    read(site: Site, viewer: User, ...query: Parameters<ListReading<Row, State, Filters>['read']>): Promise<Page<Row>>;
  },
) {
  const { site, viewer } = adminViewer(context, part);
  const loaded = await readList<Row, State, Filters>(url, {
    ...list,
    read: (...query) => read(site, viewer, ...query),
  });
  return { ...loaded, all: name && (await site.admin.countAll(viewer, name, loaded.page)) };
}
