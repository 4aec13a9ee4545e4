import { asc, eq, getTableName, or, sql } from 'drizzle-orm';
import { audios, voices } from '../catalogue/tables.ts';
import { users } from '../identity/tables.ts';
import { lazyRows } from '../kernel/lazy-rows.ts';
import type { PersonalData } from '../kernel/personal-data.ts';
import { agreementAcceptances, consents, creatorAgreements, performers, voiceVerifications } from './tables.ts';

/** Performers have no account; one with their email is theirs. */
const isOwnPerformer = (userId: string) =>
  sql`${performers.email} = (select ${users.email} from ${users} where ${users.id} = ${userId})`;

/** Records of checks belong to the creator and outlive the account; an operator's name stays, for those who come after. */
export const personalData: PersonalData = {
  tables: [voiceVerifications, creatorAgreements, agreementAcceptances, performers, consents].map(getTableName),
  async exportOf(db, userId) {
    const verifications = lazyRows(db, (on) =>
      on
        .select({
          creator: voices.name,
          askedAt: voiceVerifications.askedAt,
          appeal: voiceVerifications.appeal,
          decision: voiceVerifications.decision,
          decidedAt: voiceVerifications.decidedAt,
          method: voiceVerifications.method,
          reference: voiceVerifications.reference,
          checkedOn: voiceVerifications.checkedOn,
          verifiedUntil: voiceVerifications.verifiedUntil,
          reason: voiceVerifications.reason,
        })
        .from(voiceVerifications)
        .innerJoin(voices, eq(voices.id, voiceVerifications.voiceId))
        .where(or(eq(voiceVerifications.askedBy, userId), eq(voiceVerifications.decidedBy, userId)))
        .orderBy(asc(voiceVerifications.voiceId)),
    );
    const agreements = lazyRows(db, (on) =>
      on
        .select({
          creator: voices.name,
          version: agreementAcceptances.version,
          language: agreementAcceptances.language,
          text: agreementAcceptances.text,
          acceptedAt: agreementAcceptances.acceptedAt,
        })
        .from(agreementAcceptances)
        .innerJoin(voices, eq(voices.id, agreementAcceptances.voiceId))
        .where(eq(agreementAcceptances.userId, userId))
        .orderBy(asc(agreementAcceptances.id)),
    );
    const ownConsents = lazyRows(db, (on) =>
      on
        .select({
          creator: voices.name,
          audio: audios.title,
          name: consents.name,
          email: performers.email,
          state: consents.state,
          recorded: consents.recorded,
          published: consents.published,
          downloaded: consents.downloaded,
          sentAt: consents.sentAt,
          answeredAt: consents.answeredAt,
          reference: consents.reference,
          checkMethod: performers.method,
          checkReference: performers.reference,
          verifiedUntil: performers.verifiedUntil,
        })
        .from(consents)
        .innerJoin(performers, eq(performers.id, consents.performerId))
        .innerJoin(audios, eq(audios.id, consents.audioId))
        .innerJoin(voices, eq(voices.id, audios.voiceId))
        .where(isOwnPerformer(userId))
        .orderBy(asc(consents.audioId), asc(consents.performerId)),
    );
    return { verifications, agreements, consents: ownConsents };
  },
  async erase(db, userId) {
    await db
      .update(voiceVerifications)
      .set({ askedBy: null, appeal: null })
      .where(eq(voiceVerifications.askedBy, userId));
    await db.update(voiceVerifications).set({ decidedBy: null }).where(eq(voiceVerifications.decidedBy, userId));
    await db.update(agreementAcceptances).set({ userId: null }).where(eq(agreementAcceptances.userId, userId));
    // The consent itself stays: what was published relies on it, and its link still takes it back.
    await db.update(performers).set({ email: null }).where(isOwnPerformer(userId));
    await db.update(creatorAgreements).set({ publishedBy: null }).where(eq(creatorAgreements.publishedBy, userId));
  },
};
