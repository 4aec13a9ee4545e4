import { and, desc, eq, or, sql } from 'drizzle-orm';
import type { Actor } from '../kernel/actor.ts';
import { roleIn } from '../kernel/rules.ts';
import type { NoticeParts } from './parts.ts';
import { type NoticeVerb, appealMonths, numberOf } from './rules.ts';
import { appealEnd } from './state.ts';
import { notices } from './tables.ts';
import { tokenOf } from './tokens.ts';

/**
 * Notices against an audio that its owners know of: it is hidden, they were asked, or it was decided and can be appealed.
 * For owners alone, because the private page appeals in their name. Newest first.
 */
export async function listAgainst({ db, secret }: Pick<NoticeParts, 'db' | 'secret'>, actor: Actor, audioId: string) {
  // The column with its table, which Drizzle leaves out at the top of a selected expression.
  const id = sql`notices.id`;
  const told = sql`d.notice_id = ${id} and d.undone_at is null and coalesce(d.follow_up_at <= now(), true)`;
  const last = sql`(select d.verb from notice_decisions d where ${told} order by d.id desc limit 1)`;
  const first = sql<string | null>`(select min(d.created_at) from notice_decisions d where ${told})`;
  const own = sql<boolean>`exists (select from notice_appeals p where p.notice_id = ${id} and p.side = 'owner')`;
  const rows = await db
    .select({
      id: notices.id,
      number: notices.number,
      createdAt: notices.createdAt,
      voiceId: notices.voiceId,
      verb: sql<NoticeVerb | null>`${last}`,
      decidedAt: first,
      isHidden: sql<boolean>`${notices.hiddenAt} is not null and ${notices.settledAt} is null`,
      isAsked: sql<boolean>`${notices.askedAt} is not null and ${notices.answeredAt} is null and ${notices.settledAt} is null`,
      hasAppealed: own,
    })
    .from(notices)
    .where(
      and(
        eq(notices.subjectType, 'audio'),
        eq(notices.subjectId, audioId),
        or(
          sql`${notices.settledAt} is null and (${notices.hiddenAt} is not null or ${notices.askedAt} is not null)`,
          sql`${first} + make_interval(months => ${appealMonths}) >= now()`,
        ),
      ),
    )
    .orderBy(desc(notices.number))
    .limit(3);
  return rows
    .filter(({ voiceId }) => voiceId !== null && roleIn(actor, voiceId) === 'owner')
    .map(({ id, number, createdAt, voiceId: _voice, decidedAt, hasAppealed, ...row }) => ({
      ...row,
      number: numberOf({ number, createdAt }),
      token: tokenOf(secret, id, 'owner'),
      /** Null: not decided, or appealed. */
      appealUntil: decidedAt === null || hasAppealed ? null : appealEnd(new Date(decidedAt)),
    }));
}
export type NoticeAgainst = Awaited<ReturnType<typeof listAgainst>>[number];
