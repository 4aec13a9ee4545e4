import { and, asc, eq, lt, ne, or, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { DomainError } from '../../kernel/errors.ts';
import { outageOf } from '../../kernel/database/outages.ts';
import { settleEach } from '../../kernel/settle-each.ts';
import { findOfferedLanguages } from '../../settings/languages.ts';
import { withPaymentLock } from '../lock.ts';
import { type ImportParts, type ImportedRow, importOne, note } from './import-one.ts';
import { keptImportDays } from './rules.ts';
import { importedMembers, memberImports } from './tables.ts';

/** An import of members in lines, in an order that an interruption does not change. */

export const memberImportJob = 'import-members';

const batchSize = 100;
const atOnce = 4;
/** So many lines in a row that nobody answered for, and the run ends; the next one begins within a minute. */
const patience = 5;
/** Then an operator decides. */
const maxAttempts = 3;

export async function findRunningImports(db: Db): Promise<string[]> {
  const rows = await db.select({ id: memberImports.id }).from(memberImports).where(eq(memberImports.state, 'running'));
  return rows.map(({ id }) => id);
}

/**
 * Carries out what still waits, until all is done or an operator stops it. One run at a time: another one leaves it the
 * work. One that was interrupted goes on where it was.
 * @param options.lockMs how long it waits for another run, which may have been killed
 * @param options.onProgress after each batch
 * @throws the reason of `signal`, or when database, identity or payment provider do not answer
 */
export async function runImport(
  parts: ImportParts,
  id: string,
  {
    signal,
    lockMs = 500,
    onProgress,
  }: { signal?: AbortSignal | undefined; lockMs?: number; onProgress?: () => Promise<void> } = {},
): Promise<void> {
  try {
    await withPaymentLock(parts.db, 'member-import', () => run(parts, id, signal, onProgress), lockMs);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'payment/in-progress')) throw error;
  }
}

async function run(
  parts: ImportParts,
  id: string,
  signal: AbortSignal | undefined,
  onProgress: (() => Promise<void>) | undefined,
): Promise<void> {
  const { db } = parts;
  const offered = await findOfferedLanguages(db);
  const silence: { lines: number; error?: unknown } = { lines: 0 };
  const isWaiting = and(eq(importedMembers.importId, id), eq(importedMembers.state, 'waiting'));
  for (;;) {
    signal?.throwIfAborted();
    const [row] = await db.select({ state: memberImports.state }).from(memberImports).where(eq(memberImports.id, id));
    if (row?.state !== 'running') return;
    const rows = await db
      .select()
      .from(importedMembers)
      .where(isWaiting)
      .orderBy(asc(importedMembers.attempts), asc(importedMembers.line))
      .limit(batchSize);
    if (rows.length === 0) {
      const isRunning = and(eq(memberImports.id, id), eq(memberImports.state, 'running'));
      await db.update(memberImports).set({ state: 'done', endedAt: new Date() }).where(isRunning);
      return;
    }
    const tryRow = async (member: ImportedRow) => {
      if (silence.lines >= patience) return;
      try {
        await importOne(parts, member, offered);
        silence.lines = 0;
      } catch (error) {
        await keepForLater(db, member, error, silence);
      }
    };
    await settleEach(rows, tryRow, { atOnce, signal });
    await onProgress?.();
    if (silence.lines >= patience) throw silence.error;
  }
}

/** A provider or database that is away is no fault of the line. */
async function keepForLater(
  db: Db,
  row: ImportedRow,
  cause: unknown,
  silence: { lines: number; error?: unknown },
): Promise<void> {
  const outage = outageOf(cause);
  if (outage === 'away') {
    silence.lines = patience;
    silence.error = cause;
    return;
  }
  const error = (cause instanceof Error ? cause.message : String(cause)).slice(0, 500);
  const away = ['payment/unavailable', 'payment/provider-gone', 'server/unavailable', 'auth/too-many-requests'];
  if (outage === 'busy' || (cause instanceof DomainError && away.includes(cause.code))) {
    silence.lines += 1;
    silence.error = cause;
    return note(db, row, { error });
  }
  const attempts = row.attempts + 1;
  await note(db, row, { attempts, error, ...(attempts >= maxAttempts && { state: 'failed' as const }) });
}

/** @returns false when it had ended, or was so already. @throws a violation of `member_imports_open_idx` */
export async function setImportState(tx: Db, id: string, state: 'running' | 'paused'): Promise<boolean> {
  const rows = await tx
    .update(memberImports)
    .set({ state, ...(state === 'running' && { startedAt: sql`coalesce(${memberImports.startedAt}, now())` }) })
    .where(and(eq(memberImports.id, id), ne(memberImports.state, 'done'), ne(memberImports.state, state)))
    .returning({ id: memberImports.id });
  return rows.length > 0;
}

/** Lines that failed wait again. @throws a violation of `member_imports_open_idx` */
export async function retryImport(tx: Db, id: string): Promise<number> {
  const failed = await tx
    .update(importedMembers)
    .set({ state: 'waiting', attempts: 0, error: null })
    .where(and(eq(importedMembers.importId, id), eq(importedMembers.state, 'failed')))
    .returning({ line: importedMembers.line });
  if (failed.length > 0)
    await tx.update(memberImports).set({ state: 'running', endedAt: null }).where(eq(memberImports.id, id));
  return failed.length;
}

/** Nothing of it was done yet. @returns false for one that has begun */
export async function discardImport(db: Db, id: string): Promise<boolean> {
  const isPlanned = and(eq(memberImports.id, id), eq(memberImports.state, 'planned'));
  return (await db.delete(memberImports).where(isPlanned).returning({ id: memberImports.id })).length > 0;
}

/** Plans that nobody has started, and imports that ended long ago, with the addresses in them. */
export async function purgeImports(db: Db): Promise<number> {
  const isOld = or(
    and(eq(memberImports.state, 'planned'), lt(memberImports.createdAt, sql`now() - interval '1 day'`)),
    and(
      eq(memberImports.state, 'done'),
      lt(memberImports.endedAt, sql`now() - make_interval(days => ${keptImportDays})`),
    ),
  );
  return (await db.delete(memberImports).where(isOld).returning({ id: memberImports.id })).length;
}
