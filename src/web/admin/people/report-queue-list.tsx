import { href, Link } from 'react-router';
import type { OpenReport } from '#domain/admin/people/report-queue.ts';
import { formatAgo } from '#formats/times.ts';
import { countOf } from '#formats/numbers.ts';
import { reasonWords } from './report-words.ts';

type ReportQueueListProps = {
  reports: OpenReport[];
  selectedId: string | undefined;
  now: number;
  /** Cursor of this page, kept in the links. */
  cursor: string | null;
  nextCursor: string | undefined;
};

/** Open reports, longest waiting first. */
export function ReportQueueList({ reports, selectedId, now, cursor, nextCursor }: ReportQueueListProps) {
  return (
    <nav
      className="sticky top-5 grid min-w-0 gap-1 max-[80em]:static max-[80em]:col-span-full max-[80em]:grid-cols-3 max-md:-mx-(--gutter) max-md:flex max-md:overflow-x-auto max-md:px-(--gutter) max-md:[scrollbar-width:none]"
      aria-label="Open reports"
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
          <small className={report.isHeld ? 'up-bad font-semibold' : undefined}>
            {reasonWords[report.reason]}, {countOf(report.reports, 'report')}
            {report.isHeld && ', hidden'}
          </small>
        </Link>
      ))}
      {nextCursor !== undefined && (
        <Link className={reportLink} to={`${href('/admin/reports')}?cursor=${nextCursor}`}>
          <b>More reports</b>
        </Link>
      )}
      {cursor !== null && (
        <Link className={reportLink} to={href('/admin/reports')}>
          <b>First page</b>
        </Link>
      )}
    </nav>
  );
}

const reportLink =
  'grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 gap-y-0.5 rounded-cover px-3.5 py-3 text-14 hover:bg-text/5 aria-[current]:bg-overlay aria-[current]:[box-shadow:inset_3px_0_0_var(--accent)] max-md:flex-[0_0_250px] max-md:not-aria-[current]:edge-line';

export function addressOf(id: string, cursor: string | null): string {
  return `${href('/admin/reports')}?${new URLSearchParams({ r: id, ...(cursor !== null && { cursor }) })}`;
}
