import { plural, t } from '@lingui/core/macro';
import { useState } from 'react';
import { href, Link, useNavigate } from 'react-router';
import { nameLengths, textLengths } from '#domain/admin/forms.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { DeletedList } from '#web/admin/content/deleted-list.tsx';
import { ListPage } from '#web/workshop/lists/list-page.tsx';
import { TextDialog } from '#web/admin/text-dialog.tsx';
import { useCall } from '#web/admin/use-call.ts';
import { useOrder } from '#web/admin/content/use-order.ts';
import { answerOf, api } from '#web/api.ts';
import { formatDuration } from '#formats/durations.ts';
import { Button } from '#web/ui/button.tsx';
import { EditedBar } from '#web/workshop/forms/edited-bar.tsx';
import { HandOrder } from '#web/workshop/forms/hand-order.tsx';
import { PublicationMark } from '#web/workshop/state-mark.tsx';
import type { Route } from './+types/playlists';

export async function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const [playlists, deleted] = await Promise.all([
    site.admin.content.listPlaylists(viewer),
    site.admin.content.listDeletedPlaylists(viewer),
  ]);
  return { playlists, deleted };
}

export default function AdminPlaylists({ loaderData: { playlists, deleted } }: Route.ComponentProps) {
  const navigate = useNavigate();
  const { call } = useCall();
  const { items, move, edited, names } = useOrder(
    'playlist',
    playlists,
    ({ title }) => title,
    (json) => answerOf(api.admin.playlists.order.$put({ json })),
  );
  const [isCreating, setIsCreating] = useState(false);

  return (
    <ListPage
      title={t`Playlists`}
      facts={plural(
        { count: playlists.length },
        {
          one: '# playlist of the site, in this order on every page',
          other: '# playlists of the site, in this order on every page',
        },
      )}
      actions={
        <Button variant="primary" onClick={() => setIsCreating(true)}>
          {t`New playlist`}
        </Button>
      }
      list={{ page: { items } }}
      empty={{ title: t`No playlists yet`, text: t`Playlists of the site appear on Home and under Playlists.` }}
      rows={
        <HandOrder
          label={t`Playlists`}
          items={items}
          nameOf={({ title }) => title}
          onMove={move}
          renderItem={(playlist) => (
            <>
              <span className="relative col-span-2 flex min-w-0 flex-col justify-center max-lg:min-h-11">
                <Link
                  className="font-semibold block truncate after:absolute after:inset-0 hover:underline"
                  to={href('/admin/playlists/:id', { id: playlist.id })}
                >
                  {playlist.title}
                </Link>
                <small className="text-13 flex flex-wrap items-center gap-2 text-muted">
                  <PublicationMark of={playlist} />
                  {plural({ count: playlist.audios }, { one: '# audio', other: '# audios' })}
                </small>
              </span>
              <span className="time-cell text-end whitespace-nowrap text-muted">
                {formatDuration(playlist.duration)}
              </span>
            </>
          )}
        />
      }
    >
      <DeletedList
        items={deleted.map(({ title, ...item }) => ({ ...item, name: title }))}
        restore={(id) => api.admin.playlists[':id'].restore.$post({ param: { id } })}
      />
      <EditedBar edited={edited} valueNames={names} />
      {isCreating && (
        <TextDialog
          title={t`New playlist`}
          verb={t`Create playlist`}
          nameLabel={t`Title`}
          textLabel={t`Description`}
          max={{ name: nameLengths.playlist, text: textLengths.playlist }}
          onClose={() => setIsCreating(false)}
          onSave={async ({ name, text }) => {
            const created = await call('create', () =>
              api.admin.playlists.$post({ json: { title: name, description: text } }),
            );
            if (created !== undefined) await navigate(href('/admin/playlists/:id', { id: created.data.id }));
            return created;
          }}
        />
      )}
    </ListPage>
  );
}
