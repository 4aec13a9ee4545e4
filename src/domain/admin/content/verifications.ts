import { eq, sql } from 'drizzle-orm';
import { voices } from '../../catalogue/tables.ts';
import type { Mail } from '../../gateways.ts';
import { users } from '../../identity/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { type Db, allowLongStatements } from '../../kernel/db.ts';
import type { MailContent, MailSite } from '../../kernel/email-template.ts';
import type { CheckForm, RefusalForm, WithdrawalForm } from '../../verification/forms.ts';
import { refusedMail, verifiedMail, withdrawnMail } from '../../verification/mails.ts';
import type { voiceVerifications } from '../../verification/tables.ts';
import { holdVerification, mailOwners, writeVerification } from '../../verification/verifications.ts';
import { recordByOperator } from '../record.ts';
import { canAdminister } from '../rules.ts';

/** Operators' decisions on who a creator is; each is told to the owners by mail. */

type Parts = { db: Db; mail: Mail; site: MailSite };
type Refusal = 'not-verified' | 'not-now';
type Outcome = { ok: true } | { ok: false; reason: 'not-found' | Refusal };
type Held = NonNullable<Awaited<ReturnType<typeof holdVerification>>>;
type Values = Partial<typeof voiceVerifications.$inferInsert>;

/** Each decision ends the request, and the record of a former one. */
const blank: Values = {
  method: null,
  reference: null,
  checkedOn: null,
  verifiedUntil: null,
  reason: null,
  askAgainOn: null,
  askedAt: null,
  askedBy: null,
  appeal: null,
  hidVoice: false,
};

async function decide(
  { db, mail }: Parts,
  actor: Actor,
  voiceId: string,
  one: {
    action: `verification.${string}`;
    values: (held: Held) => (Values & { decision: NonNullable<Values['decision']> }) | Refusal;
    /** Hides the creator, or shows one that a withdrawal hid. */
    hides?: (held: Held) => boolean | undefined;
    write: (voice: { creator: string; slug: string }) => MailContent;
  },
): Promise<Outcome> {
  if (!canAdminister(actor)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx): Promise<Outcome> => {
    const held = await holdVerification(tx, voiceId);
    if (held === undefined) return { ok: false, reason: 'not-found' };
    const { voice, row } = held;
    const values = one.values(held);
    if (typeof values === 'string') return { ok: false, reason: values };
    const decidedBy = actor.kind === 'user' ? actor.id : null;
    const [operator] =
      decidedBy === null ? [] : await tx.select({ name: users.username }).from(users).where(eq(users.id, decidedBy));
    const set = { ...blank, ...values, decidedAt: new Date(), decidedBy, decidedByName: operator?.name ?? null };
    await writeVerification(tx, voice.id, set);
    const isHidden = one.hides?.(held);
    if (isHidden !== undefined) {
      await allowLongStatements(tx);
      await tx
        .update(voices)
        .set({ hiddenAt: isHidden ? sql`now()` : null })
        .where(eq(voices.id, voice.id));
    }
    const shown = ({ decision, method, reference, checkedOn, verifiedUntil, reason, askAgainOn }: Values) => ({
      decision: decision ?? null,
      method: method ?? null,
      reference: reference ?? null,
      checkedOn: checkedOn ?? null,
      verifiedUntil: verifiedUntil ?? null,
      reason: reason ?? null,
      askAgainOn: askAgainOn ?? null,
    });
    await recordByOperator(tx, actor, {
      action: one.action,
      subject: { type: 'voice', id: voice.id, name: voice.name },
      voiceId: voice.id,
      before: { ...shown(row ?? {}), hidden: voice.isHidden },
      after: { ...shown(set), hidden: isHidden ?? voice.isHidden },
    });
    await mailOwners({ db: tx, mail }, voice.id, () => one.write({ creator: voice.name, slug: voice.slug }));
    return { ok: true };
  });
}

/** Records a check that was made outside of the site. Shows a creator whom a withdrawal hid. */
export function recordCheck(parts: Parts, actor: Actor, voiceId: string, form: CheckForm): Promise<Outcome> {
  const { method, reference, checkedOn, until } = form;
  return decide(parts, actor, voiceId, {
    action: 'verification.record',
    values: () => ({ decision: 'verified', method, reference, checkedOn, verifiedUntil: until }),
    hides: ({ row }) => (row?.hidVoice === true ? false : undefined),
    write: (voice) => verifiedMail(parts.site, { ...voice, until }),
  });
}

/** Answers a request. What is online stays online; a check that still counted ends. */
export function refuseVerification(parts: Parts, actor: Actor, voiceId: string, form: RefusalForm): Promise<Outcome> {
  return decide(parts, actor, voiceId, {
    action: 'verification.refuse',
    values: ({ row }) => (row?.askedAt ? { decision: 'refused', ...form, hidVoice: row.hidVoice } : 'not-now'),
    write: (voice) => refusedMail(parts.site, { ...voice, ...form }),
  });
}

/** Hides the creator with all audios. */
export function withdrawVerification(
  parts: Parts,
  actor: Actor,
  voiceId: string,
  { reason }: WithdrawalForm,
): Promise<Outcome> {
  return decide(parts, actor, voiceId, {
    action: 'verification.withdraw',
    values: ({ voice, row }) =>
      row?.decision === 'verified' ? { decision: 'withdrawn', reason, hidVoice: !voice.isHidden } : 'not-verified',
    hides: ({ voice }) => (voice.isHidden ? undefined : true),
    write: (voice) => withdrawnMail(parts.site, { ...voice, reason }),
  });
}
