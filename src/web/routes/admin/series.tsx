import Ellipsis from 'lucide-react/icons/ellipsis';
import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import Link2 from 'lucide-react/icons/link-2';
import Link2Off from 'lucide-react/icons/link-2-off';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { href, Link } from 'react-router';
import type { AdminSeries } from '#domain/admin/content/series.ts';
import { AdminHead } from '../../admin/admin-head.tsx';
import { adminViewer } from '../../admin/admin-viewer.ts';
import { NoMatches } from '../../admin/no-matches.tsx';
import { ListPager } from '../../admin/list-pager.tsx';
import { ListSearch } from '../../admin/list-search.tsx';
import { NewSeriesDialog } from '../../admin/content/new-series-dialog.tsx';
import { useAdminCall } from '../../admin/use-admin-call.ts';
import { answerOf, api } from '../../api.ts';
import { countOf, formatCount } from '#formats/numbers.ts';
import { formatDuration } from '#formats/durations.ts';
import { pageMeta } from '../../page-meta.ts';
import { orBadRequest } from '../../route-errors.ts';
import { DeletedSeriesList } from '../../studio/series/deleted-series-list.tsx';
import { Button } from '../../ui/button.tsx';
import { Cover } from '../../ui/images/cover.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { MenuItem, MenuLink, MenuSeparator } from '../../ui/layers/menu-items.tsx';
import { Menu } from '../../ui/layers/menu.tsx';
import { tableRoles } from '../../workshop/lists/table-roles.ts';
import type { Route } from './+types/series';

const pageSize = 25;

export async function loader({ context, request }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const { searchParams } = new URL(request.url);
  const q = (searchParams.get('q') ?? '').slice(0, 100);
  const hidden = searchParams.get('show') === 'hidden';
  const cursor = searchParams.get('cursor') ?? undefined;
  const [page, deleted] = await Promise.all([
    orBadRequest(site.catalogueAdmin.listSeries(viewer, { q, hidden, cursor, limit: pageSize })),
    site.catalogueAdmin.listDeletedSeries(viewer, 20),
  ]);
  const all = await site.admin.countAll(viewer, 'series', page);
  return {
    q,
    hidden,
    page,
    all,
    deleted: deleted.map((one) => ({ ...one, deletedAt: one.deletedAt.toISOString() })),
  };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Series', description: 'Series of all creators', index: 'no' });
}

export default function AdminSeriesPage({ loaderData }: Route.ComponentProps) {
  const { q, hidden, page, all, deleted } = loaderData;
  const [isCreating, setIsCreating] = useState(false);
  const here = href('/admin/series');
  return (
    <>
      <AdminHead title="Series" facts="Of all creators, with their audios in order">
        <nav className="seg" aria-label="Show">
          <Link to={here} aria-current={hidden ? undefined : 'page'}>
            All
          </Link>
          <Link to={`${here}?show=hidden`} aria-current={hidden ? 'page' : undefined}>
            Hidden
          </Link>
        </nav>
        <Button variant="primary" onClick={() => setIsCreating(true)}>
          New series
        </Button>
      </AdminHead>
      <ListSearch label="Find a series or creator" q={q} keep={hidden ? { show: 'hidden' } : {}} />
      {all !== undefined ? (
        <NoMatches all={all} filters={[q, hidden]} one="series" many="series">
          <EmptyState title="No series yet" />
        </NoMatches>
      ) : (
        <table className="tbl tbl--cards" {...tableRoles.table}>
          <thead>
            <tr {...tableRoles.row}>
              <th {...tableRoles.head}>Series</th>
              <th {...tableRoles.head}>Creator</th>
              <th {...tableRoles.head} className="r">
                Audios
              </th>
              <th {...tableRoles.head} className="r">
                Length
              </th>
              <th {...tableRoles.head}>
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {page.items.map((series) => (
              <SeriesRow key={series.id} series={series} />
            ))}
          </tbody>
        </table>
      )}
      <ListPager shown={`${countOf(page.items.length, 'series', 'series')} shown`} nextCursor={page.nextCursor} />
      <DeletedSeriesList deleted={deleted} canRestore />
      {isCreating && <NewSeriesDialog onClose={() => setIsCreating(false)} />}
    </>
  );
}

