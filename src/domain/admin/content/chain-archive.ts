import { and, asc, desc, eq, inArray, like, or, sql } from 'drizzle-orm';
import { isAudio } from '../../catalogue/audios.ts';
import { findChainGap } from '../../catalogue/editing/chain.ts';
import { audios, recordings, voices } from '../../catalogue/tables.ts';
import { isId } from '../../kernel/ids.ts';
import { users } from '../../identity/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { auditEntries } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import { uploads } from '../../studio/tables.ts';
import { agreementAcceptances, consents, performers } from '../../verification/tables.ts';
import { findVerification } from '../../verification/verifications.ts';
import { canAdminister } from '../rules.ts';

/** Acts of one audio that its archive has at most. */
const maxActs = 10_000;

const time = (at: Date | null) => at?.toISOString() ?? null;

async function recordsOf(db: Db, voiceId: string) {
  const [verification, agreements] = await Promise.all([
    findVerification(db, voiceId),
    db
      .select({
        version: agreementAcceptances.version,
        by: users.username,
        at: agreementAcceptances.acceptedAt,
        language: agreementAcceptances.language,
        text: agreementAcceptances.text,
      })
      .from(agreementAcceptances)
      .leftJoin(users, eq(users.id, agreementAcceptances.userId))
      .where(eq(agreementAcceptances.voiceId, voiceId))
      .orderBy(desc(agreementAcceptances.version), asc(agreementAcceptances.acceptedAt)),
  ]);
  const { state, method, reference, checkedOn, until, decidedBy, decidedAt, reason } = verification;
  return {
    verification: { state, method, reference, checkedOn, until, decidedBy, decidedAt, reason },
    agreements: agreements.map(({ at, ...one }) => ({ ...one, at: at.toISOString() })),
  };
}

/** The agreements of a creator’s owners. @returns undefined for an unknown creator, and for everybody but operators */
export async function findAgreementsOf(db: Db, actor: Actor, voiceId: string) {
  if (!canAdminister(actor) || !isId(voiceId)) return undefined;
  const [voice] = await db.select({ name: voices.name, slug: voices.slug }).from(voices).where(eq(voices.id, voiceId));
  if (voice === undefined) return undefined;
  return { creator: voice.name, slug: voice.slug, agreements: (await recordsOf(db, voiceId)).agreements };
}

/**
 * All that is known of one audio from its upload to its publication, for an acquirer or an authority: uploader, creator,
 * agreement, performers with their consents, reviews, and the acts of the log.
 * @returns undefined for an unknown audio, and for everybody but operators
 */
