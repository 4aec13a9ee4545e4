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
    <nav className="report-queue" aria-label="Open reports">
      {reports.map((report) => (
        <Link
          key={report.id}
          to={addressOf(report.id, cursor)}
          aria-current={report.id === selectedId ? 'true' : undefined}
          preventScrollReset
          data-report={report.id}
        >
          <b className="truncate">{report.username}</b>
          <small className="tabular-nums">{formatAgo(report.reportedAt, now)}</small>
          <p className="line-clamp-2 self-start">{report.text}</p>
          <small className={report.isHeld ? 'up-bad font-semibold' : undefined}>
            {reasonWords[report.reason]}, {countOf(report.reports, 'report')}
            {report.isHeld && ', hidden'}
          </small>
        </Link>
      ))}
      {nextCursor !== undefined && (
        <Link to={`${href('/admin/reports')}?cursor=${nextCursor}`}>
          <b>More reports</b>
        </Link>
      )}
      {cursor !== null && (
        <Link to={href('/admin/reports')}>
          <b>First page</b>
        </Link>
      )}
    </nav>
  );
}

export function addressOf(id: string, cursor: string | null): string {
  return `${href('/admin/reports')}?${new URLSearchParams({ r: id, ...(cursor !== null && { cursor }) })}`;
}
