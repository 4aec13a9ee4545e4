import { boolean, integer, pgTable, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { IdentityProviderName } from './provider.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

export const users = pgTable('users', {
  id: uuid().primaryKey(),
  /** Absent until a new social account has chosen one; unique whatever its case. */
  username: text(),
  /** Lower-case. */
  email: text(),
  icon: text(),
  /** Index into the avatar colours of the design, 0–5. */
  color: smallint().notNull().default(0),
  identityProvider: text().$type<IdentityProviderName>(),
  /** The provider's id of the account. */
  identitySubject: text(),
  termsAcceptedAt: time(),
  passwordChangedAt: time(),
  isAdmin: boolean().notNull().default(false),
  suspendedAt: time(),
  createdAt: time().notNull().defaultNow(),
});

export const sessions = pgTable('sessions', {
  id: uuid().primaryKey(),
  userId: uuid().notNull(),
  /** SHA-256 of the token, in hex; the token itself is nowhere. */
  tokenHash: text().notNull(),
  /** Such as `Chrome on Android`; enough to recognise one's own. */
  device: text().notNull(),
  createdAt: time().notNull().defaultNow(),
  lastUsedAt: time().notNull().defaultNow(),
  expiresAt: time().notNull(),
});

export const spentIdTokens = pgTable('spent_id_tokens', {
  tokenHash: text().primaryKey(),
  expiresAt: time().notNull(),
});

/** Column names are those of rate-limiter-flexible. */
export const attempts = pgTable('attempts', {
  key: text().primaryKey(),
  points: integer().notNull().default(0),
  expire: time(),
});
