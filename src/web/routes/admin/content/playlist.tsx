import ExternalLink from 'lucide-react/icons/external-link';
import { href, Link, useNavigate, useRevalidator } from 'react-router';
import { AddAudio } from '#web/admin/content/add-audio.tsx';
import { AdminHead } from '#web/admin/admin-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { DeleteButton } from '#web/admin/delete-button.tsx';
import { PlaylistCover, PlaylistPublishing, PlaylistTexts } from '#web/admin/content/playlist-panels.tsx';
import { PlaylistPlacesPanel } from '#web/admin/content/playlist-places-panel.tsx';
import { PlaylistState } from '#web/admin/content/playlist-state.tsx';
import { useCall } from '#web/admin/use-call.ts';
import { answerOf, api } from '#web/api.ts';
import { countOf } from '#formats/numbers.ts';
import { formatDuration, formatTime } from '#formats/durations.ts';
import { pageMeta } from '#web/page-meta.ts';
import { orNotFound } from '#web/route-errors.ts';
import { PictureField } from '#web/studio/picture-field.tsx';
import { Button } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { useToast } from '#web/ui/layers/toast.tsx';
import { EditedBar } from '#web/workshop/forms/edited-bar.tsx';
import { HandOrder, moved } from '#web/workshop/forms/hand-order.tsx';
import type { ChosenPicture } from '#web/workshop/forms/read-picture.ts';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import type { Route } from './+types/playlist';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const playlist = orNotFound(await site.admin.content.findPlaylist(viewer, params.id));
  const places = await site.admin.content.findPlaylistPlaces(viewer, params.id, site.look.rails);
  return { playlist: orNotFound(playlist.state === 'deleted' ? undefined : playlist), places, now: Date.now() };
}

export function meta({ loaderData, ...args }: Route.MetaArgs) {
  if (loaderData === undefined) return pageMeta(args, undefined);
  return pageMeta(args, { title: loaderData.playlist.title, description: 'A playlist of the site', index: 'no' });
}

/** A key per item, so that input and dialogs of one do not appear on another. */
export default function AdminPlaylist({ loaderData }: Route.ComponentProps) {
  return <PlaylistPage key={loaderData.playlist.id} {...loaderData} />;
}

function PlaylistPage({ playlist, places, now }: Route.ComponentProps['loaderData']) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const calls = useCall();
  const { busy, call } = calls;
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

  async function savePicture(picture: ChosenPicture | null): Promise<string | undefined> {
    const json = { picture: picture?.base64 ?? null, before: playlist.imageUrl };
    const answer = await answerOf(api.admin.playlists[':id'].picture.$put({ param: { id }, json }));
    if (answer.ok || answer.status === 409) await revalidate();
    if (!answer.ok) return answer.message;
    showToast({ text: picture === null ? 'Picture removed' : 'Picture saved' });
    return undefined;
  }

  async function remove(): Promise<void> {
    await call('delete', () => answerOf(api.admin.playlists[':id'].$delete({ param: { id } })), {
      done: `${title} is deleted`,
      about: id,
      undo: () => void restore(),
      leavesTo: href('/admin/playlists'),
    });
  }

  async function restore(): Promise<void> {
    await answerOf(api.admin.playlists[':id'].restore.$post({ param: { id } }));
    await navigate(href('/admin/playlists/:id', { id }));
  }

  return (
    <>
      <AdminHead
        title={title}
        back={{ to: href('/admin/playlists'), label: 'Playlists' }}
        facts={
          <>
            <PlaylistState playlist={playlist} />
            <span>Playlist of the site</span>
            <span className="dot">
              {countOf(items.length, 'audio')}, {formatDuration(duration)}
            </span>
          </>
        }
      >
        {state === 'published' && (
          <Button render={<Link to={href('/playlists/:slug', { slug })} />}>
            <Icon of={ExternalLink} size={18} />
            View page
          </Button>
        )}
        <DeleteButton
          kind="playlist"
          title={title}
          isPublished={state === 'published'}
          isBusy={busy === 'delete'}
          onDelete={remove}
        />
      </AdminHead>
      <div className="main-and-aside">
        <div>
          <AddAudio
            isListed={(audioId) => items.some((item) => item.id === audioId)}
            onAdd={(audio) => set([...items, audio])}
          />
          <div className="mt-4">
            {items.length === 0 ? (
              <EmptyState title="No audios yet" text="Find them by title or creator above." />
            ) : (
              <HandOrder
                label="Audios of this playlist"
                items={items}
                nameOf={(item) => item.title}
                onMove={(from, to) => set(moved(items, from, to))}
                onRemove={(item) => set(items.filter((other) => other.id !== item.id))}
                renderItem={(item) => (
                  <>
                    <Cover imageUrl={item.imageUrl} size={40} />
                    <span className="min-w-0">
                      <b className="block truncate">{item.title}</b>
                      <small className="text-13 block truncate text-muted">
                        {item.voice}
                        {!item.isPublished && ', not published'}
                      </small>
                    </span>
                    <span className="time-cell text-right text-muted">{formatTime(item.duration)}</span>
                  </>
                )}
              />
            )}
          </div>
        </div>
        <aside className="stack" aria-label="About the playlist">
          <PlaylistCover playlist={playlist}>
            <PictureField
              name="picture"
              imageUrl={playlist.imageUrl}
              shapes={playlist.imageUrl === null ? [] : ['square']}
              onChoose={savePicture}
            />
          </PlaylistCover>
          <PlaylistTexts playlist={playlist} />
          <PlaylistPublishing playlist={playlist} now={now} {...calls} />
          <PlaylistPlacesPanel places={places} />
        </aside>
      </div>
      <EditedBar edited={edited} />
    </>
  );
}
