import { customType, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { AgeMethod, AgeWay, AskedAgain, ProofRefusal } from './rules.ts';
import type { PrivateKey } from './wallet/private-key.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

/** The last confirmation of an account's age: how, by which rule, when and until when. */
export const ageConfirmations = pgTable('age_confirmations', {
  userId: uuid().primaryKey(),
  method: text().$type<AgeMethod>().notNull(),
  /** Place of the rule. */
  place: text().notNull(),
  again: text().$type<AskedAgain>().notNull(),
  confirmedAt: time().notNull(),
  /** Null: without end. */
  until: time(),
});

const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

/** Requests for a proof, for minutes. Nothing in a row names a person. */
export const ageProofRequests = pgTable('age_proof_requests', {
  id: uuid().primaryKey(),
  /** SHA-256 of the secret that the browser keeps. */
  browser: bytea().notNull(),
  nonce: text(),
  privateKey: jsonb('private_jwk').$type<PrivateKey>(),
  codeVerifier: text(),
  state: text().$type<'waiting' | 'done' | 'refused'>().notNull().default('waiting'),
  way: text().$type<AgeWay>(),
  refusal: text().$type<ProofRefusal>(),
  expiresAt: time().notNull(),
});
