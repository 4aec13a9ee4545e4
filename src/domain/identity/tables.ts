import { boolean, customType, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { IdentityProviderName } from './provider.ts';
import type { AvatarColor } from './rules.ts';
import { avatarColorOf, avatarColors } from './rules.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

/** Kept as its index in the palette, so that another design needs no migration. */
const avatarColor = customType<{ data: AvatarColor; driverData: number }>({
  dataType: () => 'smallint',
  fromDriver: avatarColorOf,
  toDriver: (color) => avatarColors.indexOf(color),
});

export const users = pgTable('users', {
  id: uuid().primaryKey(),
  /** Null until a new social account chooses one; unique ignoring case. */
  username: text(),
  /** Lower-case. */
  email: text(),
  icon: text(),
  color: avatarColor().notNull().default(avatarColors[0]),
  identityProvider: text().$type<IdentityProviderName>(),
  /** The provider's id of the account. */
  identitySubject: text(),
  termsAcceptedAt: time(),
  passwordChangedAt: time(),
  isAdmin: boolean().notNull().default(false),
  suspendedAt: time(),
  /** Provider sign-ins before this time are refused ("Log out everywhere"). */
  signedOutAt: time(),
  /** Null: the user never chose, the browser's setting applies. */
  isDiscreet: boolean(),
  createdAt: time().notNull().defaultNow(),
});

export const sessions = pgTable('sessions', {
  id: uuid().primaryKey(),
  userId: uuid().notNull(),
  /** SHA-256 of the token, in hex; the token itself is not stored. */
  tokenHash: text().notNull(),
  /** For example `Chrome on Android`. */
  device: text().notNull(),
  createdAt: time().notNull().defaultNow(),
  lastUsedAt: time().notNull().defaultNow(),
  expiresAt: time().notNull(),
});

export const spentIdTokens = pgTable('spent_id_tokens', {
  tokenHash: text().primaryKey(),
  expiresAt: time().notNull(),
});

/** Deleted accounts whose ID tokens may still be valid. */
export const deletedIdentities = pgTable('deleted_identities', {
  /** Keyed hash of provider and subject. */
  identityHash: text().primaryKey(),
  deletedAt: time().notNull().defaultNow(),
});

/** Column names required by rate-limiter-flexible. */
export const attempts = pgTable('attempts', {
  key: text().primaryKey(),
  points: integer().notNull().default(0),
  expire: time(),
});
