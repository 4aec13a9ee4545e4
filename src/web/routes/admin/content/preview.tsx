import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { href, Link } from 'react-router';
import type { ListedAudio } from '#domain/admin/content/house-playlists.ts';
import { AddAudio } from '#web/admin/content/add-audio.tsx';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { useCall } from '#web/admin/use-call.ts';
import { api } from '#web/api.ts';
import { formatDate } from '#formats/times.ts';
import { formatTime } from '#formats/durations.ts';
import { Button } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { Note } from '#web/ui/note.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import { PublicationMark } from '#web/workshop/state-mark.tsx';
import type { Route } from './+types/preview';

export async function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  return { preview: await site.admin.content.findPreview(viewer), now: Date.now() };
}

export default function AdminPreview({ loaderData: { preview, now } }: Route.ComponentProps) {
  const { audio, revision, since, by } = preview;
  const { busy, call } = useCall();
  const [chosen, setChosen] = useState<ListedAudio>();

  async function choose(id: string, title: string): Promise<void> {
    const json = { audioId: id, revision };
    const done = await call('choose', () => api.admin.preview.$put({ json }), {
      done: t`${title} is the preview now`,
    });
    if (done !== undefined) setChosen(undefined);
  }

  return (
    <>
      <WorkshopHead
        title={t({ message: 'Preview', context: 'audio' })}
        facts={t`The one audio that every visitor may hear, and that an empty player shows`}
      />
      <div className="main-and-aside">
        <Pane title={t`Now`}>
          {audio === null ? (
            <p className="text-14 text-soft">
              <Trans>No preview is chosen. Visitors can hear only free audios.</Trans>
            </p>
          ) : (
            <>
              <div className="flex flex-wrap items-center gap-4">
                <Cover imageUrl={audio.imageUrl} size={72} />
                <div className="min-w-0">
                  <Link
                    className="font-semibold block wrap-anywhere hover:underline"
                    to={href('/studio/:voice/audios/:id', { voice: audio.voice.slug, id: audio.id })}
                  >
                    {audio.title}
                  </Link>
                  <p className="text-14 text-muted">
                    {audio.voice.name}, {formatTime(audio.numberDuration)}
                  </p>
                  <p className="mt-2">
                    <PublicationMark of={audio} now={now} />
                  </p>
                </div>
              </div>
              {since !== null && (
                <p className="text-13 mt-4 text-muted">
                  {by === null
                    ? t`Since ${{ day: formatDate(since) }}`
                    : t`Since ${{ day: formatDate(since) }}, chosen by ${by}`}
                </p>
              )}
              {audio.state !== 'published' && (
                <Note tone="error" className="mt-4">
                  {t`Visitors cannot hear it now. Publish it, or choose another one.`}
                </Note>
              )}
            </>
          )}
        </Pane>
        <Pane title={t`Choose another`}>
          <AddAudio
            label={t`Find an audio`}
            isListed={(id) => id === audio?.id}
            listedText={t`The preview`}
            onAdd={setChosen}
          />
          {chosen !== undefined && (
            <div className="mt-4 grid gap-3">
              <div className="flex items-center gap-3">
                <Cover imageUrl={chosen.imageUrl} size={48} />
                <span className="min-w-0">
                  <b className="block wrap-anywhere">{chosen.title}</b>
                  <small className="text-13 text-muted">
                    {chosen.voice}, {formatTime(chosen.duration)}
                    {!chosen.isPublished && (
                      <span className="dot">
                        <Trans>not published</Trans>
                      </span>
                    )}
                  </small>
                </span>
              </div>
              <div className="flex flex-wrap gap-2">
                <Button
                  variant="primary"
                  disabled={!chosen.isPublished}
                  busy={busy && t`Saving…`}
                  onClick={() => void choose(chosen.id, chosen.title)}
                >
                  {t`Make it the preview`}
                </Button>
                <Button variant="ghost" onClick={() => setChosen(undefined)}>
                  {t`Cancel`}
                </Button>
              </div>
            </div>
          )}
        </Pane>
      </div>
    </>
  );
}
