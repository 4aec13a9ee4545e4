import { plural, t } from '@lingui/core/macro';
import { href } from 'react-router';
import { formatAgo } from '#formats/times.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
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
  return { now: Date.now(), decided: await orBadRequest(site.admin.people.listDecisions(viewer, page)) };
}

/** Decisions on reported comments, newest first. */
export default function DeskDecided({ loaderData: { decided, now } }: Route.ComponentProps) {
  const { items, nextCursor } = decided;
  const { busy, undo } = useReportDecisions(() => href('/admin/desk/decided'));
  if (items.length === 0)
    return <EmptyState title={t`Nothing decided yet`} text={t`Decisions on reported comments are listed here.`} />;
  return (
    <>
      <section className="pane" aria-label={t`Decided`}>
        <ul className="todo">
          {items.map(({ id, verb, username, text, audioTitle, by, at, note, undoneAt, canUndo }) => (
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
          ))}
        </ul>
      </section>
      <ListPager
        shown={plural({ count: items.length }, { one: '# decision shown', other: '# decisions shown' })}
        nextCursor={nextCursor}
      />
      <ListAge />
    </>
  );
}
