import { createHash } from 'node:crypto';
import { and, desc, eq, sql } from 'drizzle-orm';
import type { Language } from '#formats/languages.ts';
import { mailTo } from '../identity/account-language.ts';
import { countAttempts } from '../identity/attempts.ts';
import { operator } from '../kernel/actor.ts';
import { recordChange } from '../kernel/audit.ts';
import type { Db } from '../kernel/db.ts';
import { newId } from '../kernel/ids.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { dueAt } from './calendar.ts';
import type { ReportContent } from './forms.ts';
import * as mails from './mails.ts';
import type { NoticeParts } from './parts.ts';
import { type NoticeKind, type ReportField, asksFor, faultsOf, numberOf } from './rules.ts';
import { noticeSetting } from './settings.ts';
import { type Subject, findSubject } from './subjects.ts';
import { notices } from './tables.ts';
import { hashOf, networkMark, tokenOf } from './tokens.ts';
import { settleSubject } from './withhold.ts';

export type GiveOutcome =
  | { ok: true; token: string }
  | { ok: false; reason: 'faults'; faults: ReportField[] }
  /** `contact`: address of the operator. */
  | { ok: false; reason: 'too-many'; contact: string | undefined };

/**
 * Receives a report by anybody, and mails a receipt. The same one within a day is received once.
 * @param language of the page
 * @param address the client’s network; undefined without one
 */
export async function giveNotice(
  parts: NoticeParts,
  viewer: Viewer,
  form: ReportContent,
  language: Language,
  address?: string,
): Promise<GiveOutcome> {
  const { db, secret, settings } = parts;
  const faults = faultsOf(form);
  const subject = await findSubject(db, parts.site.url, form.about);
  if (subject === undefined && !faults.includes('about')) faults.unshift('about');
  if (faults.length > 0 || subject === undefined) return { ok: false, reason: 'faults', faults };
  const kind = form.kind as NoticeKind;
  const facts = Object.fromEntries(
    (['country', 'law', 'work', 'owner'] as const).flatMap((name) =>
      asksFor(name, kind) ? [[name, form[name].trim()]] : [],
    ),
  );
  const [name, email] = [form.name.trim(), form.email.trim().toLowerCase()].map((text) => (text === '' ? null : text));
  const digest = createHash('sha256')
    .update(JSON.stringify([subject.address, subject.id, kind, facts, form.details, name, email]))
    .digest('base64url');
  const calendar = settings.read(noticeSetting);
  const findSame = async (on: Db) => {
    const [same] = await on
      .select({ id: notices.id })
      .from(notices)
      .where(and(eq(notices.digest, digest), sql`${notices.createdAt} > now() - interval '1 day'`))
      .orderBy(desc(notices.createdAt))
      .limit(1);
    return same;
  };
  if (
    (await findSame(db)) === undefined &&
    (await countAttempts(db, secret).take('report-given', { address })) !== undefined
  )
    return { ok: false, reason: 'too-many', contact: parts.operatorEmail };
  const given = await db.transaction(async (tx) => {
    // The same report at the same time waits here, and finds the first one.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`notice ${digest}`}))`);
    const same = await findSame(tx);
    if (same !== undefined) return same;
    const now = new Date();
    const notice = await insertNotice(tx, parts, subject, {
      kind,
      facts,
      details: form.details,
      name: name ?? null,
      email: email ?? null,
      reporterId: viewer.kind === 'user' ? viewer.id : null,
      language,
      digest,
      network: address === undefined ? null : networkMark(secret, address),
      createdAt: now,
      dueAt: dueAt(now, calendar),
      ...(calendar.hides.includes(kind) && { hiddenAt: now, hiddenBy: 'kind' as const }),
    });
    if (email !== null && email !== undefined) {
      const values = { number: notice.number, due: notice.dueAt, token: tokenOf(secret, notice.id, 'reporter') };
      await parts.mail.queue(tx, await mailTo(tx, email, () => mails.receiptMail(parts.site, values), language));
    }
    return { id: notice.id };
  });
  return { ok: true, token: tokenOf(secret, given.id, 'reporter') };
}

/** Puts a notice on the desk, and hides what it is about where it says so. */
export async function insertNotice(
  tx: Db,
  { secret }: Pick<NoticeParts, 'secret'>,
  subject: Subject,
  values: Omit<typeof notices.$inferInsert, 'id' | 'subjectType' | 'subjectId' | 'subjectName' | 'address'>,
): Promise<{ id: string; number: string; dueAt: Date }> {
  const id = newId();
  const { type: subjectType, id: subjectId, name: subjectName, address, voiceId, ownerId } = subject;
  const [row] = await tx
    .insert(notices)
    .values({
      id,
      subjectType,
      subjectId,
      subjectName,
      address,
      voiceId,
      ownerId,
      reporterToken: hashOf(tokenOf(secret, id, 'reporter')),
      ownerToken: hashOf(tokenOf(secret, id, 'owner')),
      ...values,
    })
    .returning({ number: notices.number, createdAt: notices.createdAt, dueAt: notices.dueAt });
  if (row === undefined || row.dueAt === null) throw new Error('a notice has no due date');
  const number = numberOf(row);
  if (values.hiddenAt instanceof Date) {
    await settleSubject(tx, { subjectType, subjectId });
    await recordHiding(tx, { id, number, reason: values.hiddenBy ?? 'kind' });
  }
  return { id, number, dueAt: row.dueAt };
}

export async function recordHiding(tx: Db, { id, number, reason }: { id: string; number: string; reason: string }) {
  await recordChange(tx, {
    actor: operator,
    role: 'operator',
    action: 'notice.hide',
    subject: { type: 'notice', id, name: number },
    before: { hidden: false },
    after: { hidden: true, why: reason },
  });
}