export async function findChain(db: Db, actor: Actor, idOrSlug: string) {
  const match = isAudio(idOrSlug);
  if (match === undefined || !canAdminister(actor)) return undefined;
  const [audio] = await db
    .select({
      id: audios.id,
      slug: audios.slug,
      title: audios.title,
      sound: audios.fileKey,
      original: recordings.originalName,
      createdAt: audios.createdAt,
      publishedAt: audios.publishedAt,
      firstPublishedAt: audios.firstPublishedAt,
      deletedAt: audios.deletedAt,
      voiceId: audios.voiceId,
      creator: voices.name,
      creatorIsHeard: sql<boolean>`not exists (select from unheard_owners u where u.audio_id = ${audios.id})`,
    })
    .from(audios)
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .leftJoin(recordings, eq(recordings.audioId, audios.id))
    .where(match);
  if (audio === undefined) return undefined;
  const { id, voiceId, creator, creatorIsHeard } = audio;
  // Those that were merged into the creator while they had this audio, by the log.
  const { rows: former } = await db.execute<{ id: string; name: string }>(sql`
    select v.id, v.name from voices v where v.merged_into = ${voiceId}
      and v.id in (select voice_id from audit_entries where subject_id = ${id} and subject_type = 'audio')
    order by v.name, v.id`);
  const creators = [voiceId, ...former.map((one) => one.id)];
  const ofChain = or(
    eq(auditEntries.subjectId, id),
    and(
      inArray(auditEntries.subjectId, creators),
      or(
        like(auditEntries.action, 'verification.%'),
        like(auditEntries.action, 'agreement.%'),
        eq(auditEntries.action, 'voice.merge'),
      ),
    ),
  );
  const [files, creatorRecords, formerRecords, heard, reviews, acts, gap] = await Promise.all([
    db
      .select({ at: uploads.createdAt, by: users.username, fileName: uploads.fileName, replaces: uploads.replaces })
      .from(uploads)
      .leftJoin(users, eq(users.id, uploads.userId))
      .where(eq(uploads.audioId, id))
      .orderBy(asc(uploads.id)),
    recordsOf(db, voiceId),
    Promise.all(former.map(async (one) => ({ name: one.name, ...(await recordsOf(db, one.id)) }))),
    db
      .select({ consent: consents, performer: performers })
      .from(consents)
      .innerJoin(performers, eq(performers.id, consents.performerId))
      .where(eq(consents.audioId, id))
      .orderBy(asc(consents.createdAt), asc(consents.performerId)),
    db.execute<{
      sentAt: string;
      cause: string;
      decision: string | null;
      decidedAt: string | null;
      by: string | null;
      reasonKind: string | null;
      reason: string | null;
      sound: string;
    }>(sql`
      select to_char(r.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "sentAt", r.cause, r.decision,
        to_char(r.decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "decidedAt",
        (select username from users where users.id = r.decided_by) as by,
        r.reason_kind as "reasonKind", r.reason, r.sound
      from reviews r where r.audio_id = ${id} order by r.sent_at, r.id`),
    db
      .select({
        at: auditEntries.createdAt,
        action: auditEntries.action,
        role: auditEntries.actorRole,
        by: sql<
          string | null
        >`coalesce((select username from users where users.id = ${auditEntries.actorId}), ${auditEntries.actorName})`,
        before: auditEntries.before,
        after: auditEntries.after,
      })
      .from(auditEntries)
      .where(and(inArray(auditEntries.subjectType, ['audio', 'voice']), ofChain))
      .orderBy(asc(auditEntries.id))
      .limit(maxActs),
    findChainGap(db, id),
  ]);
  return {
    madeAt: new Date().toISOString(),
    audio: {
      id,
      slug: audio.slug,
      title: audio.title,
      sound: audio.sound,
      original: audio.original,
      createdAt: audio.createdAt.toISOString(),
      publishedAt: time(audio.publishedAt),
      firstPublishedAt: time(audio.firstPublishedAt),
      deletedAt: time(audio.deletedAt),
    },
    /** Null: nothing that the settings ask for is missing. */
    gap: gap ?? null,
    uploads: files.map(({ at, ...file }) => ({ at: at.toISOString(), ...file })),
    creator: {
      name: creator,
      isHeard: creatorIsHeard,
      ...creatorRecords,
      /** Merged into this one since; records that moved with the merge are above. */
      former: formerRecords,
    },
    performers: heard.map(({ consent, performer }) => ({
      name: consent.name,
      email: performer.email,
      verification: {
        method: performer.method,
        reference: performer.reference,
        checkedOn: performer.checkedOn,
        until: performer.verifiedUntil,
      },
      consent: {
        state: consent.state,
        recorded: consent.recorded,
        published: consent.published,
        downloaded: consent.downloaded,
        sound: consent.sound,
        sentAt: time(consent.sentAt),
        openedAt: time(consent.openedAt),
        answeredAt: time(consent.answeredAt),
        reference: consent.reference,
      },
    })),
    reviews: reviews.rows,
    acts: acts.map(({ at, ...act }) => ({ at: at.toISOString(), ...act })),
  };
}
export type Chain = NonNullable<Awaited<ReturnType<typeof findChain>>>;
