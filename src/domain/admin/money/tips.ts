import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { formatMoney } from '#formats/numbers.ts';
import { sourceLanguage } from '#formats/languages.ts';
import { inLanguage } from '#i18n';
import { users } from '../../identity/tables.ts';
import { voices } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { type Db, pick } from '../../kernel/db.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { startingWith } from '../../kernel/like-patterns.ts';
import { type PageQuery, pageIn } from '../../kernel/pages.ts';
import type { MembershipParts } from '../../membership/customers.ts';
import { type TipState, tipStateOf } from '../../membership/tips/rules.ts';
import { tips } from '../../membership/tips/tables.ts';
import { type TipRow, refundTip as payBack } from '../../membership/tips/tips.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { recordByOperator } from '../record.ts';
import type { TipRefundForm } from '../forms.ts';

/** A tip as operators see it: the note is for the creator only. */
const columns = {
  ...pick(tips, 'id', 'voiceName', 'amount', 'currency', 'tax', 'earned', 'createdAt', 'paidAt', 'refundedAt'),
  ...pick(tips, 'disputedAt', 'refundState'),
  giver: { id: users.id, username: users.username },
  /** Null: the creator is gone. */
  voiceSlug: voices.slug,
};

const isIn: Record<TipState, ReturnType<typeof and>> = {
  waiting: and(isNull(tips.paidAt), isNull(tips.refundedAt)),
  paid: and(isNotNull(tips.paidAt), isNull(tips.refundedAt), isNull(tips.disputedAt)),
  disputed: and(isNotNull(tips.disputedAt), isNull(tips.refundedAt)),
  refunded: isNotNull(tips.refundedAt),
};

/** Newest first. @param filter.q the start of the creator's name or the giver's username, or an id */
export async function listTips(
  db: Db,
  actor: Actor,
  filter: { q?: string | undefined; state?: TipState | undefined },
  query: PageQuery,
) {
  administratorsOnly(actor);
  const page = pageIn('tips', query, { direction: 'desc', id: tips.id });
  const rows = await db
    .select({ ...columns, ...page.columns })
    .from(tips)
    .leftJoin(users, eq(users.id, tips.giverId))
    .leftJoin(voices, eq(voices.id, tips.voiceId))
    .where(and(matching(filter.q), filter.state && isIn[filter.state], page.after))
    .orderBy(...page.orderBy)
    .limit(page.limit);
  return page.of(rows.map((row) => ({ ...row, state: tipStateOf(row) })));
}

export type AdminTip = Awaited<ReturnType<typeof listTips>>['items'][number];

function matching(q: string | undefined) {
  const text = q?.trim().toLowerCase() ?? '';
  if (text === '') return undefined;
  if (isId(text)) return eq(tips.id, text);
  const start = startingWith(text);
  return sql`(lower(${tips.voiceName}) like ${start} or lower(${users.username}) like ${start})`;
}

export type TipAct = { ok: true } | { ok: false; reason: Extract<ErrorCode, `tip/${string}` | 'request/not-found'> };

/** Refunds the whole tip, once. What the creator earned by it is taken off the month that runs. */
export async function refundTip(
  parts: MembershipParts,
  actor: Actor,
  id: string,
  { reason }: TipRefundForm,
): Promise<TipAct> {
  administratorsOnly(actor);
  const outcome = await payBack(parts, id, (tx, tip, how) =>
    record(tx, actor, how === 'failed' ? 'tip.refund-failed' : 'tip.refund', tip, reason),
  );
  if (outcome.ok) return { ok: true };
  return { ok: false, reason: outcome.reason === 'tip/unknown' ? 'request/not-found' : outcome.reason };
}

function record(
  tx: Db,
  actor: Actor,
  action: `tip.${string}`,
  { id, amount, currency, voiceName }: TipRow,
  reason: string,
): Promise<void> {
  const money = inLanguage(sourceLanguage, () => formatMoney(amount, currency));
  return recordByOperator(tx, actor, {
    action,
    // Nobody who gave it: log entries outlive accounts.
    subject: { type: 'tip', id, name: `a tip of ${money} to ${voiceName}` },
    after: { amount, currency, reason },
  });
}
