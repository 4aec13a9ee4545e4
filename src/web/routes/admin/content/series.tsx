import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import Languages from 'lucide-react/icons/languages';
import Link2 from 'lucide-react/icons/link-2';
import Link2Off from 'lucide-react/icons/link-2-off';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { href, Link } from 'react-router';
import type { AdminSeries } from '#domain/admin/content/series.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { ListPage } from '#web/workshop/lists/list-page.tsx';
import { loadList } from '#web/admin/load-list.ts';
import { NewSeriesDialog } from '#web/admin/content/creator-dialogs.tsx';
import { translationsOf } from '#web/admin/texts/translations-link.tsx';
import { useLanguages } from '#web/root-data.ts';
import { useCall } from '#web/admin/use-call.ts';
import { api } from '#web/api.ts';
import { formatCount } from '#formats/numbers.ts';
import { formatDuration } from '#formats/durations.ts';
import { DeletedSeriesList } from '#web/studio/series/deleted-series-list.tsx';
import { Button } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { MenuItem, MenuLink, MenuSeparator } from '#web/ui/layers/menu-items.tsx';
import { Menu } from '#web/ui/layers/menu.tsx';
import { RowName } from '#web/workshop/lists/table.tsx';
import { HiddenMark } from '#web/workshop/state-mark.tsx';
import type { Route } from './+types/series';

export async function loader(args: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(args.context);
  const [list, deleted] = await Promise.all([
    loadList(args, {
      name: 'series',
      states: ['hidden'],
      read: ({ admin }, actor, { q, state }, page) =>
        admin.content.listSeries(actor, { q, hidden: state === 'hidden', ...page }),
    }),
    site.admin.content.listAllDeletedSeries(viewer, 20),
  ]);
  return { list, deleted: deleted.map((one) => ({ ...one, deletedAt: one.deletedAt.toISOString() })) };
}

export default function AdminSeriesPage({ loaderData }: Route.ComponentProps) {
  const { list, deleted } = loaderData;
  const [isCreating, setIsCreating] = useState(false);
  return (
    <ListPage
      title={t({ message: 'Series', context: 'several' })}
      facts={t`Series from all creators`}
      actions={
        <Button variant="primary" onClick={() => setIsCreating(true)}>
          {t`New series`}
        </Button>
      }
      list={list}
      search={{ label: t`Search series`, placeholder: t`Title, creator` }}
      states={{ label: t`Which series`, options: [['hidden', t({ message: 'Hidden', context: 'several' })]] }}
      empty={{ title: t`No series yet` }}
      keyOf={({ id }) => id}
      columns={[
        {
          head: t({ message: 'Series', context: 'one' }),
          kind: 'name',
          cell: (series) => (
            <RowName
              picture={<Cover imageUrl={series.imageUrl} size={40} />}
              to={editorOf(series)}
              name={series.title}
              note={
                <>
                  /{series.slug}
                  {series.isLinked && (
                    <span className="dot">
                      <Trans>Used as the creator’s page</Trans>
                    </span>
                  )}
                  {series.isHidden && <HiddenMark />}
                </>
              }
            />
          ),
        },
        {
          head: t`Creator`,
          cell: ({ voice }) =>
            voice?.name ?? (
              <span className="text-muted">
                <Trans>Several</Trans>
              </span>
            ),
        },
        { head: t`Audios`, kind: 'number', cell: ({ totalAudios }) => formatCount(totalAudios) },
        {
          head: t`Length`,
          kind: 'number',
          className: 'whitespace-nowrap',
          cell: ({ totalDuration }) => (totalDuration === 0 ? '·' : formatDuration(totalDuration)),
        },
        { head: t`Actions`, kind: 'actions', className: 'go', cell: (series) => <SeriesMenu series={series} /> },
      ]}
    >
      <DeletedSeriesList deleted={deleted} canRestore />
      {isCreating && <NewSeriesDialog onClose={() => setIsCreating(false)} />}
    </ListPage>
  );
}

const editorOf = ({ id, voice }: AdminSeries) => voice && href('/studio/:voice/series/:id', { voice: voice.slug, id });

function SeriesMenu({ series }: { series: AdminSeries }) {
  const { id, title, voice, isHidden, isLinked } = series;
  const { busy, call } = useCall();
  const editor = editorOf(series);
  const hasLanguages = useLanguages().length > 0;

  const setHidden = (hide: boolean): Promise<unknown> =>
    call('hide', () => api.admin.series[':id'].hidden.$put({ param: { id }, json: { isHidden: hide } }), {
      done: hide ? t`${{ name: title }} is hidden` : t`${{ name: title }} is shown again`,
      undo: () => void setHidden(!hide),
    });

  function link({ id: voiceId, name: creator }: { id: string; name: string }): void {
    const json = isLinked ? { seriesId: null, before: id } : { seriesId: id, before: series.linkedOfVoice };
    void call('link', () => api.admin.voices[':id']['linked-series'].$put({ param: { id: voiceId }, json }), {
      done: isLinked ? t`${title} is no longer ${creator}’s page` : t`${title} is now ${creator}’s page`,
    });
  }

  const remove = () =>
    call('delete', () => api.studio.series[':id'].$delete({ param: { id } }), {
      done: t`${{ name: title }} is deleted`,
      about: id,
      undo: () => void restore(),
    });

  const restore = () =>
    call('restore', () => api.studio.series[':id'].restore.$post({ param: { id } }), {
      done: t`${{ name: title }} is restored`,
      about: id,
    });

  return (
    <Menu
      header={title}
      closeKey={`${isHidden} ${isLinked} ${busy}`}
      trigger={
        <IconButton label={t`More for ${{ name: title }}`} icon={Ellipsis} size={40} className="noscript:hidden" />
      }
    >
      {editor !== null && (
        <MenuLink icon={Pencil} render={<Link to={editor} />}>
          {t`Edit`}
        </MenuLink>
      )}
      {voice === null && hasLanguages && (
        <MenuLink icon={Languages} render={<Link to={translationsOf({ kind: 'series', subject: id })} />}>
          {t`Translations`}
        </MenuLink>
      )}
      <MenuItem icon={isHidden ? Eye : EyeOff} onSelect={() => void setHidden(!isHidden)}>
        {isHidden ? t`Show again` : t`Hide`}
      </MenuItem>
      {voice !== null && (
        <>
          <MenuItem icon={isLinked ? Link2Off : Link2} onSelect={() => link(voice)}>
            {isLinked ? t`Stop using as creator’s page` : t`Use as creator’s page`}
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={Trash2} onSelect={() => void remove()}>
            {t`Delete`}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
