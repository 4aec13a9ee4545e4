import { eq, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { operator } from '../kernel/actor.ts';
import { recordChange } from '../kernel/audit.ts';
import { newId } from '../kernel/ids.ts';
import { dueAt } from './calendar.ts';
import type { NoticeParts } from './parts.ts';
import { numberOf } from './rules.ts';
import { noticeSetting } from './settings.ts';
import { appealEnd, findByToken, findProceedings } from './state.ts';
import { noticeAppeals, notices } from './tables.ts';

type Outcome = { ok: true } | { ok: false; reason: 'not-found' | 'too-late' };

/** One appeal of each side within six months; sent again, it changes nothing. */
export async function appeal({ db, settings }: NoticeParts, token: string, reasons: string): Promise<Outcome> {
  return db.transaction(async (tx): Promise<Outcome> => {
    const found = await holdByToken(tx, token);
    if (found === undefined) return { ok: false, reason: 'not-found' };
    const { notice, side } = found;
    const { decisions, appeals } = await findProceedings(tx, notice.id);
    if (appeals.some((one) => one.side === side)) return { ok: true };
    const [first] = decisions;
    const now = new Date();
    if (first === undefined || appealEnd(first.createdAt) < now) return { ok: false, reason: 'too-late' };
    const id = newId();
    const due = dueAt(now, settings.read(noticeSetting));
    await tx.insert(noticeAppeals).values({ id, noticeId: notice.id, side, reasons, dueAt: due });
    await recordBySide(tx, notice, 'appeal.receive', side);
    return { ok: true };
  });
}

/** The creator's answer to a question of the desk; a later one takes the place of the first until the decision. */
export async function answerQuestion({ db }: NoticeParts, token: string, answer: string): Promise<Outcome> {
  return db.transaction(async (tx): Promise<Outcome> => {
    const found = await holdByToken(tx, token);
    if (found === undefined || found.side !== 'owner' || found.notice.askedAt === null)
      return { ok: false, reason: 'not-found' };
    if (found.notice.settledAt !== null) return { ok: false, reason: 'too-late' };
    await tx
      .update(notices)
      .set({ answer, answeredAt: sql`now()` })
      .where(eq(notices.id, found.notice.id));
    await recordBySide(tx, found.notice, 'notice.answer', 'owner');
    return { ok: true };
  });
}

async function holdByToken(tx: Db, token: string) {
  const seen = await findByToken(tx, token);
  if (seen === undefined) return undefined;
  await tx.execute(sql`select from notices where id = ${seen.notice.id} for update`);
  return findByToken(tx, token);
}

/** Says which side, and not who: notices need no account. */
async function recordBySide(
  tx: Db,
  notice: { id: string; number: number; createdAt: Date },
  action: 'appeal.receive' | 'notice.answer',
  side: string,
) {
  await recordChange(tx, {
    actor: operator,
    role: 'operator',
    action,
    subject: { type: 'notice', id: notice.id, name: numberOf(notice) },
    after: { side },
  });
}
