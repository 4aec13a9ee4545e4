import { asc, eq, getTableName, inArray, or } from 'drizzle-orm';
import { pick } from '../kernel/db.ts';
import { lazyRows } from '../kernel/lazy-rows.ts';
import type { PersonalData } from '../kernel/personal-data.ts';
import { noticeAppeals, noticeDecisions, notices } from './tables.ts';

export const personalData: PersonalData = {
  tables: [notices, noticeDecisions, noticeAppeals].map(getTableName),
  async exportOf(db, userId) {
    const given = lazyRows(db, (on) =>
      on
        .select(
          pick(
            notices,
            'number',
            'subjectName',
            'address',
            'kind',
            'facts',
            'details',
            'name',
            'email',
            'createdAt',
            'settledAt',
          ),
        )
        .from(notices)
        .where(eq(notices.reporterId, userId))
        .orderBy(asc(notices.number)),
    );
    const about = lazyRows(db, (on) =>
      on
        .select({
          ...pick(notices, 'number', 'subjectName', 'address', 'kind', 'createdAt', 'answer', 'settledAt'),
          decision: noticeDecisions.verb,
          ...pick(noticeDecisions, 'canned', 'reasons'),
        })
        .from(notices)
        .leftJoin(noticeDecisions, eq(noticeDecisions.noticeId, notices.id))
        .where(eq(notices.ownerId, userId))
        .orderBy(asc(notices.number)),
    );
    return { notices: { given, about } };
  },
  /** Number, kind and outcome stay for the figures that the site has to publish. */
  async erase(db, userId) {
    const isOwn = or(eq(notices.reporterId, userId), eq(notices.ownerId, userId));
    const own = db.select({ id: notices.id }).from(notices).where(isOwn);
    await db.update(noticeAppeals).set({ reasons: null }).where(inArray(noticeAppeals.noticeId, own));
    await db.update(noticeDecisions).set({ reasons: null, clause: null }).where(inArray(noticeDecisions.noticeId, own));
    await db.update(noticeDecisions).set({ decidedBy: null }).where(eq(noticeDecisions.decidedBy, userId));
    for (const column of ['openedBy', 'askedBy'] as const)
      await db
        .update(notices)
        .set({ [column]: null })
        .where(eq(notices[column], userId));
    const nothing = { facts: {}, details: null, name: null, email: null, digest: null };
    await db
      .update(notices)
      .set({ ...nothing, reporterId: null })
      .where(eq(notices.reporterId, userId));
    await db
      .update(notices)
      .set({ ...nothing, ownerId: null, subjectName: '', address: '', subjectId: null, answer: null })
      .where(eq(notices.ownerId, userId));
  },
};
