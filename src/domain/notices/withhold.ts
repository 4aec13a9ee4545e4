import { sql } from 'drizzle-orm';
import { deleteAudio, restoreAudio } from '../catalogue/editing/deletion.ts';
import type { Db } from '../kernel/db.ts';
import type { NoticeSubject } from './rules.ts';

type Subject = { subjectType: NoticeSubject; subjectId: string | null };

/** Statements that hide (true) or show content again (false). Triggers keep what was public, and give it back. */
const switches: Partial<Record<NoticeSubject, (id: string, isHidden: boolean) => ReturnType<typeof sql>>> = {
  audio: (id, on) => sql`update audios set withheld_at = ${on ? sql`now()` : null}
    where id = ${id} and (withheld_at is null) = ${on}`,
  voice: (id, on) =>
    on
      ? sql`update voices set hidden_at = now(), withheld_at = now() where id = ${id} and hidden_at is null`
      : sql`update voices set hidden_at = null, withheld_at = null where id = ${id} and hidden_at = withheld_at`,
  // Comments that were removed before stay so.
  comment: (id, on) =>
    on
      ? sql`update comments set removed_at = now(), is_held = true where id = ${id} and text is not null and removed_at is null`
      : sql`update comments set removed_at = null, is_held = false where id = ${id} and is_held`,
  user: (id, on) => sql`update users set profile_withheld_at = ${on ? sql`now()` : null}
    where id = ${id} and (profile_withheld_at is null) = ${on}`,
  'user-playlist': (id, on) => sql`update user_playlists set withheld_at = ${on ? sql`now()` : null}
    where id = ${id} and (withheld_at is null) = ${on}`,
};

/** Locks what others lock first, against deadlocks. */
async function lock(tx: Db, { subjectType, subjectId }: Subject): Promise<void> {
  if (subjectType === 'audio')
    await tx.execute(sql`
      select from voices where id = (select voice_id from audios where id = ${subjectId}) for no key update`);
  if (subjectType === 'comment')
    await tx.execute(sql`
      select from comments where id = ${subjectId} or id = (select parent_id from comments where id = ${subjectId})
      order by id for update`);
}

/**
 * Hides the content or shows it again, as its open notices and its decisions in force say: a further notice keeps
 * hidden what one decision would show.
 */
export async function settleSubject(tx: Db, subject: Subject): Promise<void> {
  const { subjectType, subjectId } = subject;
  const turn = switches[subjectType];
  if (turn === undefined || subjectId === null) return;
  await lock(tx, subject);
  const { rows } = await tx.execute<{ isHidden: boolean }>(sql`
    select exists (
      select from notices n left join lateral (
        select verb from notice_decisions d where d.notice_id = n.id and d.undone_at is null order by d.id desc limit 1
      ) last on true
      where n.subject_type = ${subjectType} and n.subject_id = ${subjectId}
        and case when n.settled_at is null then n.hidden_at is not null else last.verb in ('hide', 'remove') end
    ) as "isHidden"`);
  await tx.execute(turn(subjectId, rows[0]?.isHidden ?? false));
}

/** Deletes an audio; files go after 30 days. @returns whether it was not deleted before */
export async function removeSubject(tx: Db, { subjectType, subjectId }: Subject): Promise<boolean> {
  if (subjectType !== 'audio' || subjectId === null) return false;
  const outcome = await deleteAudio(tx, subjectId, { evenPreview: true });
  return outcome.ok && outcome.changed;
}

export async function bringBack(tx: Db, { subjectType, subjectId }: Subject): Promise<void> {
  if (subjectType === 'audio' && subjectId !== null) await restoreAudio(tx, subjectId);
}
