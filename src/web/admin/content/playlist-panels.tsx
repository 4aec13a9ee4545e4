import { Form } from '#web/workshop/form.tsx';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { nameLengths, textLengths } from '#domain/admin/forms.ts';
import type { HousePlaylistDetail } from '#domain/admin/content/house-playlists.ts';
import { answerOf, api } from '../../api.ts';
import { Pane } from '../../workshop/pane.tsx';
import { LocalTime, useTimeZone } from '../../workshop/local-time.tsx';
import { ScheduledTimeRemark } from '#web/workshop/forms/scheduled-time-remark.tsx';
import { readScheduledField } from '#web/workshop/forms/scheduled-time.ts';
import { Button } from '../../ui/button.tsx';
import { Collage } from '#web/ui/images/collage.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { Note } from '../../ui/note.tsx';
import type { useCall } from '../use-call.ts';
import { EditedButtons } from '../../workshop/forms/edited-buttons.tsx';
import { useEdited } from '../../workshop/forms/use-edited.ts';

type PanelProps = { playlist: HousePlaylistDetail } & ReturnType<typeof useCall>;

/** @param children the field of the playlist's own picture */
export function PlaylistCover({ playlist, children }: { playlist: HousePlaylistDetail; children: ReactNode }) {
  return (
    <Pane title="Cover">
      {playlist.imageUrl === null && (
        <>
          <Collage imageUrls={playlist.voiceImages} width={296} />
          <p className="text-13 my-3 text-muted">From the portraits of the first four creators in the saved list.</p>
        </>
      )}
      {children}
    </Pane>
  );
}

/** Title and description; the address stays. */
export function PlaylistTexts({ playlist }: { playlist: HousePlaylistDetail }) {
  const { id } = playlist;
  const saved = { title: playlist.title, description: playlist.description };
  const edited = useEdited({
    key: `playlist ${id}`,
    subject: { type: 'playlist', id },
    saved,
    send: (_values, changed, before) =>
      answerOf(api.admin.playlists[':id'].$patch({ param: { id }, json: { ...changed, before } })),
  });
  const { title, description } = edited.values;
  const isReady = edited.isChanged && title.trim() !== '';

  return (
    <Pane title="Text">
      <Form
        onSubmit={() => {
          if (isReady) void edited.save();
        }}
      >
        <Field
          label="Title"
          value={title}
          maxLength={nameLengths.playlist}
          onChange={(event) => edited.change({ title: event.target.value })}
        />
        <TextArea
          label="Description"
          rows={3}
          value={description}
          maxLength={textLengths.playlist}
          onChange={(event) => edited.change({ description: event.target.value })}
        />
        {edited.error !== undefined && <Note tone="error">{edited.error}</Note>}
        <EditedButtons edited={edited} isReady={isReady} verb="Save text" />
      </Form>
    </Pane>
  );
}

/**
 * Publishes now, at a time, or not. Times are in the operator's time zone.
 * @param now the server's time in milliseconds
 */
export function PlaylistPublishing({ playlist, now, busy, call }: PanelProps & { now: number }) {
  const { id, state, publishedAt } = playlist;
  const timeId = useId();
  const [at, setAt] = useState('');
  const zone = useTimeZone();
  const time = at === '' || zone === undefined ? undefined : readScheduledField(at, zone);
  const isFuture = time?.at !== undefined && time.at.getTime() > now;

  function publish(value: 'now' | string | null, done: string): void {
    void call(
      'publish',
      () => answerOf(api.admin.playlists[':id'].$patch({ param: { id }, json: { publishedAt: value } })),
      {
        done,
      },
    );
  }

  return (
    <section className="pane" aria-labelledby="publishing">
      <h2 className="pane-title mb-3" id="publishing">
        Publishing
      </h2>
      <p className="text-14 mb-4 text-soft">
        {state === 'published' && publishedAt !== null && (
          <>
            Published on <LocalTime at={publishedAt} style="full" />.
          </>
        )}
        {state === 'scheduled' && publishedAt !== null && (
          <>
            Scheduled for <LocalTime at={publishedAt} style="full" />.
          </>
        )}
        {state === 'draft' && 'A draft: only operators see it.'}
      </p>
      <div className="grid gap-3">
        {state !== 'published' && (
          <Button
            variant="primary"
            busy={busy === 'publish' ? 'Publishing…' : undefined}
            onClick={() => publish('now', 'Published')}
          >
            Publish now
          </Button>
        )}
        {state !== 'published' && (
          <Form
            className="field"
            onSubmit={() => {
              if (isFuture) publish(time.at.toISOString(), 'Scheduled');
            }}
          >
            <label htmlFor={timeId}>Publish at</label>
            <div className="flex flex-wrap gap-2">
              <input
                id={timeId}
                className="input input--dense min-w-0 flex-1"
                type="datetime-local"
                value={at}
                onChange={(event) => setAt(event.target.value)}
              />
              <Button type="submit" disabled={!isFuture}>
                Schedule
              </Button>
            </div>
            {time !== undefined && <ScheduledTimeRemark time={time} isFuture={isFuture} />}
          </Form>
        )}
        {state !== 'draft' && (
          <Button onClick={() => publish(null, 'Unpublished')}>
            {state === 'scheduled' ? 'Cancel schedule' : 'Unpublish'}
          </Button>
        )}
      </div>
    </section>
  );
}
