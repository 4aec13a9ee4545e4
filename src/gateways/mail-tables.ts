import { customType, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const time = () => timestamp({ withTimezone: true, precision: 3 });
const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** Mails that the mail server did not take. */
export const outgoingMails = pgTable('outgoing_mails', {
  id: uuid().primaryKey(),
  sender: text().notNull(),
  recipient: text().notNull(),
  /** The whole message, as it is sent. */
  message: bytea().notNull(),
  reason: text(),
  keptAt: time().notNull().defaultNow(),
  tries: integer().notNull().default(0),
  /** Null: only when the operator asks. */
  tryAt: time(),
  /** A lease: that of a dead process expires. */
  claimedUntil: time(),
});