function SeriesRow({ series }: { series: AdminSeries }) {
  const { id, title, voice, isHidden, isLinked } = series;
  const { busy, call } = useAdminCall();
  const editor = voice && href('/studio/:voice/series/:id', { voice: voice.slug, id });

  async function setHidden(hide: boolean): Promise<void> {
    await call(
      'hide',
      () => answerOf(api.admin.series[':id'].hidden.$put({ param: { id }, json: { isHidden: hide } })),
      {
        done: hide ? `${title} is hidden` : `${title} is shown again`,
        undo: () => void setHidden(!hide),
      },
    );
  }

  async function link(voiceId: string): Promise<void> {
    const json = isLinked ? { seriesId: null, before: id } : { seriesId: id, before: series.linkedOfVoice };
    await call(
      'link',
      () => answerOf(api.admin.voices[':id']['linked-series'].$put({ param: { id: voiceId }, json })),
      { done: isLinked ? `Links to ${voice?.name} lead to their page` : `Links to ${voice?.name} lead to ${title}` },
    );
  }

  async function remove(): Promise<void> {
    await call('delete', () => answerOf(api.studio.series[':id'].$delete({ param: { id } })), {
      done: `${title} is deleted`,
      about: id,
      undo: () => void restore(),
    });
  }

  async function restore(): Promise<void> {
    await call('restore', () => answerOf(api.studio.series[':id'].restore.$post({ param: { id } })), {
      done: `${title} is restored`,
      about: id,
    });
  }

  return (
    <tr {...tableRoles.row}>
      <td {...tableRoles.cell} className="w2">
        <div className="cell">
          <Cover imageUrl={series.imageUrl} size={40} />
          <div>
            {editor === null ? (
              <b className="wrap-anywhere">{title}</b>
            ) : (
              <Link className="wrap-anywhere" to={editor}>
                {title}
              </Link>
            )}
            <small>
              /{series.slug}
              {isLinked && <span className="dot">Links to the creator lead here</span>}
              {isHidden && (
                <span className="st ml-2">
                  <Icon of={EyeOff} size={16} />
                  Hidden
                </span>
              )}
            </small>
          </div>
        </div>
      </td>
      <td {...tableRoles.cell} data-l="Creator">
        {voice === null ? <span className="text-muted">Several</span> : voice.name}
      </td>
      <td {...tableRoles.cell} className="r" data-l="Audios">
        {formatCount(series.totalAudios)}
      </td>
      <td {...tableRoles.cell} className="r whitespace-nowrap" data-l="Length">
        {series.totalDuration === 0 ? '·' : formatDuration(series.totalDuration)}
      </td>
      <td {...tableRoles.cell} className="go r s">
        <Menu
          header={title}
          closeKey={`${isHidden} ${isLinked} ${busy}`}
          trigger={<IconButton label={`More for ${title}`} icon={Ellipsis} size={40} className="noscript:hidden" />}
        >
          {editor !== null && (
            <MenuLink icon={Pencil} render={<Link to={editor} />}>
              Edit
            </MenuLink>
          )}
          <MenuItem icon={isHidden ? Eye : EyeOff} onSelect={() => void setHidden(!isHidden)}>
            {isHidden ? 'Show again' : 'Hide'}
          </MenuItem>
          {voice !== null && (
            <MenuItem icon={isLinked ? Link2Off : Link2} onSelect={() => void link(voice.id)}>
              {isLinked ? 'Link to the creator’s page instead' : 'Use for links to the creator'}
            </MenuItem>
          )}
          {voice !== null && <MenuSeparator />}
          {voice !== null && (
            <MenuItem icon={Trash2} onSelect={() => void remove()}>
              Delete
            </MenuItem>
          )}
        </Menu>
      </td>
    </tr>
  );
}
