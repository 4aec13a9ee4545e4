import {
  bigint,
  boolean,
  customType,
  date,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import type { TestName } from './operations.ts';
import type { OverviewPeriod } from './rules.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });
/** UTC, as `2026-11-23`. */
const day = () => date({ mode: 'string' });
const whole = () => integer().notNull();
const large = () => bigint({ mode: 'number' }).notNull();
const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

/** A month's payouts. A trigger refuses every change of a locked one. */
export const payoutMonths = pgTable('payout_months', {
  /** Its first day. */
  month: day().primaryKey(),
  /** Cents to share; null: not entered yet. */
  pool: bigint({ mode: 'number' }),
  currency: text().notNull(),
  revision: integer().notNull().default(1),
  lockedAt: time(),
  countsTrials: boolean(),
  checksum: text(),
  /** Published hash over the month's lines (`money/month-tree.ts`); null: locked by a former version. */
  root: text(),
  /** Day by which it is paid, once it is locked; null: locked by a former version. */
  dueOn: day(),
});

/** The shares of a locked month; without foreign keys to voices, which they outlive. */
export const payoutShares = pgTable(
  'payout_shares',
  {
    month: day().notNull(),
    voiceId: uuid().notNull(),
    voiceName: text().notNull(),
    voiceSlug: text().notNull(),
    audios: whole(),
    milliseconds: large(),
    /** Cents. */
    amount: large(),
  },
  (table) => [primaryKey({ columns: [table.month, table.voiceId] })],
);

/** Pools of a month in other currencies than its own. */
export const payoutPools = pgTable(
  'payout_pools',
  { month: day().notNull(), currency: text().notNull(), pool: large() },
  (table) => [primaryKey({ columns: [table.month, table.currency] })],
);

/** Shares of those pools, of a locked month. */
export const payoutAmounts = pgTable(
  'payout_amounts',
  { month: day().notNull(), voiceId: uuid().notNull(), currency: text().notNull(), amount: large() },
  (table) => [primaryKey({ columns: [table.month, table.voiceId, table.currency] })],
);

/** Milliseconds of each audio in a locked month, that are paid for. */
export const payoutLines = pgTable(
  'payout_lines',
  {
    month: day().notNull(),
    voiceId: uuid().notNull(),
    audioId: uuid().notNull(),
    /** Null: the audio was gone. */
    audioTitle: text(),
    milliseconds: large(),
    /** Part of `milliseconds`. */
    trialMs: large(),
  },
  (table) => [primaryKey({ columns: [table.month, table.voiceId, table.audioId] })],
);

/** The tree of hashes above the creators of a locked month. */
export const payoutNodes = pgTable(
  'payout_nodes',
  {
    month: day().notNull(),
    level: smallint().notNull(),
    position: integer().notNull(),
    milliseconds: large(),
    hash: bytea().notNull(),
  },
  (table) => [primaryKey({ columns: [table.month, table.level, table.position] })],
);

/** Agreed shares of audios in a locked month; of others, the creator has the whole. */
export const payoutSplits = pgTable(
  'payout_splits',
  {
    month: day().notNull(),
    audioId: uuid().notNull(),
    voiceId: uuid().notNull(),
    voiceName: text().notNull(),
    /** Percent. */
    share: smallint().notNull(),
  },
  (table) => [primaryKey({ columns: [table.month, table.audioId, table.voiceId] })],
);

/** Each creator's part of the pools of a locked month, after splits. */
export const payoutEarnings = pgTable(
  'payout_earnings',
  { month: day().notNull(), voiceId: uuid().notNull(), currency: text().notNull(), amount: large() },
  (table) => [primaryKey({ columns: [table.month, table.voiceId, table.currency] })],
);

/** Count when their month is locked; a trigger refuses changes, and new ones in a locked month. */
export const payoutCorrections = pgTable('payout_corrections', {
  id: uuid().primaryKey(),
  month: day().notNull(),
  voiceId: uuid().notNull(),
  currency: text().notNull(),
  /** May be negative. */
  amount: large(),
  reason: text().notNull(),
  createdAt: time().notNull().defaultNow(),
  /** The tip that it adds, or takes back; null: entered by an operator. */
  tipId: uuid(),
});

/** Each pays everything up to its month; a trigger refuses changes. */
export const payoutPayments = pgTable('payout_payments', {
  id: uuid().primaryKey(),
  voiceId: uuid().notNull(),
  month: day().notNull(),
  currency: text().notNull(),
  amount: large(),
  reference: text().notNull(),
  paidAt: time().notNull().defaultNow(),
});

/** Numbers of the statements of locked months, one after the other within the year of the month. */
export const payoutStatements = pgTable(
  'payout_statements',
  { month: day().notNull(), voiceId: uuid().notNull(), year: whole(), number: whole() },
  (table) => [primaryKey({ columns: [table.month, table.voiceId] })],
);

/** Months of the ledger that have sums. */
export const summedMonths = pgTable('summed_months', {
  /** Its first day. */
  month: day().primaryKey(),
  /** The month's end, for the former version: it reads later days from the ledger. */
  summedUntil: time().notNull(),
});

const seconds = () => ({ milliseconds: large(), freeMs: large(), trialMs: large() });

export const summedAudioSeconds = pgTable(
  'summed_audio_seconds',
  { month: day().notNull(), voiceId: uuid().notNull(), audioId: uuid().notNull(), ...seconds() },
  (table) => [primaryKey({ columns: [table.month, table.voiceId, table.audioId] })],
);

export const summedVoiceSeconds = pgTable(
  'summed_voice_seconds',
  {
    month: day().notNull(),
    voiceId: uuid().notNull(),
    ...seconds(),
    /** Audios with seconds that count, with and without those of trials. */
    audios: whole(),
    audiosWithoutTrials: whole(),
  },
  (table) => [primaryKey({ columns: [table.month, table.voiceId] })],
);

/** Changes of the ledger, by a trigger, that are not in the sums yet. */
export const lateSeconds = pgTable('late_seconds', {
  day: time().notNull(),
  voiceId: uuid().notNull(),
  audioId: uuid().notNull(),
  ...seconds(),
});

const money = () => ({
  /** At the end of the day. */
  monthlyRevenue: large(),
  pastDueAmount: large(),
  /** During the day. */
  monthlyPayments: whole(),
  monthlyIncome: large(),
  yearlyPayments: whole(),
  yearlyIncome: large(),
  giftCards: whole(),
  giftIncome: large(),
  refunds: whole(),
  refunded: large(),
});

/** How the site did on each day (UTC), with its money in one currency, in cents. */
export const siteDays = pgTable('site_days', {
  day: day().primaryKey(),
  computedAt: time().notNull().defaultNow(),
  currency: text().notNull(),
  /** At the end of the day; today's are those of `computedAt`. */
  subscribers: whole(),
  trials: whole(),
  pastDue: whole(),
  ...money(),
  /** Audios that are not deleted, and their listening files. */
  audios: whole().default(0),
  fileBytes: large().default(0),
  /** During the day. */
  joined: whole(),
  left: whole(),
  /** Among them: on the day on which they joined. */
  leftOnJoining: whole().default(0),
  /** Today's row: who left in each period of the overview, among those who were there at its start. */
  leftOfStart: jsonb().$type<Partial<Record<OverviewPeriod, number>>>().notNull().default({}),
  newUsers: whole(),
  plays: large(),
  heardMs: large(),
  /** Its money in other currencies was added up. The former version writes none. */
  hasFurtherMoney: boolean().notNull().default(false),
});

/** The money of each day in other currencies than that of its row of `siteDays`. */
export const siteDayMoney = pgTable(
  'site_day_money',
  { day: day().notNull(), currency: text().notNull(), ...money() },
  (table) => [primaryKey({ columns: [table.day, table.currency] })],
);

/** Processes of the site. */
export const siteStarts = pgTable('site_starts', {
  id: uuid().primaryKey(),
  version: text().notNull(),
  host: text().notNull(),
  pid: integer().notNull(),
  startedAt: time().notNull().defaultNow(),
  /** Heartbeat, once a minute: a process that stopped without a signal was killed. */
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

/** Result of the last test of each connection. */
export const siteTests = pgTable('site_tests', {
  name: text().$type<TestName>().primaryKey(),
  isOk: boolean().notNull(),
  message: text('said').notNull(),
  milliseconds: integer().notNull(),
  testedAt: time().notNull().defaultNow(),
});
