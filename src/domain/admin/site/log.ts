import type { PgColumn } from 'drizzle-orm/pg-core';
import { type SQL, and, eq, inArray, ne, sql } from 'drizzle-orm';
import { users } from '../../identity/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { auditEntries } from '../../kernel/audit.ts';
import { csvLine } from '../../kernel/csv.ts';
import { type Db, pick } from '../../kernel/db.ts';
import { isId } from '../../kernel/ids.ts';
import { startingWith } from '../../kernel/like-patterns.ts';
import { type Page, type PageQuery, pageIn } from '../../kernel/pages.ts';
import { voices } from '../../catalogue/tables.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { type LogAuthor, canAdminister, moderatorsLog } from '../rules.ts';
import { findFew, readWordSearch, wordsBegin } from '../word-search.ts';

/** Reads the audit log. Entries are only ever added, and say nothing about listening. */

export type LogFilters = {
  /** The part of an action before its dot. */
  area?: string | undefined;
  /** A username. */
  who?: string | undefined;
  by?: LogAuthor | undefined;
  /** Slug of a voice. */
  voice?: string | undefined;
  days?: number | undefined;
  subjectId?: string | undefined;
  /** Search text: words of the changed name, the beginning of a username, or an act such as `suspend`. */
  q?: string | undefined;
};

/** Maximum matches of a word that are read by id; with more, walking the log soon finds a page. */
const maxIndexMatches = 6000;
/** Users whose entries a search shows. */
const maxActors = 10;

const ofDesk = inArray(sql`split_part(${auditEntries.action}, '.', 1)`, [...moderatorsLog]);

export async function listLogEntries(db: Db, actor: Actor, filters: LogFilters, at: PageQuery) {
  administratorsOnly(actor, 'log');
  const seesAll = canAdminister(actor);
  const page = pageIn('log', at, { direction: 'desc', id: auditEntries.id });
  const limits = and(
    ...conditions(filters),
    seesAll ? undefined : ofDesk,
    ...(await findNamed(db, filters)),
    page.after,
  );
  const found = filters.q === undefined ? undefined : await searchLog(db, filters.q, limits, page.limit);
  const rows = await db
    .select({
      ...pick(auditEntries, 'id', 'action', 'before', 'after'),
      at: auditEntries.createdAt,
      /** Null: the operator on the command line, or an account that was deleted. */
      by: pick(users, 'id', 'username', 'icon', 'color'),
      role: auditEntries.actorRole,
      /** For acts as admin: the name at the time, which outlives the account. */
      name: auditEntries.actorName,
      /** For acts as admin: the network address that the act came from. */
      address: seesAll ? auditEntries.actorAddress : sql<null>`null`,
      subject: { type: auditEntries.subjectType, id: auditEntries.subjectId, name: auditEntries.subjectName },
      voice: pick(voices, 'slug', 'name'),
      ...page.columns,
    })
    .from(auditEntries)
    .leftJoin(users, eq(users.id, auditEntries.actorId))
    .leftJoin(voices, eq(voices.id, auditEntries.voiceId))
    .where(found === undefined ? limits : inArray(auditEntries.id, found))
    .orderBy(...page.orderBy)
    .limit(page.limit);
  return page.of(rows);
}
export type LogEntry = Awaited<ReturnType<typeof listLogEntries>>['items'][number];

/** By user ids: the planner knows how many entries one id has, but not how many a subquery finds. */
async function findNamed(db: Db, { who, voice }: LogFilters): Promise<(SQL | undefined)[]> {
  const isOf = (column: PgColumn, found: { id: string }[]) => (found[0] ? eq(column, found[0].id) : sql`false`);
  return [
    who === undefined
      ? undefined
      : isOf(
          auditEntries.actorId,
          await db
            .select({ id: users.id })
            .from(users)
            .where(sql`lower(${users.username}) = lower(${who})`),
        ),
    voice === undefined
      ? undefined
      : isOf(auditEntries.voiceId, await db.select({ id: voices.id }).from(voices).where(eq(voices.slug, voice))),
  ];
}

function conditions({ area, by, days, subjectId }: LogFilters): (SQL | undefined)[] {
  return [
    area === undefined ? undefined : sql`split_part(${auditEntries.action}, '.', 1) = ${area}`,
    by === undefined ? undefined : (by === 'operator' ? eq : ne)(auditEntries.actorRole, 'operator'),
    // Ids begin with their time, so the same index serves order and period.
    days === undefined ? undefined : sql`${auditEntries.id} >= ${firstIdOf(Date.now() - days * 24 * 60 * 60 * 1000)}`,
    subjectId === undefined || !isId(subjectId) ? undefined : eq(auditEntries.subjectId, subjectId),
  ];
}

