import { boolean, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { Language } from '#formats/languages.ts';
import type { ImportState, MemberRefusal, MemberState } from './rules.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

/** Files of members who come from elsewhere; at most one is under way. */
export const memberImports = pgTable('member_imports', {
  id: uuid().primaryKey(),
  state: text().$type<ImportState>().notNull().default('planned'),
  fileName: text().notNull(),
  /** SHA-256 in hex: the same file goes on where it was. */
  fileHash: text().notNull(),
  createdAt: time().notNull().defaultNow(),
  startedAt: time(),
  endedAt: time(),
});

/** Lines of such a file, with what became of each. */
export const importedMembers = pgTable(
  'imported_members',
  {
    importId: uuid().notNull(),
    line: integer().notNull(),
    /** Null: it had none, or the account was erased. */
    email: text(),
    /** Keyed; it outlives the address, so that an erased account is not made again. */
    emailHash: text(),
    paidUntil: time(),
    plan: text(),
    language: text().$type<Language>(),
    /** At the payment provider. */
    customerId: text(),
    state: text().$type<MemberState>().notNull().default('waiting'),
    reason: text().$type<MemberRefusal>(),
    userId: uuid(),
    /** The file had made the account, before whatever else became of the line. */
    isNew: boolean().notNull().default(false),
    /** End of the time that was given; null: none was lacking. */
    givenUntil: time(),
    /** The subscription goes on here. */
    isAdopted: boolean().notNull().default(false),
    attempts: integer().notNull().default(0),
    error: text(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.line] })],
);
