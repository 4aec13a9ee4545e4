import { createHash, createHmac } from 'node:crypto';
import { type SQL, and, asc, eq, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { type ReadMembers, readMembers } from './read-members.ts';
import type { ImportState, MemberRefusal, MemberState } from './rules.ts';
import { importedMembers, memberImports } from './tables.ts';

/** The plan of an import of members, and its progress. */

/** Rows of one statement. */
const chunk = 1000;

/** Stores the lines of a file. Nothing is done with them before the import is started. */
export async function storeImport(
  db: Db,
  { name, text, secret }: { name: string; text: string; secret: string },
): Promise<{ ok: true; id: string } | Extract<ReadMembers, { ok: false }>> {
  const read = readMembers(text);
  if (!read.ok) return read;
  const id = newId();
  const rows = read.members.map(({ reason, ...member }) => ({
    ...member,
    importId: id,
    emailHash: member.email === null ? null : hashOf(secret, member.email),
    ...(reason !== null && { state: 'refused' as const, reason }),
  }));
  await db.transaction(async (tx) => {
    await tx.insert(memberImports).values({ id, fileName: name, fileHash: fileHashOf(text) });
    for (let from = 0; from < rows.length; from += chunk)
      await tx.insert(importedMembers).values(rows.slice(from, from + chunk));
  });
  return { ok: true, id };
}

function fileHashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hashOf(secret: string, email: string): string {
  return createHmac('sha256', secret).update(`imported ${email}`).digest('base64url');
}

/** An import of the same file that was started and has not ended. */
export async function findOpenImportOf(db: Db, text: string): Promise<string | undefined> {
  const isOpen = sql`${memberImports.state} in ('running', 'paused')`;
  const [row] = await db
    .select({ id: memberImports.id })
    .from(memberImports)
    .where(and(eq(memberImports.fileHash, fileHashOf(text)), isOpen));
  return row?.id;
}

type ImportedLine = {
  line: number;
  email: string | null;
  state: MemberState;
  reason: MemberRefusal | null;
  error: string | null;
};

export type MemberImport = {
  id: string;
  state: ImportState;
  fileName: string;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  total: number;
  waiting: number;
  /** In a plan: as many as would be made, before the payment provider is asked. */
  new: number;
  known: number;
  refused: number;
  failed: number;
  /** Subscriptions at the payment provider that are to go on here, or do. */
  subscriptions: number;
  adopted: number;
  /** Members with time that was given. */
  given: number;
  /** Members of each plan of the file, most first. */
  plans: { plan: string; count: number }[];
  /** The first lines that are refused or failed. */
  problems: ImportedLine[];
};

const shownPlans = 20;

/** Why a line, as `m`, would be refused by what is here; null: it would not. */
const foreseenReason = sql<MemberRefusal | null>`case
  when m.state <> 'waiting' then m.reason
  when u.suspended_at is not null then 'suspended'
  when d.user_id is not null then 'being-deleted'
  when u.id is null and exists (select from imported_members e where e.email_hash = m.email_hash and e.email is null)
    then 'erased'
  when m.customer_id is not null and exists (select from payment_customers c where c.customer_id = m.customer_id
    and c.user_id is distinct from u.id) then 'customer-of-another'
  when m.customer_id is not null and exists (select from subscriptions s
    join payment_customers c on c.user_id = s.user_id and c.customer_id <> m.customer_id
    where s.user_id = u.id and s.status <> 'ended') then 'other-subscription'
  end`;

const foreseenState = sql<MemberState>`case when m.state <> 'waiting' then m.state
  when ${foreseenReason} is not null then 'refused' when u.id is null then 'new' else 'known' end`;

const linesOf = (id: string): SQL => sql`imported_members m
  left join users u on u.email = m.email left join account_deletions d on d.user_id = u.id
  where m.import_id = ${id}`;

/** @param shown how many lines with a problem */
export async function findImport(db: Db, id: string, shown = 200): Promise<MemberImport | undefined> {
  const [row] = await db.select().from(memberImports).where(eq(memberImports.id, id));
  if (row === undefined) return undefined;
  const isPlanned = row.state === 'planned';
  const state = isPlanned ? foreseenState : sql<MemberState>`m.state`;
  const reason = isPlanned ? foreseenReason : sql<MemberRefusal | null>`m.reason`;
  const { rows: counts } = await db.execute<{ state: MemberState; count: number } & Record<string, number>>(sql`
    select state, count(*)::int as count, count(customer_id)::int as subscriptions,
      count(*) filter (where is_adopted)::int as adopted, count(given_until)::int as given
    from (select ${state} as state, m.customer_id, m.is_adopted, m.given_until from ${linesOf(id)}) lines group by state`);
  const { rows: problems } = await db.execute<ImportedLine>(sql`
    select line, email, state, reason, error
    from (select m.line, m.email, ${state} as state, ${reason} as reason, m.error from ${linesOf(id)}) lines
    where state in ('refused', 'failed') order by line limit ${shown}`);
  const plans = await db
    .select({ plan: sql<string>`${importedMembers.plan}`, count: sql<number>`count(*)::int` })
    .from(importedMembers)
    .where(and(eq(importedMembers.importId, id), sql`${importedMembers.plan} is not null`))
    .groupBy(importedMembers.plan)
    .orderBy(sql`count(*) desc`, asc(importedMembers.plan))
    .limit(shownPlans);
  const countOf = (name: MemberState) => counts.find((one) => one.state === name)?.count ?? 0;
  const sum = (name: 'count' | 'subscriptions' | 'adopted' | 'given') =>
    counts.reduce((total, one) => total + (one[name] ?? 0), 0);
  const { fileHash: _hash, ...own } = row;
  return {
    ...own,
    total: sum('count'),
    waiting: countOf('waiting'),
    new: countOf('new'),
    known: countOf('known'),
    refused: countOf('refused'),
    failed: countOf('failed'),
    subscriptions: sum('subscriptions') - (counts.find((one) => one.state === 'refused')?.['subscriptions'] ?? 0),
    adopted: sum('adopted'),
    given: sum('given'),
    plans,
    problems,
  };
}
