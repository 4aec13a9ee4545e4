import { sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import type { ReportReason } from './rules.ts';

/** A comment with open reports. Reporters are not disclosed. */
export type ReportedComment = {
  id: string;
  /** Slug of its audio. */
  audio: string;
  username: string | null;
  text: string;
  isRemoved: boolean;
  createdAt: Date;
  reports: number;
  reasons: Partial<Record<ReportReason, number>>;
  details: string[];
};

/** Most reported first. */
export async function listReportedComments(db: Db, limit: number): Promise<ReportedComment[]> {
  const { rows } = await db.execute<Omit<ReportedComment, 'createdAt'> & { createdAt: string }>(sql`
    select c.id, a.slug as audio, u.username, c.text, c.removed_at is not null as "isRemoved", c.created_at as "createdAt",
      open.reports, coalesce(open.details, '{}') as details,
      (select jsonb_object_agg(reason, total) from (select r.reason, count(*)::int as total from comment_reports r
        where r.comment_id = c.id and r.settled_at is null group by r.reason) by_reason) as reasons
    from (select comment_id, count(*)::int as reports, min(created_at) as since,
        (array_agg(details order by created_at) filter (where details is not null))[1:5] as details
      from comment_reports where settled_at is null group by comment_id) open
    join comments c on c.id = open.comment_id join audios a on a.id = c.audio_id left join users u on u.id = c.user_id
    where c.text is not null
    order by open.reports desc, open.since, c.id limit ${limit}`);
  return rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: new Date(createdAt) }));
}
