import { boolean, customType, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { ConsentState, Decision } from './rules.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });
/** A day, as `2026-11-30`; stored as its first moment (UTC). */
const day = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp(3) with time zone',
  toDriver: (value) => `${value}T00:00:00Z`,
  fromDriver: (value) => new Date(value).toISOString().slice(0, 10),
});

/** Records of checks that were made outside of the site. No row: nobody has asked for one. */
export const voiceVerifications = pgTable('voice_verifications', {
  voiceId: uuid().primaryKey(),
  /** The last one. */
  decision: text().$type<Decision>(),
  decidedAt: time(),
  decidedBy: uuid(),
  /** Outlives the account. */
  decidedByName: text(),
  method: text(),
  reference: text(),
  checkedOn: day(),
  verifiedUntil: day(),
  /** For a refusal or a withdrawal. */
  reason: text(),
  askAgainOn: day(),
  /** The creator waits for a decision since. */
  askedAt: time(),
  askedBy: uuid(),
  /** With a request after a refusal or a withdrawal. */
  appeal: text(),
  /** Its withdrawal hid the creator, whom the next check shows again. */
  hidVoice: boolean().notNull().default(false),
  /** The end that was announced. */
  remindedOf: day(),
});

/** Versions of the creator agreement; none is changed afterwards. */
export const creatorAgreements = pgTable('creator_agreements', {
  version: integer().primaryKey(),
  text: text().notNull(),
  publishedAt: time().notNull().defaultNow(),
  publishedBy: uuid(),
});

export const agreementAcceptances = pgTable('agreement_acceptances', {
  id: uuid().primaryKey(),
  voiceId: uuid().notNull(),
  version: integer().notNull(),
  /** Null after the account was deleted. */
  userId: uuid(),
  language: text().notNull(),
  /** As it was shown, in that language. */
  text: text().notNull(),
  acceptedAt: time().notNull().defaultNow(),
});

/** People who are heard in audios of a creator. */
export const performers = pgTable('performers', {
  id: uuid().primaryKey(),
  voiceId: uuid().notNull(),
  /** Null: not credited. */
  name: text(),
  /** Lower-case. Null: an operator keeps a record of the consent, or the account with this address was deleted. */
  email: text(),
  /** That of their answer, for mails. */
  language: text(),
  method: text(),
  reference: text(),
  checkedOn: day(),
  verifiedUntil: day(),
  createdAt: time().notNull().defaultNow(),
});

export const consents = pgTable(
  'consents',
  {
    audioId: uuid().notNull(),
    performerId: uuid().notNull(),
    state: text().$type<ConsentState>().notNull().default('asked'),
    recorded: boolean().notNull().default(false),
    published: boolean().notNull().default(false),
    downloaded: boolean().notNull().default(false),
    /** Shown with this audio; null: not credited. */
    name: text(),
    /** The sound that was agreed to, or refused: its `audios.fileKey` then. */
    sound: text(),
    tokenHash: text(),
    sentAt: time(),
    /** For a link that was not answered. */
    linkUntil: time(),
    openedAt: time(),
    answeredAt: time(),
    /** An operator's own record of the consent. */
    reference: text(),
    /** The performer was told that the audio is public. */
    toldAt: time(),
    createdAt: time().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.audioId, table.performerId] })],
);

/** Audios in which none of the creator's owners is heard. */
export const unheardOwners = pgTable('unheard_owners', { audioId: uuid().primaryKey() });
