import { t } from '@lingui/core/macro';
import { useRef } from 'react';
import { href, useNavigate } from 'react-router';
import { canAdminister, deskFilters } from '#domain/admin/rules.ts';
import { placeIn } from '#domain/notices/rules.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { NoticeContent } from '#web/admin/desk/notice-content.tsx';
import { NoticeDecide } from '#web/admin/desk/notice-decide.tsx';
import { NoticeQueue, noticeAddress } from '#web/admin/desk/notice-queue.tsx';
import { DecidePanel } from '#web/admin/people/decide-panel.tsx';
import { useReportDecisions } from '#web/admin/people/report-decisions.ts';
import { ReportKeys, useReportKeys } from '#web/admin/people/report-keys.tsx';
import { ReportReasons, ReportedAuthor, ReportedThread } from '#web/admin/people/reported-comment.tsx';
import { orBadRequest } from '#web/route-errors.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ListAge } from '#web/workshop/lists/list-age.tsx';
import { StateChips } from '#web/workshop/lists/state-chips.tsx';
import type { ReportDetail } from '#domain/admin/people/report-queue.ts';
import type { Route } from './+types/notices';

export async function loader({ context, url: { searchParams } }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context, 'desk');
  const { desk, people } = site.admin;
  const filter = deskFilters.find((one) => one === searchParams.get('state'));
  const cursor = searchParams.get('cursor');
  const asked = searchParams.get('n');
  const [queue, counts] = await Promise.all([
    orBadRequest(desk.listNotices(viewer, filter, { limit: 25, ...(cursor !== null && { cursor }) })),
    desk.countNotices(viewer),
  ]);
  const wanted = asked ?? queue.items[0]?.id;
  const notice = wanted === undefined ? undefined : await desk.findNotice(viewer, wanted);
  if (notice !== undefined) await desk.openNotice(viewer, notice.id);
  const report =
    notice?.ofReports === true && notice.subject.id !== null
      ? await people.findReport(viewer, notice.subject.id)
      : undefined;
  const kept = { ...(filter !== undefined && { state: filter }), ...(cursor !== null && { cursor }) };
  return { queue, counts, filter, kept, notice, report, now: Date.now(), mayUseAll: canAdminister(viewer) };
}

export default function DeskNotices({ loaderData }: Route.ComponentProps) {
  const { queue, counts, filter, kept, notice, report, now, mayUseAll } = loaderData;
  const navigate = useNavigate();
  const sound = useRef<HTMLAudioElement>(null);
  const ids = queue.items.map(({ id }) => id);
  const at = ids.indexOf(notice?.id ?? '');
  const addressAt = (index: number) => {
    const id = ids[index];
    return id === undefined ? undefined : noticeAddress(id, kept);
  };
  const next = addressAt(at + 1) ?? addressAt(at - 1) ?? href('/admin/desk/notices');
  function move(by: 1 | -1): void {
    const to = at === -1 ? undefined : addressAt(at + by);
    if (to !== undefined) void navigate(to, { preventScrollReset: true });
  }
  function playPlace(): void {
    const [first] = notice?.details ?? [];
    if (sound.current === null) return;
    const place = first === undefined ? undefined : placeIn(first.text);
    sound.current.currentTime = place?.from ?? 0;
    void sound.current.play();
  }

  if (notice === undefined)
    return <EmptyState title={t`Nothing waits`} text={t`What someone reports waits here for your decision.`} />;
  return (
    <>
      <StateChips
        label={t`Which notices`}
        value={filter}
        options={[
          { value: undefined, label: t({ message: 'All', context: 'notices' }), count: counts.all },
          { value: 'audio', label: t`Audios`, count: counts.audio },
          { value: 'comment', label: t`Comments`, count: counts.comment },
          { value: 'people', label: t`People`, count: counts.people },
          { value: 'overdue', label: t`Overdue`, count: counts.overdue },
        ]}
      />
      <div className="grid grid-cols-[260px_minmax(0,1fr)_320px] items-start gap-7 max-[80em]:grid-cols-[minmax(0,1fr)_300px] max-lg:grid-cols-1">
        <NoticeQueue notices={queue.items} selectedId={notice.id} now={now} kept={kept} nextCursor={queue.nextCursor} />
        {report === undefined ? (
          <>
            <NoticeContent notice={notice} sound={sound} />
            <aside className="stack sticky top-5 min-w-0 max-lg:static" aria-label={t`Decision`}>
              <NoticeDecide
                key={notice.id}
                notice={notice}
                next={next}
                commands={{ next: () => move(1), previous: () => move(-1), playPlace }}
              />
              <ListAge />
            </aside>
          </>
        ) : (
          <ReportedComment report={report} now={now} mayUseAll={mayUseAll} next={next} move={move} />
        )}
      </div>
    </>
  );
}

type ReportedCommentProps = {
  report: ReportDetail;
  now: number;
  mayUseAll: boolean;
  next: string;
  move(by: 1 | -1): void;
};

/** Reports of a comment by listeners, which have decisions of their own. */
function ReportedComment({ report, now, mayUseAll, next, move }: ReportedCommentProps) {
  const { busy, decide, undoLast } = useReportDecisions(() => next);
  useReportKeys((command) => {
    if (command === 'undo') undoLast();
    else if (command === 'next') move(1);
    else if (command === 'previous') move(-1);
    else return false;
    return true;
  });
  return (
    <>
      <div className="stack min-w-0">
        <ReportedThread report={report} now={now} />
        <ReportReasons report={report} now={now} />
        <ReportedAuthor author={report.author} mayOpen={mayUseAll} />
      </div>
      <aside className="stack sticky top-5 min-w-0 max-lg:static" aria-label={t`Decision`}>
        <DecidePanel
          key={report.id}
          report={report}
          busy={busy !== undefined}
          maySuspend={mayUseAll}
          onDecide={(choice) => decide({ id: report.id, author: report.author.username ?? t`the author`, ...choice })}
        />
        <ReportKeys />
        <ListAge />
      </aside>
    </>
  );
}
