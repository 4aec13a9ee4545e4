import { desc, eq, sql } from 'drizzle-orm';
import { type ChainSettings, chainSetting } from '../../catalogue/editing/chain.ts';
import type { Db } from '../../kernel/db.ts';
import { findSetting } from '../../settings/change-setting.ts';
import { readPerformers } from '../../studio/audios/performers.ts';
import { agreementAcceptances, creatorAgreements } from '../../verification/tables.ts';
import { findVerification } from '../../verification/verifications.ts';

/** Performers of an audio with their consents, and the records of its creator, for the desk. The caller checks the right. */
export async function findDeskPerformers(db: Db, audioId: string, voiceId: string) {
  const [performers, { state, until }, [current], [accepted], setting] = await Promise.all([
    readPerformers(db, audioId),
    findVerification(db, voiceId),
    db.select({ version: sql<number | null>`max(${creatorAgreements.version})` }).from(creatorAgreements),
    db
      .select({ version: agreementAcceptances.version })
      .from(agreementAcceptances)
      .where(eq(agreementAcceptances.voiceId, voiceId))
      .orderBy(desc(agreementAcceptances.version))
      .limit(1),
    findSetting(db, chainSetting),
  ]);
  if (performers === undefined) return undefined;
  const needs: ChainSettings = setting.value;
  const agreement = accepted?.version ?? null;
  return {
    ...performers,
    verification: { state, until },
    agreement,
    /** The creator has to agree to a newer version, or has never agreed; false where there is no agreement. */
    agreementWaits: (current?.version ?? null) !== null && agreement !== current?.version,
    needs,
  };
}
export type DeskPerformers = NonNullable<Awaited<ReturnType<typeof findDeskPerformers>>>;
