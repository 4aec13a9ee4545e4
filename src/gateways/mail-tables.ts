import { customType, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

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
