import { sql } from 'drizzle-orm';
import { check, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** Pictures of the site's look. Settings name them by key; a job deletes unused ones. */
export const lookFiles = pgTable(
  'look_files',
  {
    fileKey: text().primaryKey(),
    bytes: integer().notNull(),
    /** When it was last uploaded. */
    createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
  },
  ({ bytes }) => [check('look_files_bytes_check', sql`${bytes} > 0`)],
);
