import type { SQL } from 'drizzle-orm';
import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { users } from '../identity/tables.ts';
import type { AvatarColor } from '../identity/rules.ts';
import type { Actor, ActorRole } from '../kernel/actor.ts';
import { auditEntries } from '../kernel/audit.ts';
import { csvLine } from '../kernel/csv.ts';
import type { Db } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import type { Page } from '../kernel/pages.ts';
import { decodeCursor, encodeCursor, toPage } from '../kernel/pages.ts';
import { voices } from '../catalogue/tables.ts';
import { administratorsOnly } from './administrators-only.ts';

/** Reads the audit log. Entries are only ever added, and say nothing about listening. */

export type LogEntry = {
  id: string;
  at: Date;
  /** Null: the operator on the command line, or an account that was deleted. */
  by: { id: string; username: string | null; icon: string | null; color: AvatarColor } | null;
  role: ActorRole;
  action: string;
  subject: { type: string; id: string; name: string };
  voice: { slug: string; name: string } | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
};

export type LogFilters = {
  /** The part of an action before its dot. */
  area?: string | undefined;
  /** A username, or `operator` for the command line. */
  who?: string | undefined;
  /** Slug of a voice. */
  voice?: string | undefined;
  days?: number | undefined;
  subjectId?: string | undefined;
};

const order = 'log';

export async function listLogEntries(
  db: Db,
  actor: Actor,
  filters: LogFilters,
  page: { cursor?: string | undefined; limit: number },
): Promise<Page<LogEntry>> {
  administratorsOnly(actor);
  const cursor = decodeCursor(order, page.cursor, z.uuid());
  const rows = await db
    .select({
      id: auditEntries.id,
      at: auditEntries.createdAt,
      actorId: auditEntries.actorId,
      username: users.username,
      icon: users.icon,
      color: users.color,
      role: auditEntries.actorRole,
      action: auditEntries.action,
      subjectType: auditEntries.subjectType,
      subjectId: auditEntries.subjectId,
      subjectName: auditEntries.subjectName,
      voiceSlug: voices.slug,
      voiceName: voices.name,
      before: auditEntries.before,
      after: auditEntries.after,
    })
    .from(auditEntries)
    .leftJoin(users, eq(users.id, auditEntries.actorId))
    .leftJoin(voices, eq(voices.id, auditEntries.voiceId))
    .where(and(...conditions(filters), cursor && lt(auditEntries.id, cursor.id)))
    .orderBy(desc(auditEntries.id))
    .limit(page.limit + 1);
  return toPage(rows, page.limit, present, ({ id }) => encodeCursor(order, { value: id, id }));
}

type Row = {
  id: string;
  at: Date;
  actorId: string | null;
  username: string | null;
  icon: string | null;
  color: AvatarColor | null;
  role: ActorRole;
  action: string;
  subjectType: string;
  subjectId: string;
  subjectName: string;
  voiceSlug: string | null;
  voiceName: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
};

function present(row: Row): LogEntry {
  const { id, at, actorId, username, icon, color, role, action, voiceSlug, voiceName, before, after } = row;
  return {
    id,
    at,
    by: actorId === null || color === null ? null : { id: actorId, username, icon, color },
    role,
    action,
    subject: { type: row.subjectType, id: row.subjectId, name: row.subjectName },
    voice: voiceSlug === null || voiceName === null ? null : { slug: voiceSlug, name: voiceName },
    before,
    after,
  };
}

function conditions({ area, who, voice, days, subjectId }: LogFilters): (SQL | undefined)[] {
  return [
    area === undefined ? undefined : sql`split_part(${auditEntries.action}, '.', 1) = ${area}`,
    who === undefined
      ? undefined
      : who === 'operator'
        ? and(isNull(auditEntries.actorId), eq(auditEntries.actorRole, 'operator'))
        : sql`${auditEntries.actorId} = (select u.id from users u where lower(u.username) = lower(${who}))`,
    voice === undefined
      ? undefined
      : sql`${auditEntries.voiceId} = (select v.id from voices v where v.slug = ${voice})`,
    // Ids begin with their time, so the same index serves order and period.
    days === undefined ? undefined : sql`${auditEntries.id} >= ${firstIdOf(Date.now() - days * 24 * 60 * 60 * 1000)}`,
    subjectId === undefined || !isId(subjectId) ? undefined : eq(auditEntries.subjectId, subjectId),
  ];
}

/** The smallest UUIDv7 of this millisecond. */
function firstIdOf(time: number): string {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** Areas that have entries, A–Z: read from one end of the index to the other, not from all rows. */
export async function listLogAreas(db: Db, actor: Actor): Promise<string[]> {
  administratorsOnly(actor);
  const { rows } = await db.execute<{ area: string }>(sql`
    with recursive areas as (
      (select split_part(action, '.', 1) as area from audit_entries order by 1 limit 1)
      union all
      select (select split_part(e.action, '.', 1) from audit_entries e
        where split_part(e.action, '.', 1) > areas.area order by 1 limit 1)
      from areas where areas.area is not null
    )
    select area from areas where area is not null`);
  return rows.map(({ area }) => area);
}

const batch = 500;

/** The entries as CSV, newest first, read in batches. */
export async function* exportLog(db: Db, actor: Actor, filters: LogFilters): AsyncGenerator<string> {
  administratorsOnly(actor);
  yield csvLine(['Time (UTC)', 'Who', 'Role', 'Act', 'Kind', 'Name', 'Id', 'Voice', 'Before', 'After']);
  let cursor: string | undefined;
  do {
    const page: Page<LogEntry> = await listLogEntries(db, actor, filters, { cursor, limit: batch });
    for (const { at, by, role, action, subject, voice, before, after } of page.items)
      yield csvLine([
        at.toISOString(),
        by?.username ?? by?.id ?? '',
        role,
        action,
        subject.type,
        subject.name,
        subject.id,
        voice?.name ?? '',
        before === null ? '' : JSON.stringify(before),
        after === null ? '' : JSON.stringify(after),
      ]);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}