/**
 * The newest entries that match the text. Each kind of match reads at most one page from its own index, in the order of
 * the log.
 */
async function searchLog(db: Db, q: string, limits: SQL | undefined, limit: number): Promise<string[]> {
  const entries = sql`audit_entries`;
  const name = sql`sort_key(audit_entries.subject_name)`;
  const page = (condition: SQL) =>
    sql`(select audit_entries.id from audit_entries where ${and(limits, condition)} order by audit_entries.id desc limit ${limit})`;
  const words = await readWordSearch(db, { table: entries, column: name }, q);
  const matchingIds =
    words?.byIndex && (await findFew(db, [sql`select id from audit_entries where ${words.byIndex}`], maxIndexMatches));
  // The sort key is computed for each checked row, so only the newest ones are checked.
  const newestOf = (ids: string[]) => sql`(
    select e.id from (
      select audit_entries.id, audit_entries.subject_name from audit_entries
      where ${and(limits, sql`audit_entries.id = any(${sql.param(ids)}::uuid[])`)} order by audit_entries.id desc offset 0
    ) e where ${wordsBegin(sql`sort_key(e.subject_name)`, q)} order by e.id desc limit ${limit})`;
  const byName = words && (matchingIds === undefined ? page(words.condition) : newestOf(matchingIds));
  const actors = await db
    .select({ id: users.id })
    .from(users)
    .where(sql`lower(${users.username}) like ${startingWith(q.trim().toLowerCase())}`)
    .orderBy(sql`lower(${users.username})`)
    .limit(maxActors);
  const act = q.trim().toLowerCase().replaceAll(' ', '-');
  // "suspended" and "susp" both match `suspend`.
  const verbs = (await listParts(db, 2)).filter((verb) => verb.startsWith(act) || act.startsWith(verb));
  const ways = [
    ...(byName === undefined ? [] : [byName]),
    ...actors.map(({ id }) => page(eq(auditEntries.actorId, id))),
    ...verbs.map((verb) => page(sql`split_part(audit_entries.action, '.', 2) = ${verb}`)),
  ];
  if (ways.length === 0) return [];
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from (${sql.join(ways, sql` union `)}) found order by id desc limit ${limit}`,
  );
  return rows.map(({ id }) => id);
}

/** The smallest UUIDv7 of this millisecond. */
function firstIdOf(time: number): string {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** Areas that have entries, A–Z. */
export async function listLogAreas(db: Db, actor: Actor): Promise<string[]> {
  administratorsOnly(actor, 'log');
  const areas = await listParts(db, 1);
  return canAdminister(actor) ? areas : areas.filter((area) => (moderatorsLog as readonly string[]).includes(area));
}

/**
 * Areas (1) or verbs (2) of all entries, A–Z. Jumps along the index from value to value instead of reading all rows.
 */
async function listParts(db: Db, part: 1 | 2): Promise<string[]> {
  const actionPart = sql`split_part(action, '.', ${sql.raw(String(part))})`;
  const { rows } = await db.execute<{ part: string }>(sql`
    with recursive parts as (
      (select ${actionPart} as part from audit_entries order by 1 limit 1)
      union all
      select (select ${actionPart} from audit_entries where ${actionPart} > parts.part order by 1 limit 1)
      from parts where parts.part is not null
    )
    select part from parts where part is not null`);
  return rows.map((row) => row.part);
}

const batch = 500;

/** The entries as CSV, newest first, read in batches. */
export async function* exportLog(db: Db, actor: Actor, filters: LogFilters): AsyncGenerator<string> {
  administratorsOnly(actor, 'log');
  yield csvLine(['Time (UTC)', 'Who', 'Role', 'Act', 'Kind', 'Name', 'Id', 'Voice', 'Before', 'After', 'Address']);
  let cursor: string | undefined;
  do {
    const page: Page<LogEntry> = await listLogEntries(db, actor, filters, { cursor, limit: batch });
    for (const { at, by, name, role, action, subject, voice, before, after, address } of page.items)
      yield csvLine([
        at.toISOString(),
        by?.username ?? name ?? by?.id ?? '',
        role,
        action,
        subject.type,
        subject.name,
        subject.id,
        voice?.name ?? '',
        before === null ? '' : JSON.stringify(before),
        after === null ? '' : JSON.stringify(after),
        address ?? '',
      ]);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}
