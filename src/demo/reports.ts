import { sql } from 'drizzle-orm';
import type { Db } from '#domain/kernel/db.ts';
import { newIdAt } from '#domain/kernel/ids.ts';
import { people } from './people.ts';

const hourMs = 60 * 60 * 1000;

/** Gives the operator reports to decide. Skips audios and people that are no longer in the demo. */
export async function addDemoReports(tx: Db, now: Date): Promise<void> {
  for (const { audio, by, hours, text, reports } of people.reportedComments) {
    const wroteAt = new Date(now.getTime() - hours * hourMs);
    const { rows } = await tx.execute<{ id: string; createdAt: string }>(sql`
      insert into comments (id, audio_id, user_id, text, created_at)
      select ${newIdAt(wroteAt)}, a.id, u.id, ${text}, greatest(${wroteAt.toISOString()}::timestamptz, a.published_at + interval '1 minute')
      from audios a, users u
      where a.slug = ${audio} and a.published_at is not null and u.username = ${by} and u.identity_provider is null
      returning id, created_at as "createdAt"`);
    for (const comment of rows)
      for (const { by: reporter, reason, details } of reports)
        await tx.execute(sql`
          insert into comment_reports (comment_id, user_id, reason, details, created_at)
          select ${comment.id}, id, ${reason}, ${details ?? null},
            ${comment.createdAt}::timestamptz + (${now.toISOString()}::timestamptz - ${comment.createdAt}::timestamptz) / 2
          from users where username = ${reporter}`);
  }
}
