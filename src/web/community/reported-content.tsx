import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import type { NoticeSubject } from '#domain/notices/rules.ts';
import { formatDuration } from '#formats/durations.ts';

const nouns: Record<NoticeSubject, (by: string | null) => string> = {
  audio: (by) => (by === null ? t`Audio` : t`Audio by ${by}`),
  voice: () => t`Creator`,
  comment: (by) => (by === null ? t`Comment` : t`Comment under ${by}`),
  user: () => t`Profile`,
  'user-playlist': (by) => (by === null ? t`Playlist` : t`Playlist by ${by}`),
  page: () => t`Page of this site`,
};

type ReportedContentProps = {
  type: NoticeSubject;
  name: string;
  by: string | null;
  imageUrl: string | null;
  durationMs: number | null;
  children?: ReactNode;
};

/** The subject of a report, in one box. */
export function ReportedContent({ type, name, by, imageUrl, durationMs, children }: ReportedContentProps) {
  return (
    <div className="report__about">
      {imageUrl !== null && <img src={`${imageUrl}?width=112&quality=80&format=webp`} alt="" />}
      <div className="min-w-0 flex-1">
        <b dir="auto">{name}</b>
        <p>
          {nouns[type](by)}
          {durationMs !== null && <span className="dot tabular-nums">{formatDuration(durationMs / 1000)}</span>}
        </p>
      </div>
      {children}
    </div>
  );
}
