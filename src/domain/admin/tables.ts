import { bigint, boolean, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { TestName } from './operations.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

/** Processes of the site. */
export const siteStarts = pgTable('site_starts', {
  id: uuid().primaryKey(),
  version: text().notNull(),
  host: text().notNull(),
  pid: integer().notNull(),
  startedAt: time().notNull().defaultNow(),
  /** Told each minute: a process that stopped without a word was killed. */
  seenAt: time().notNull().defaultNow(),
  stoppedAt: time(),
  /** Null with a time: it was asked to stop. */
  failure: text(),
});

export const siteBackups = pgTable('site_backups', {
  id: uuid().primaryKey(),
  /** Below BACKUP_DIR. */
  folder: text().notNull(),
  state: text().$type<'waiting' | 'running' | 'done' | 'failed' | 'removed'>().notNull().default('waiting'),
  askedAt: time().notNull().defaultNow(),
  finishedAt: time(),
  rowCount: bigint({ mode: 'number' }),
  fileCount: integer(),
  fileBytes: bigint({ mode: 'number' }),
  failure: text(),
});

/** The last try of each connection. */
export const siteTests = pgTable('site_tests', {
  name: text().$type<TestName>().primaryKey(),
  isOk: boolean().notNull(),
  said: text().notNull(),
  milliseconds: integer().notNull(),
  testedAt: time().notNull().defaultNow(),
});
