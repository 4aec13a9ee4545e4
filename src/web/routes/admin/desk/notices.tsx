import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { href, Link, useNavigate } from 'react-router';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { ListAge } from '../../../workshop/lists/list-age.tsx';
import { DecidePanel } from '#web/admin/people/decide-panel.tsx';
import { ReportKeys, useReportKeys } from '#web/admin/people/report-keys.tsx';
import { ReportReasons, ReportedAuthor, ReportedThread } from '#web/admin/people/reported-comment.tsx';
import { reasonWords, useReportDecisions } from '#web/admin/people/report-decisions.ts';
import { formatAgo } from '#formats/times.ts';
import { orBadRequest } from '#web/route-errors.ts';
import { canAdminister } from '#domain/admin/rules.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import type { OpenReport } from '#domain/admin/people/report-queue.ts';
import type { Route } from './+types/notices';

const pageSize = 25;

export async function loader({ context, url: { searchParams } }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context, 'desk');
  const cursor = searchParams.get('cursor');
  const now = Date.now();
  const page = { limit: pageSize, ...(cursor !== null && { cursor }) };
  const open = await orBadRequest(site.admin.people.listOpenReports(viewer, page));
  const asked = searchParams.get('r');
  const selected =
    (asked === null ? undefined : await site.admin.people.findReport(viewer, asked)) ??
    (open.items[0] && (await site.admin.people.findReport(viewer, open.items[0].id)));
  return { now, cursor, open, selected, mayUseAll: canAdminister(viewer) };
}

export default function DeskNotices({ loaderData: { open, selected, cursor, now, mayUseAll } }: Route.ComponentProps) {
  const navigate = useNavigate();
  const ids = open.items.map(({ id }) => id);
  const { busy, decide, undoLast } = useReportDecisions((id) => {
    const next = ids[ids.indexOf(id) + 1] ?? ids[ids.indexOf(id) - 1];
    return next === undefined ? href('/admin/desk/notices') : addressOf(next, cursor);
  });
  function move(by: 1 | -1): void {
    const next = ids[ids.indexOf(selected?.id ?? '') + by];
    if (next !== undefined) void navigate(addressOf(next, cursor), { preventScrollReset: true });
  }

  useReportKeys((command) => {
    if (command === 'undo') undoLast();
    else if (command === 'next') move(1);
    else if (command === 'previous') move(-1);
    else return false;
    return true;
  });

  if (selected === undefined)
    return (
      <EmptyState
        title={t`No reports to decide`}
        text={t`A comment that a listener reports waits here for your decision.`}
      />
    );

  return (
    <div className="grid grid-cols-[260px_minmax(0,1fr)_320px] items-start gap-7 max-[80em]:grid-cols-[minmax(0,1fr)_300px] max-lg:grid-cols-1">
      <ReportQueueList
        reports={open.items}
        selectedId={selected.id}
        now={now}
        cursor={cursor}
        nextCursor={open.nextCursor}
      />
      <div className="stack min-w-0">
        <ReportedThread report={selected} now={now} />
        <ReportReasons report={selected} now={now} />
        <ReportedAuthor author={selected.author} mayOpen={mayUseAll} />
      </div>
      <aside className="stack sticky top-5 min-w-0 max-lg:static" aria-label={t`Decision`}>
        <DecidePanel
          key={selected.id}
          report={selected}
          busy={busy !== undefined}
          maySuspend={mayUseAll}
          onDecide={(choice) =>
            decide({ id: selected.id, author: selected.author.username ?? t`the author`, ...choice })
          }
        />
        <ReportKeys />
        <ListAge />
      </aside>
    </div>
  );
}

type ReportQueueListProps = {
  reports: OpenReport[];
  selectedId: string | undefined;
  now: number;
  /** Cursor of this page, kept in the links. */
  cursor: string | null;
  nextCursor: string | undefined;
};

/** Open reports, longest waiting first. */
function ReportQueueList({ reports, selectedId, now, cursor, nextCursor }: ReportQueueListProps) {
  return (
    <nav
      className="sticky top-5 grid min-w-0 gap-1 max-[80em]:static max-[80em]:col-span-full max-[80em]:grid-cols-3 max-md:-mx-(--gutter) max-md:flex max-md:overflow-x-auto max-md:px-(--gutter) max-md:[scrollbar-width:none]"
      aria-label={t`Open reports`}
    >
      {reports.map((report) => (
        <Link
          key={report.id}
          className={reportLink}
          to={addressOf(report.id, cursor)}
          aria-current={report.id === selectedId ? 'true' : undefined}
          preventScrollReset
          data-report={report.id}
        >
          <b className="truncate">{report.username}</b>
          <small className="tabular-nums">{formatAgo(report.reportedAt, now)}</small>
          <p className="col-span-full line-clamp-2 self-start text-13 leading-[1.45] text-soft">{report.text}</p>
          <small className={report.isHeld ? 'up-bad font-semibold' : undefined}>{reportText(report)}</small>
        </Link>
      ))}
      {nextCursor !== undefined && (
        <Link className={reportLink} to={`${href('/admin/desk/notices')}?cursor=${nextCursor}`}>
          <b>
            <Trans>More reports</Trans>
          </b>
        </Link>
      )}
      {cursor !== null && (
        <Link className={reportLink} to={href('/admin/desk/notices')}>
          <b>
            <Trans>First page</Trans>
          </b>
        </Link>
      )}
    </nav>
  );
}

function reportText({ reason: code, reports, isHeld }: OpenReport): string {
  const reason = reasonWords()[code];
  return isHeld
    ? t`${reason}, ${plural(reports, { one: '# report', other: '# reports' })}, hidden`
    : t`${reason}, ${plural(reports, { one: '# report', other: '# reports' })}`;
}

const reportLink =
  'grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 gap-y-0.5 rounded-cover px-3.5 py-3 text-14 hover:bg-text/5 aria-[current]:bg-overlay aria-[current]:[box-shadow:inset_3px_0_0_var(--accent)] max-md:flex-[0_0_250px] max-md:not-aria-[current]:edge-line';

function addressOf(id: string, cursor: string | null): string {
  return `${href('/admin/desk/notices')}?${new URLSearchParams({ r: id, ...(cursor !== null && { cursor }) })}`;
}
