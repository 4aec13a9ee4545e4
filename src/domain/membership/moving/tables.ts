import { integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { ProviderName } from '../capabilities.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

/** At most one has not ended. */
export const providerMoves = pgTable('provider_moves', {
  id: uuid().primaryKey(),
  fromProvider: text().$type<ProviderName>().notNull(),
  toProvider: text().$type<ProviderName>().notNull(),
  state: text().$type<'running' | 'paused' | 'done'>().notNull().default('running'),
  startedAt: time().notNull().defaultNow(),
  endedAt: time(),
});

export const movedKinds = ['active', 'trialing', 'past-due', 'cancelled'] as const;
export type MovedKind = (typeof movedKinds)[number];

/** Subscriptions of a move, with what is done with each. */
export const movedSubscriptions = pgTable('moved_subscriptions', {
  id: uuid().primaryKey(),
  moveId: uuid().notNull(),
  /** Null once the account is gone; then the row is kept only until its renewal is stopped. */
  userId: uuid(),
  customerId: text().notNull(),
  subscriptionId: text().notNull(),
  /** When the move began. */
  kind: text().$type<MovedKind>().notNull(),
  /** `asked`: only the subscriber can cancel it, and has not yet. `left`: it had ended when its turn came. */
  state: text().$type<'waiting' | 'asked' | 'moved' | 'left' | 'failed'>().notNull().default('waiting'),
  /** The time that is kept; later, when the former provider has charged again. Null: there was none. */
  paidUntil: time(),
  movedAt: time(),
  /** The former provider charges it no more; null on a moved one: it has not said so. */
  stoppedAt: time(),
  /** Page on which the subscriber cancels. */
  cancelUrl: text(),
  error: text(),
  attempts: integer().notNull().default(0),
  tryAfter: time().notNull().defaultNow(),
  /** It renewed, or was paid, at the former provider after all. */
  livedOnAt: time(),
  chargedAgainAt: time(),
});
