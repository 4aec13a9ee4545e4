import { t } from '@lingui/core/macro';
import { Link } from 'react-router';
import { numberOf } from '#domain/notices/rules.ts';
import { kindText } from '#domain/notices/wording-rules.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { NoticeClock } from '#web/admin/desk/notice-clock.tsx';
import { noticeAddress } from '#web/admin/desk/notice-queue.tsx';
import { subjectTitle } from '#web/admin/desk/subject-words.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import type { Route } from './+types/appeals';

export async function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context, 'desk');
  return { appeals: await site.admin.desk.listAppeals(viewer) };
}

/** Open appeals, due first; each is read by someone who did not decide. */
export default function DeskAppeals({ loaderData: { appeals } }: Route.ComponentProps) {
  if (appeals.length === 0)
    return <EmptyState title={t`Nothing waits`} text={t`Appeals against decisions wait here for someone else.`} />;
  return (
    <section className="pane" aria-label={t`Appeals`}>
      <ul className="todo">
        {appeals.map((appeal) => {
          const number = numberOf({ number: appeal.number, createdAt: new Date(appeal.createdAt) });
          const title = subjectTitle(appeal);
          return (
            <li key={`${appeal.noticeId} ${appeal.side}`} className="todo--line">
              <div className="min-w-0">
                <b dir="auto">{title}</b>
                <small>
                  {appeal.side === 'reporter'
                    ? t`${number}, ${{ kind: kindText(appeal.kind) }}, by the reporter`
                    : t`${number}, ${{ kind: kindText(appeal.kind) }}, by the creator`}
                </small>
                <small className="wrap-anywhere" dir="auto">
                  {appeal.reasons}
                </small>
                <NoticeClock clock={appeal.clock} />
              </div>
              {appeal.isOwn ? (
                <span className="text-13 text-muted">{t`Yours: someone else reads it`}</span>
              ) : (
                <Button
                  size="sm"
                  aria-label={t`Decide: ${title}`}
                  render={<Link to={noticeAddress(appeal.noticeId)} />}
                >
                  {t`Decide`}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
