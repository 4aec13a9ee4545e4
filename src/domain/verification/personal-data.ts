import { asc, eq, getTableName, or } from 'drizzle-orm';
import { voices } from '../catalogue/tables.ts';
import { lazyRows } from '../kernel/lazy-rows.ts';
import type { PersonalData } from '../kernel/personal-data.ts';
import { agreementAcceptances, creatorAgreements, voiceVerifications } from './tables.ts';

/** Records of checks belong to the creator and outlive the account; an operator's name stays, for those who come after. */
export const personalData: PersonalData = {
  tables: [voiceVerifications, creatorAgreements, agreementAcceptances].map(getTableName),
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
    return { verifications, agreements };
  },
  async erase(db, userId) {
    await db
      .update(voiceVerifications)
      .set({ askedBy: null, appeal: null })
      .where(eq(voiceVerifications.askedBy, userId));
    await db.update(voiceVerifications).set({ decidedBy: null }).where(eq(voiceVerifications.decidedBy, userId));
    await db.update(agreementAcceptances).set({ userId: null }).where(eq(agreementAcceptances.userId, userId));
    await db.update(creatorAgreements).set({ publishedBy: null }).where(eq(creatorAgreements.publishedBy, userId));
  },
};
