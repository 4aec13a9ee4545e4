import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { Actor, ActorRole } from './actor.ts';
import type { Db } from './db.ts';
import { type ChangedCode, ChangedMeanwhile } from './errors.ts';
import { newId } from './ids.ts';

export const auditEntries = pgTable('audit_entries', {
  /** UUIDv7: ordered by time. */
  id: uuid().primaryKey(),
  createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
  actorId: uuid(),
  actorRole: text().$type<ActorRole>().notNull(),
  /** For acts as admin or moderator only: these two outlive the account. */
  actorName: text(),
  actorAddress: text(),
  action: text().notNull(),
  subjectType: text().notNull(),
  subjectId: text().notNull(),
  subjectName: text().notNull(),
  voiceId: uuid(),
  before: jsonb().$type<Fields>(),
  after: jsonb().$type<Fields>(),
});

/** The role of someone who acts in Admin or on the command line; the caller has checked the right. */
export function operatorRole(actor: Actor): 'moderator' | 'admin' | 'operator' {
  return actor.kind === 'operator' ? 'operator' : actor.isModerator === true ? 'moderator' : 'admin';
}

type Fields = Record<string, unknown>;

export type Change = {
  actor: Actor | 'performer';
  role: ActorRole;
  /** Subject and verb, such as `audio.publish`. */
  action: `${string}.${string}`;
  subject: { type: string; id: string; name: string };
  voiceId?: string | undefined;
  /** Fields before and after; those that are equal are left out. No secrets, and nothing that a listener did. */
  before?: Fields | undefined;
  after?: Fields | undefined;
};

/** Records a change in the transaction that makes it. Records nothing when `before` and `after` are equal. */
export async function recordChange(tx: Db, change: Change): Promise<void> {
  const { actor, role, action, subject, voiceId, before, after } = change;
  const [changedBefore, changedAfter] = changedFields(before, after);
  if (before !== undefined && after !== undefined && changedAfter === undefined) return;
  const isUser = actor !== 'performer' && actor.kind === 'user';
  await tx.insert(auditEntries).values({
    id: newId(),
    actorId: isUser ? actor.id : null,
    actorRole: role,
    ...(isUser &&
      (role === 'admin' || role === 'moderator') && {
        // Within the insertion, because most acts do not read their actor.
        actorName: sql`(select username from users where id = ${actor.id})`,
        actorAddress: actor.address ?? null,
      }),
    action,
    subjectType: subject.type,
    subjectId: subject.id,
    subjectName: [...subject.name].slice(0, 500).join(''),
    voiceId: voiceId ?? null,
    before: changedBefore ?? null,
    after: changedAfter ?? null,
  });
}

function changedFields(before?: Fields, after?: Fields): [Fields | undefined, Fields | undefined] {
  if (before === undefined || after === undefined) return [before, after];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (names.length === 0) return [undefined, undefined];
  const pick = (fields: Fields) => Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
  return [pick(before), pick(after)];
}

/** `id`: `all` for the hand-made order of all items of the type. */
export type Subject = { type: string; id: string };

/** The refusal of an edit whose author has not seen the last change, with who made that and when, as the log says. */
export async function changedMeanwhile(tx: Db, subject: Subject, code: ChangedCode = 'text/changed-meanwhile') {
  const last = await findLastChange(tx, subject);
  return new ChangedMeanwhile(code, last && { by: last.by, at: last.at });
}

const changesOfOrder = (type: string) => ['order', 'create', 'delete', 'restore'].map((verb) => `${type}.${verb}`);

/** As the log says. `voiceId`: of the creator that the subject belongs to. @param notBy id of a user whose changes do not count */
export async function findLastChange(tx: Db, { type, id }: Subject, notBy?: string) {
  const [last] = await tx
    .select({
      voiceId: auditEntries.voiceId,
      by: sql<
        string | null
      >`coalesce((select username from users where id = ${auditEntries.actorId}), ${auditEntries.actorName})`,
      at: auditEntries.createdAt,
    })
    .from(auditEntries)
    .where(
      and(
        ...(id === 'all'
          ? [
              eq(sql`split_part(${auditEntries.action}, '.', 1)`, type),
              inArray(auditEntries.action, changesOfOrder(type)),
            ]
          : [eq(auditEntries.subjectId, id), eq(auditEntries.subjectType, type)]),
        notBy === undefined ? undefined : sql`${auditEntries.actorId} is distinct from ${notBy}`,
      ),
    )
    .orderBy(desc(auditEntries.id))
    .limit(1);
  return last;
}
