import { plural, t } from '@lingui/core/macro';
import { href, Link } from 'react-router';
import { numberOf } from '#domain/notices/rules.ts';
import { kindText } from '#domain/notices/wording-rules.ts';
import { formatAgo } from '#formats/times.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { noticeAddress } from '#web/admin/desk/notice-queue.tsx';
import { decidedWords, subjectTitle } from '#web/admin/desk/subject-words.ts';
import { useReportDecisions, verbWords } from '#web/admin/people/report-decisions.ts';
import { orBadRequest } from '#web/route-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ListAge } from '#web/workshop/lists/list-age.tsx';
import { ListPager } from '#web/workshop/lists/list-pager.tsx';
import type { Route } from './+types/decided';

export async function loader({ context, url: { searchParams } }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context, 'desk');
  const cursor = searchParams.get('cursor');
  const page = { limit: 25, ...(cursor !== null && { cursor }) };
  const ofComments = searchParams.get('of') === 'comments';
  return {
    now: Date.now(),
    decided: ofComments ? undefined : await orBadRequest(site.admin.desk.listDecided(viewer, page)),
    comments: ofComments ? await orBadRequest(site.admin.people.listDecisions(viewer, page)) : undefined,
  };
}

/** Decisions, newest first: on notices, and on reported comments. */
export default function DeskDecided({ loaderData: { decided, comments, now } }: Route.ComponentProps) {
  const items = decided?.items ?? comments?.items ?? [];
  return (
    <>
      <nav className="segments mb-5" aria-label={t`Show`}>
        <Link to={href('/admin/desk/decided')} aria-current={decided === undefined ? undefined : 'page'}>
          {t`Notices`}
        </Link>
        <Link
          to={`${href('/admin/desk/decided')}?of=comments`}
          aria-current={comments === undefined ? undefined : 'page'}
        >
          {t`Reported comments`}
        </Link>
      </nav>
      {items.length === 0 ? (
        <EmptyState title={t`Nothing decided yet`} text={t`Decisions are listed here.`} />
      ) : (
        <>
          <section className="pane" aria-label={t`Decided`}>
            <ul className="todo">
              {decided?.items.map(({ id, noticeId, number, received, name, type, kind, verb, isAppeal, by, at }) => (
                <li key={id} className="todo--line">
                  <div className="min-w-0">
                    <b>{decidedWords[verb]()}</b>
                    <small className="wrap-anywhere">
                      {isAppeal
                        ? t`${{ title: subjectTitle({ type, name }) }}, ${{ kind: kindText(kind) }}, after an appeal`
                        : `${subjectTitle({ type, name })}, ${kindText(kind)}`}
                    </small>
                    <small>
                      {t`${{ number: numberOf({ number, createdAt: new Date(received) }) }}, by ${{ operator: by ?? t`the command line` }}, ${{ when: formatAgo(at, now) }}`}
                    </small>
                  </div>
                  <Button size="sm" render={<Link to={noticeAddress(noticeId)} />}>
                    {t`Open`}
                  </Button>
                </li>
              ))}
              {comments && <DecidedComments items={comments.items} now={now} />}
            </ul>
          </section>
          <ListPager
            shown={plural({ count: items.length }, { one: '# decision shown', other: '# decisions shown' })}
            nextCursor={decided?.nextCursor ?? comments?.nextCursor}
          />
        </>
      )}
      <ListAge />
    </>
  );
}

type Comments = NonNullable<Route.ComponentProps['loaderData']['comments']>['items'];

function DecidedComments({ items, now }: { items: Comments; now: number }) {
  const { busy, undo } = useReportDecisions(() => href('/admin/desk/decided'));
  return items.map(({ id, verb, username, text, audioTitle, by, at, note, undoneAt, canUndo }) => (
    <li key={id} className="todo--line">
      <div className="min-w-0">
        <b>{undoneAt === null ? verbWords()[verb] : t`${{ decision: verbWords()[verb] }}, undone`}</b>
        <small className="wrap-anywhere">
          {audioTitle === null
            ? t`${{ username: username ?? '' }}: “${text}”`
            : t`${{ username: username ?? '' }} under ${audioTitle}: “${text}”`}
        </small>
        <small className="wrap-anywhere">
          {note === null
            ? t`By ${{ operator: by ?? t`the command line` }}, ${{ when: formatAgo(at, now) }}`
            : t`By ${{ operator: by ?? t`the command line` }}, ${{ when: formatAgo(at, now) }}. Note: ${note}`}
        </small>
      </div>
      {canUndo && (
        <Button
          size="sm"
          busy={busy === id ? t`Undoing…` : undefined}
          aria-label={t`Undo: ${{ decision: verbWords()[verb] }}, ${{ username: username ?? '' }}`}
          onClick={() => void undo(id)}
        >
          {t`Undo`}
        </Button>
      )}
    </li>
  ));
}
