import { useId, useState } from 'react';
import type { EditedArticle } from '#domain/admin/texts/article-list.ts';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { LocalTime, useTimeZone } from '../../workshop/local-time.tsx';
import { ScheduledTimeRemark } from '#web/workshop/forms/scheduled-time-remark.tsx';
import { readScheduledField } from '#web/workshop/forms/scheduled-time.ts';
import type { SendRevised } from './article-picture.tsx';
import type { useCall } from '../use-call.ts';

type ArticlePublishingProps = {
  article: EditedArticle;
  /** The server's time in milliseconds. */
  now: number;
  /** Saves the typed text. @returns whether it is saved */
  onBefore: () => Promise<boolean>;
  inTurn: SendRevised;
} & ReturnType<typeof useCall>;

/** Publishes now, at a time, or not. Times are in the operator's time zone. */
export function ArticlePublishing({ article, now, onBefore, inTurn, busy, call }: ArticlePublishingProps) {
  const { id, state, publishedAt } = article;
  const timeId = useId();
  const [at, setAt] = useState('');
  const zone = useTimeZone();
  const time = at === '' || zone === undefined ? undefined : readScheduledField(at, zone);
  const isFuture = time?.at !== undefined && time.at.getTime() > now;

  async function publish(wantedAt: string | null, done: string): Promise<void> {
    if (!(await onBefore())) return;
    await call(
      'publish',
      () =>
        inTurn((revision) =>
          answerOf(api.admin.articles[':id'].publication.$put({ param: { id }, json: { revision, at: wantedAt } })),
        ),
      {
        done,
        undo: ({ revision }) =>
          void call('publish', () =>
            answerOf(
              api.admin.articles[':id'].publication.$put({
                param: { id },
                json: { revision, at: publishedAt && publishedAt.toISOString() },
              }),
            ),
          ),
      },
    );
  }

  return (
    <section className="pane" aria-labelledby={`${timeId}-h`}>
      <h2 className="pane-title mb-3" id={`${timeId}-h`}>
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
            Scheduled for <LocalTime at={publishedAt} style="full" />. It is published automatically.
          </>
        )}
        {state === 'draft' && 'A draft: only operators see it.'}
      </p>
      <div className="grid gap-3">
        {state !== 'published' && (
          <>
            <Button
              variant="primary"
              busy={busy === 'publish' ? 'Publishing…' : undefined}
              onClick={() => void publish('now', 'Published')}
            >
              Publish now
            </Button>
            <form
              className="field"
              onSubmit={(event) => {
                event.preventDefault();
                if (isFuture) void publish(time.at.toISOString(), 'Scheduled');
              }}
            >
              <label htmlFor={timeId}>Publish at</label>
              <div className="flex flex-wrap gap-2">
                <input
                  id={timeId}
                  className="input input--dense w-full min-w-0"
                  type="datetime-local"
                  value={at}
                  onChange={(event) => setAt(event.target.value)}
                />
                <Button type="submit" className="flex-1" disabled={!isFuture}>
                  Schedule
                </Button>
              </div>
              {time !== undefined && <ScheduledTimeRemark time={time} isFuture={isFuture} />}
            </form>
          </>
        )}
        {state !== 'draft' && (
          <Button onClick={() => void publish(null, 'Unpublished')}>
            {state === 'scheduled' ? 'Cancel schedule' : 'Unpublish'}
          </Button>
        )}
      </div>
    </section>
  );
}
