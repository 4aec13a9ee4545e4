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
import { sql } from 'drizzle-orm';
import type { StoredPreferences } from './preference-rules.ts';
import type { IdentityProviderName } from './provider.ts';
import { type AvatarColor, type SignUpSource, avatarColorOf, avatarColors } from './rules.ts';

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
  isModerator: boolean().notNull().default(false),
  suspendedAt: time(),
  /** The desk has hidden the public profile. */
  profileWithheldAt: time(),
  /** Provider sign-ins before this time are refused ("Log out everywhere"). */
  signedOutAt: time(),
  /** Choices of the user; the setting of the browser applies to the rest. */
  preferences: jsonb().$type<StoredPreferences>().notNull().default({}),
  /** For the version before, kept alike by a trigger; the next release removes it (decision 007). */
  isDiscreet: boolean(),
  createdAt: time().notNull().defaultNow(),
});

/** As in `UserShape`, for queries of users who have a name. */
export const userColumns = {
  id: users.id,
  username: sql<string>`coalesce(${users.username}, '')`,
  icon: users.icon,
  color: users.color,
};

/** New users per day (UTC) and source, without saying who. */
export const signUpDays = pgTable(
  'sign_up_days',
  { day: date().notNull(), source: text().$type<SignUpSource>().notNull(), users: integer().notNull() },
  (table) => [primaryKey({ columns: [table.day, table.source] })],
);

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
  /** Time of the last proof of identity: log-in, password or second factor. */
  provenAt: time(),
  secondFactorAt: time(),
  /** For one use of a passkey. */
  passkeyChallenge: text(),
  passkeyChallengeUntil: time(),
});

/** An authenticator app; in use once a first code has confirmed it. */
export const secondFactors = pgTable('second_factors', {
  userId: uuid().primaryKey(),
  /** Encrypted with the site's secret. */
  secret: text().notNull(),
  confirmedAt: time(),
  /** RFC 6238: the step of 30 s whose code was accepted last. */
  lastStep: bigint({ mode: 'number' }).notNull().default(0),
  createdAt: time().notNull().defaultNow(),
});

export const recoveryCodes = pgTable(
  'recovery_codes',
  { userId: uuid().notNull(), codeHash: text().notNull(), usedAt: time() },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

export const passkeys = pgTable('passkeys', {
  id: uuid().primaryKey(),
  userId: uuid().notNull(),
  name: text().notNull(),
  credentialId: text().notNull(),
  publicKey: bytea().notNull(),
  counter: bigint({ mode: 'number' }).notNull(),
  transports: text().array().notNull().default([]),
  createdAt: time().notNull().defaultNow(),
  lastUsedAt: time(),
});

/** Accounts that an operator deletes; can be undone until they are due. */
export const accountDeletions = pgTable('account_deletions', {
  userId: uuid().primaryKey(),
  /** Null: the operator on the command line. */
  requestedBy: uuid(),
  reason: text().notNull(),
  dueAt: time().notNull(),
  createdAt: time().notNull().defaultNow(),
});

/** Calls by their idempotency keys (`repeated-calls.ts`). */
export const repeatedCalls = pgTable('repeated_calls', {
  keyHash: text().primaryKey(),
  /** Null: a visitor. */
  userId: uuid(),
  callHash: text().notNull(),
  /** Null until the call is answered. */
  status: smallint(),
  /** Encrypted. */
  answer: text(),
  createdAt: time().notNull().defaultNow(),
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
