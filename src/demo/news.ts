import { sql } from 'drizzle-orm';
import type { Db } from '#domain/kernel/db.ts';

const maxNews = 6;
const unread = 2;

/** News of the newest audios of a demo account's favorite creators, as if the account had followed them for long. */
export async function addDemoNews(tx: Db, userId: string): Promise<void> {
  await tx.execute(sql`
    insert into notifications (id, user_id, kind, subject_id, audio_id, created_at, read_at, is_planned)
    select gen_random_uuid(), ${userId}, 'new-audio', a.id, a.id, a.published_at,
      case when row_number() over (order by a.published_at desc, a.id) > ${unread} then a.published_at + interval '1 hour' end, true
    from voice_favorites f join audios a on a.voice_id = f.content_id and a.published_at <= now()
    where f.user_id = ${userId} order by a.published_at desc, a.id limit ${maxNews}
    on conflict do nothing`);
}
