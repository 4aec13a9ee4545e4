import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ExternalLink from 'lucide-react/icons/external-link';
import { href, Link, useNavigate } from 'react-router';
import { AddAudio, AddedAudio } from '#web/admin/content/add-audio.tsx';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { deletionOf, useConfirm } from '#web/admin/consequence-dialog.tsx';
import { PlaylistCover, PlaylistTexts } from '#web/admin/content/playlist-panels.tsx';
import { titled } from '#web/workshop/titled.ts';
import { useCall } from '#web/admin/use-call.ts';
import { usePictureSave } from '../../../workshop/forms/use-picture-save.ts';
import { answerOf, api } from '#web/api.ts';
import { formatCount } from '#formats/numbers.ts';
import { formatDuration } from '#formats/durations.ts';
import { orNotFound } from '#web/route-errors.ts';
import { PictureField } from '#web/studio/picture-field.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { EditedBar } from '#web/workshop/forms/edited-bar.tsx';
import { HandOrder, moved } from '#web/workshop/forms/hand-order.tsx';
import {
  type Publication,
  publicationNotices,
  publicationTime,
  PublishingPanel,
} from '#web/workshop/forms/publishing-panel.tsx';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import { PublicationMark } from '#web/workshop/state-mark.tsx';
import type { ReactNode } from 'react';
import type { PlaceOnHome, PlaylistPlaces } from '#domain/admin/content/playlist-places.ts';
import { Pane } from '#web/workshop/pane.tsx';
import { TranslationsLink } from '#web/admin/texts/translations-link.tsx';
import type { Route } from './+types/playlist';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const playlist = orNotFound(await site.admin.content.findPlaylist(viewer, params.id));
  const places = await site.admin.content.findPlaylistPlaces(viewer, params.id, site.look.rails);
  return { playlist: orNotFound(playlist.state === 'deleted' ? undefined : playlist), places, now: Date.now() };
}

export const meta = titled(({ playlist }: Route.ComponentProps['loaderData']) => playlist.title);

export default function AdminPlaylist({ loaderData: { playlist, places, now } }: Route.ComponentProps) {
  const navigate = useNavigate();
  const { call } = useCall();
  const { confirm, dialog } = useConfirm();
  const { id, title, slug, state } = playlist;
  const edited = useEdited({
    key: `audios of playlist ${id}`,
    subject: { type: 'playlist', id },
    saved: { audios: playlist.items },
    send: ({ audios }) => {
      const json = { audioIds: audios.map((item) => item.id), before: playlist.items.map((item) => item.id) };
      return answerOf(api.admin.playlists[':id'].audios.$put({ param: { id }, json }));
    },
  });
  const { audios: items } = edited.values;
  const set = (audios: typeof items) => edited.change({ audios });
  const duration = items.reduce((sum, item) => sum + item.duration, 0);

  const savePicture = usePictureSave('Picture', (picture) => {
    const json = { picture, before: playlist.imageUrl };
    return answerOf(api.admin.playlists[':id'].picture.$put({ param: { id }, json }));
  });

  async function publish(publication: Publication): Promise<boolean> {
    const json = { publishedAt: publicationTime(publication) };
    const send = () => api.admin.playlists[':id'].$patch({ param: { id }, json });
    return (await call('publish', send, { done: publicationNotices()[publication.state] })) !== undefined;
  }

  const remove = () =>
    call('delete', () => api.admin.playlists[':id'].$delete({ param: { id } }), {
      done: t`${{ name: title }} is deleted`,
      about: id,
      undo: () => void restore(),
      leavesTo: href('/admin/playlists'),
    });

  async function restore(): Promise<void> {
    await answerOf(api.admin.playlists[':id'].restore.$post({ param: { id } }));
    await navigate(href('/admin/playlists/:id', { id }));
  }

  return (
    <>
      <WorkshopHead
        title={title}
        back={{ to: href('/admin/playlists'), label: t`Playlists` }}
        facts={
          <>
            <PublicationMark of={playlist} />
            <span>
              <Trans>Playlist of the site</Trans>
            </span>
            <span className="dot">
              {plural({ count: items.length }, { one: '# audio', other: '# audios' })}, {formatDuration(duration)}
            </span>
          </>
        }
      >
        {state === 'published' && (
          <Button render={<Link to={href('/playlists/:slug', { slug })} />}>
            <Icon of={ExternalLink} size={18} />
            <Trans>View page</Trans>
          </Button>
        )}
        <TranslationsLink kind="playlist" subject={id} />
        <Button onClick={() => confirm(deletionOf('playlist', playlist, remove))}>{t`Delete`}</Button>
      </WorkshopHead>
      <div className="main-and-aside">
        <div>
          <AddAudio
            isListed={(audioId) => items.some((item) => item.id === audioId)}
            onAdd={(audio) => set([...items, audio])}
          />
          <div className="mt-4">
            {items.length === 0 ? (
              <EmptyState title={t`No audios yet`} text={t`Find them by title or creator above.`} />
            ) : (
              <HandOrder
                label={t`Audios of this playlist`}
                items={items}
                nameOf={(item) => item.title}
                onMove={(from, to) => set(moved(items, from, to))}
                onRemove={(item) => set(items.filter((other) => other.id !== item.id))}
                renderItem={(item) => <AddedAudio audio={item} />}
              />
            )}
          </div>
        </div>
        <aside className="stack" aria-label={t`About the playlist`}>
          <PlaylistCover playlist={playlist}>
            <PictureField
              name="picture"
              imageUrl={playlist.imageUrl}
              shapes={playlist.imageUrl === null ? [] : ['square']}
              onChoose={savePicture}
            />
          </PlaylistCover>
          <PlaylistTexts playlist={playlist} />
          <PublishingPanel
            state={state}
            publishedAt={playlist.publishedAt}
            seenBy={t`Only operators see it`}
            now={now}
            onPublish={publish}
          />
          <PlaylistPlacesPanel places={places} />
        </aside>
      </div>
      <EditedBar edited={edited} />
      {dialog}
    </>
  );
}

/** Pages that link to the playlist; undefined while it is not published. */
function PlaylistPlacesPanel({ places }: { places: PlaylistPlaces | undefined }) {
  return (
    <Pane title={t`Where it shows`}>
      {places === undefined ? (
        <p className="text-14 text-muted">
          <Trans>Nowhere until it is published.</Trans>
        </p>
      ) : (
        <dl className="grid gap-3">
          <Place name={t`Playlists`}>
            {t`Number ${{ place: formatCount(places.place) }} of ${{ count: formatCount(places.of) }}`}
          </Place>
          <Place name={t`Homepage for visitors`}>{onHome(places.home.visitors)}</Place>
          <Place name={t`Home of listeners`}>{onHome(places.home.listeners)}</Place>
        </dl>
      )}
      <p className="text-13 mt-4 flex flex-wrap gap-x-4 gap-y-2">
        <Link className="link" to={href('/admin/playlists')}>
          {t`Change the order`}
        </Link>
        <Link className="link" to={href('/admin/home')}>
          {t`Change Home`}
        </Link>
      </p>
    </Pane>
  );
}

function Place({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="font-semibold text-14">{name}</dt>
      <dd className="text-13 text-muted">{children}</dd>
    </div>
  );
}

function onHome(place: PlaceOnHome): string {
  if (place === undefined) return t`Not shown`;
  if (place.rail === 'all') return t`Position ${{ place: formatCount(place.place) }} in the playlists row`;
  const { title } = place;
  return title === null ? t`Its own row` : t`Its own row, “${title}”`;
}
