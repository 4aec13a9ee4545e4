import { and, asc, eq, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm';
import { customType, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { Db } from '#domain/kernel/db.ts';
import { newId } from '#domain/kernel/ids.ts';
import { purgeRows } from '#domain/kernel/purge.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });
const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** Mails that the mail server did not accept. */
export const outgoingMails = pgTable('outgoing_mails', {
  id: uuid().primaryKey(),
  sender: text().notNull(),
  recipient: text().notNull(),
  /** The whole message, as it is sent. */
  message: bytea().notNull(),
  reason: text(),
  keptAt: time().notNull().defaultNow(),
  tries: integer().notNull().default(0),
  /** Null: sent only on the operator's request. */
  tryAt: time(),
  /** A lease: that of a dead process expires. */
  claimedUntil: time(),
  /** The server that was tried last; null: none, or before this column existed. */
  server: text(),
});

/** A message ready for SMTP; the outbox stores the same bytes that are sent. */
export type BuiltMail = { from: string; to: string; raw: Buffer };

/** A mail leased by one process. `tries`: failed ones at its server after the first; -1 before it. */
export type ClaimedMail = { id: string; mail: BuiltMail; tries: number };

/** After this time a claim expires: its process was probably killed. */
const claimedMinutes = 10;
const keptDays = 30;
/** Maximum mails listed and counted, after a long outage. */
const maxListed = 10_000;

const isFree = or(isNull(outgoingMails.claimedUntil), lte(outgoingMails.claimedUntil, sql`now()`));
const claim = { claimedUntil: sql`now() + make_interval(mins => ${claimedMinutes})` };

/**
 * Mails that were not sent, in the database, for every process of the site.
 * @param server the mail server's name; undefined without one
 */
export function openOutbox(db: Db, server: string | undefined) {
  /** Given back by another server, which the operator has replaced. */
  const isOfFormer = and(
    isNull(outgoingMails.tryAt),
    isNotNull(outgoingMails.reason),
    ne(outgoingMails.server, server ?? ''),
  );
  const claimWhere = async (condition: ReturnType<typeof and>): Promise<ClaimedMail | undefined> => {
    const next = db
      .select({ id: outgoingMails.id })
      .from(outgoingMails)
      .where(and(condition, isFree))
      .orderBy(asc(outgoingMails.keptAt), asc(outgoingMails.id))
      .limit(1)
      .for('update', { skipLocked: true });
    const [row] = await db.update(outgoingMails).set(claim).where(eq(outgoingMails.id, next)).returning();
    if (row === undefined) return undefined;
    const { id, sender, recipient, message } = row;
    const tries = row.server === null ? -1 : row.server === server ? row.tries : 0;
    return { id, mail: { from: sender, to: recipient, raw: message }, tries };
  };
  return {
    /** @param waiting `tryAt` undefined: only on the operator's request. `isTried`: at this server; default: yes */
    async keep(
      { from, to, raw }: BuiltMail,
      waiting: { reason: string | undefined; tryAt: Date | undefined; keptAt?: Date; isTried?: boolean },
      tx: Db = db,
    ): Promise<void> {
      const { reason = null, tryAt = null, keptAt = new Date(), isTried = true } = waiting;
      await tx.insert(outgoingMails).values({
        id: newId(),
        sender: oneLine(from),
        recipient: to,
        message: raw,
        reason: reason === null ? null : oneLine(reason),
        keptAt,
        tryAt,
        server: isTried ? server : undefined,
      });
    },

    /** Oldest first. `reason`: why it was not sent; undefined when there was no mail server. */
    async list(max = maxListed) {
      const rows = await db
        .select({
          name: outgoingMails.id,
          keptAt: outgoingMails.keptAt,
          to: outgoingMails.recipient,
          reason: outgoingMails.reason,
        })
        .from(outgoingMails)
        .orderBy(asc(outgoingMails.keptAt), asc(outgoingMails.id))
        .limit(max);
      return rows.map(({ reason, ...row }) => ({ ...row, reason: reason ?? undefined }));
    },

    async count(): Promise<number> {
      const some = db.select({ id: outgoingMails.id }).from(outgoingMails).limit(maxListed).as('some');
      return db.$count(some);
    },

    /** A due mail; only one process gets it. */
    claimDue: () => claimWhere(or(lte(outgoingMails.tryAt, sql`now()`), isOfFormer)),

    /** @returns undefined when it is gone, or another process sends it */
    claim: (id: string) => claimWhere(eq(outgoingMails.id, id)),

    /** The whole message. @returns undefined when it is gone */
    async read(id: string): Promise<Buffer | undefined> {
      const [row] = await db
        .select({ message: outgoingMails.message })
        .from(outgoingMails)
        .where(eq(outgoingMails.id, id));
      return row?.message;
    },

    /** After a claim: it was sent. */
    async drop(id: string): Promise<void> {
      await db.delete(outgoingMails).where(eq(outgoingMails.id, id));
    },

    /** After a claim: it was not sent. */
    async retryLater({ id, tries }: ClaimedMail, reason: string, tryAt: Date | undefined): Promise<void> {
      await db
        .update(outgoingMails)
        .set({
          reason: oneLine(reason),
          tryAt: tryAt ?? null,
          tries: tries + 1,
          claimedUntil: null,
          server,
        })
        .where(eq(outgoingMails.id, id));
    },

    /** Deletes all mails to an address, ignoring case. */
    async purge(to: string): Promise<void> {
      await db.delete(outgoingMails).where(sql`lower(${outgoingMails.recipient}) = lower(${to})`);
    },

    async purgeOld(signal?: AbortSignal): Promise<void> {
      const isOld = sql`${outgoingMails.keptAt} < now() - make_interval(days => ${keptDays})`;
      await purgeRows(db, outgoingMails, isOld, signal);
    },
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 500);
}
