import { plural, t } from '@lingui/core/macro';
import { href, Link } from 'react-router';
import type { QueuedNotice } from '#domain/admin/desk/queue.ts';
import { kindText } from '#domain/notices/wording-rules.ts';
import { formatAgo } from '#formats/times.ts';
import { NoticeClock } from './notice-clock.tsx';

type NoticeQueueProps = {
  notices: QueuedNotice[];
  selectedId: string | undefined;
  now: number;
  /** Further parameters of the list, kept in the links. */
  kept: Record<string, string>;
  nextCursor: string | undefined;
};

/** Due first. */
export function NoticeQueue({ notices, selectedId, now, kept, nextCursor }: NoticeQueueProps) {
  return (
    <nav
      className="sticky top-5 grid min-w-0 gap-1 max-[80em]:static max-[80em]:col-span-full max-[80em]:grid-cols-3 max-md:-mx-(--gutter) max-md:flex max-md:overflow-x-auto max-md:px-(--gutter) max-md:[scrollbar-width:none]"
      aria-label={t`Open notices`}
    >
      {notices.map((notice) => (
        <Link
          key={notice.id}
          className={queueLink}
          to={noticeAddress(notice.id, kept)}
          aria-current={notice.id === selectedId ? 'true' : undefined}
          preventScrollReset
        >
          <b className="truncate" dir="auto">
            {notice.subject.name}
          </b>
          <small className="tabular-nums">{formatAgo(notice.createdAt, now)}</small>
          <p className="col-span-full line-clamp-2 self-start text-13 leading-[1.45] text-soft" dir="auto">
            {notice.text}
          </p>
          <small className="col-span-full">{kindLine(notice)}</small>
          <span className="col-span-full mt-1 grid">
            <NoticeClock clock={notice.clock} />
          </span>
        </Link>
      ))}
      {nextCursor !== undefined && (
        <Link
          className={queueLink}
          to={`${href('/admin/desk/notices')}?${new URLSearchParams({ ...kept, cursor: nextCursor })}`}
        >
          <b>{t`More notices`}</b>
        </Link>
      )}
    </nav>
  );
}

export function kindLine({ kind, reports, subject }: QueuedNotice): string {
  const parts = [
    kindText(kind),
    subject.type === 'comment' && subject.by !== null && t`under ${subject.by}`,
    reports > 1 && plural(reports, { one: '# report', other: '# reports' }),
  ];
  return parts.filter(Boolean).join(', ');
}

const queueLink =
  'grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 gap-y-0.5 rounded-cover px-3.5 py-3 text-14 hover:bg-text/5 aria-[current]:bg-overlay aria-[current]:[box-shadow:inset_3px_0_0_var(--accent)] max-md:flex-[0_0_250px] max-md:not-aria-[current]:edge-line';

export function noticeAddress(id: string, kept: Record<string, string> = {}): string {
  return `${href('/admin/desk/notices')}?${new URLSearchParams({ ...kept, n: id })}`;
}
