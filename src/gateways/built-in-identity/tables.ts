import { boolean, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { SignInMethod } from '#domain/identity/provider.ts';

/** better-auth's tables under this site's names; better-auth defines which columns it needs. */

const time = () => timestamp({ withTimezone: true, precision: 3 });
const created = { createdAt: time().notNull().defaultNow() };
const changed = { ...created, updatedAt: time().notNull().defaultNow() };

export const providerUsers = pgTable('provider_users', {
  id: text().primaryKey(),
  name: text().notNull(),
  email: text().notNull(),
  emailVerified: boolean().notNull().default(false),
  image: text(),
  ...changed,
});

/** One way to sign in: a password, or a social provider. */
export const providerAccounts = pgTable('provider_accounts', {
  id: text().primaryKey(),
  accountId: text().notNull(),
  providerId: text().notNull(),
  userId: text().notNull(),
  accessToken: text(),
  refreshToken: text(),
  idToken: text(),
  accessTokenExpiresAt: time(),
  refreshTokenExpiresAt: time(),
  scope: text(),
  password: text(),
  ...changed,
});

export const providerSessions = pgTable('provider_sessions', {
  id: text().primaryKey(),
  token: text().notNull(),
  userId: text().notNull(),
  expiresAt: time().notNull(),
  ipAddress: text(),
  userAgent: text(),
  signInMethod: text().$type<SignInMethod>().notNull().default('other'),
  ...changed,
});

export const providerVerifications = pgTable('provider_verifications', {
  id: text().primaryKey(),
  identifier: text().notNull(),
  value: text().notNull(),
  expiresAt: time().notNull(),
  ...changed,
});

/** Signs ID tokens. */
export const providerKeys = pgTable('provider_keys', {
  id: text().primaryKey(),
  publicKey: text().notNull(),
  privateKey: text().notNull(),
  alg: text(),
  crv: text(),
  expiresAt: time(),
  ...created,
});
