import { and, asc, eq, sql } from 'drizzle-orm';
import { imageUrl } from '../../catalogue/audios.ts';
import { type ChainGap, findChainGap } from '../../catalogue/editing/chain.ts';
import { audios, voices } from '../../catalogue/tables.ts';
import type { Mail } from '../../gateways.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import type { MailSite } from '../../kernel/email-template.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { requestMail } from '../../verification/consent-mails.ts';
import { limitToStreams, linkOf, mailToPerformer, renewLink } from '../../verification/consents.ts';
import type { PerformerForm } from '../../verification/forms.ts';
import { maskEmail, maxPerformers } from '../../verification/rules.ts';
import { consents, performers, unheardOwners } from '../../verification/tables.ts';
import { type HeldAudio, findManagedAudio, holdAudio, recordOnAudio } from './hold-audio.ts';

/** Performers of an audio, for those who manage it. */

type Parts = { db: Db; mail: Mail; site: MailSite };

const isOf = (audioId: string, performerId: string) =>
  and(eq(consents.audioId, audioId), eq(consents.performerId, performerId));

/** @returns undefined for an audio that the actor does not manage */
export async function listPerformers(db: Db, actor: Actor, audioId: string) {
  const audio = await findManagedAudio(db, actor, audioId);
  return audio && readPerformers(db, audio.id);
}

/** The same in any state of the audio. The caller checks the right. */
export async function readPerformers(db: Db, audioId: string) {
  const [[owner], rows, gap] = await Promise.all([
    db
      .select({
        name: voices.name,
        imageKey: voices.imageKey,
        fileKey: audios.fileKey,
        isHeard: sql<boolean>`not exists (select from unheard_owners u where u.audio_id = ${audios.id})`,
        hasAgreed: sql<boolean>`exists (select from agreement_acceptances t where t.voice_id = ${voices.id})`,
      })
      .from(audios)
      .innerJoin(voices, eq(voices.id, audios.voiceId))
      .where(eq(audios.id, audioId)),
    db
      .select({ consent: consents, performer: performers })
      .from(consents)
      .innerJoin(performers, eq(performers.id, consents.performerId))
      .where(eq(consents.audioId, audioId))
      .orderBy(asc(consents.createdAt), asc(consents.performerId))
      .limit(maxPerformers),
    findChainGap(db, audioId),
  ]);
  if (owner === undefined) return undefined;
  const items = rows.map(({ consent, performer }) => {
    const isOutdated = consent.state !== 'asked' && consent.sound !== owner.fileKey;
    return {
      id: performer.id,
      name: consent.state === 'asked' ? performer.name : consent.name,
      maskedEmail: performer.email && maskEmail(performer.email),
      state: consent.state,
      recorded: consent.recorded,
      published: consent.published,
      downloaded: consent.downloaded,
      /** The answer was given to another sound. */
      isOutdated,
      isComplete: consent.state === 'given' && consent.recorded && consent.published && !isOutdated,
      sentAt: consent.sentAt?.toISOString() ?? null,
      isLinkOver: consent.state === 'asked' && consent.linkUntil !== null && consent.linkUntil <= new Date(),
      isOpened: consent.openedAt !== null,
      answeredAt: consent.answeredAt?.toISOString() ?? null,
      reference: consent.reference,
      verifiedUntil: performer.verifiedUntil,
    };
  });
  const { name, imageKey, isHeard, hasAgreed } = owner;
  return {
    owner: isHeard ? { name, imageUrl: imageUrl(imageKey), hasAgreed } : null,
    items,
    complete: items.filter(({ isComplete }) => isComplete).length + (isHeard ? 1 : 0),
    total: items.length + (isHeard ? 1 : 0),
    /** Keeps it from being published; null: nothing does. */
    gap: gap ?? null,
  };
}
export type AudioPerformers = NonNullable<Awaited<ReturnType<typeof listPerformers>>>;
export type AudioPerformer = AudioPerformers['items'][number];
export type { ChainGap };

type Refusal = { ok: false; reason: 'not-found' | 'full' | 'there-already' | 'no-email' | 'same-sound' };

async function change<Result extends { ok: true }>(
  { db }: Pick<Parts, 'db'>,
  actor: Actor,
  audioId: string,
  run: (tx: Db, audio: HeldAudio) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  if (!isId(audioId)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx) => {
    const audio = await holdAudio(tx, actor, audioId);
    return audio === undefined ? { ok: false, reason: 'not-found' } : run(tx, audio);
  });
}

/** Mails the link. @returns the link, which the database has as a hash only */
async function sendNew(
  { mail, site }: Parts,
  tx: Db,
  audio: HeldAudio,
  performer: { id: string; email: string; language: string | null },
): Promise<string> {
  const link = linkOf(site, await renewLink(tx, audio.id, performer.id));
  const [voice] = await tx.select({ name: voices.name }).from(voices).where(eq(voices.id, audio.voiceId));
  const write = () => requestMail(site, { creator: voice?.name ?? '', link });
  await mail.queue(tx, await mailToPerformer(tx, performer, write));
  return link;
}

/** Adds a person who is heard, and mails them the link of their consent. */
export function addPerformer(parts: Parts, actor: Actor, audioId: string, { name, email }: PerformerForm) {
  return change(parts, actor, audioId, async (tx, audio): Promise<{ ok: true; id: string } | Refusal> => {
    if ((await tx.$count(consents, eq(consents.audioId, audio.id))) >= maxPerformers)
      return { ok: false, reason: 'full' };
    const [performer] = await tx
      .insert(performers)
      .values({ id: newId(), voiceId: audio.voiceId, name, email })
      .onConflictDoUpdate({
        target: [performers.voiceId, performers.email],
        targetWhere: sql`email is not null`,
        set: { name },
      })
      .returning({ id: performers.id, language: performers.language });
    if (performer === undefined) return { ok: false, reason: 'not-found' };
    const { rowCount } = await tx
      .insert(consents)
      .values({ audioId: audio.id, performerId: performer.id, name })
      .onConflictDoNothing();
    if (rowCount === 0) return { ok: false, reason: 'there-already' };
    await sendNew(parts, tx, audio, { ...performer, email });
    await limitToStreams(tx, audio.id);
    await recordOnAudio(tx, actor, audio, 'performer.add', { after: { performer: performer.id } });
    return { ok: true, id: performer.id };
  });
}

/** A new link, which ends the former one. @param by mail: to the performer; copy: for the creator to pass on */
export function renewPerformerLink(
  parts: Parts,
  actor: Actor,
  audioId: string,
  performerId: string,
  by: 'mail' | 'copy',
) {
  return change(parts, actor, audioId, async (tx, audio): Promise<{ ok: true; link: string | null } | Refusal> => {
    const [performer] = isId(performerId)
      ? await tx
          .select({ id: performers.id, email: performers.email, language: performers.language })
          .from(performers)
          .innerJoin(consents, eq(consents.performerId, performers.id))
          .where(isOf(audio.id, performerId))
      : [];
    if (performer === undefined) return { ok: false, reason: 'not-found' };
    const { email } = performer;
    if (by === 'mail' && email === null) return { ok: false, reason: 'no-email' };
    const link =
      by === 'mail' && email !== null
        ? await sendNew(parts, tx, audio, { ...performer, email })
        : linkOf(parts.site, await renewLink(tx, audio.id, performerId));
    await recordOnAudio(tx, actor, audio, by === 'mail' ? 'performer.send-link' : 'performer.copy-link', {
      after: { performer: performerId },
    });
    return { ok: true, link: by === 'copy' ? link : null };
  });
}

/** One who did not agree, or no longer, can be removed only together with the sound in which they are heard. */
export function removePerformer(parts: Pick<Parts, 'db'>, actor: Actor, audioId: string, performerId: string) {
  return change(parts, actor, audioId, async (tx, audio) => {
    const [consent] = isId(performerId)
      ? await tx
          .select({ state: consents.state, sound: consents.sound, current: audios.fileKey })
          .from(consents)
          .innerJoin(audios, eq(audios.id, consents.audioId))
          .where(isOf(audio.id, performerId))
      : [];
    if (consent === undefined) return { ok: false, reason: 'not-found' };
    const isAgainst = consent.state === 'refused' || consent.state === 'withdrawn';
    if (isAgainst && consent.sound === consent.current) return { ok: false, reason: 'same-sound' };
    await tx.delete(consents).where(isOf(audio.id, performerId));
    await tx
      .delete(performers)
      .where(
        and(
          eq(performers.id, performerId),
          sql`not exists (select from consents c where c.performer_id = ${performerId})`,
        ),
      );
    await limitToStreams(tx, audio.id);
    await recordOnAudio(tx, actor, audio, 'performer.remove', {
      after: { performer: performerId, state: consent.state },
    });
    return { ok: true };
  });
}

/** The owner who records alone is heard by default. */
export function setOwnerHeard(parts: Pick<Parts, 'db'>, actor: Actor, audioId: string, isHeard: boolean) {
  return change(parts, actor, audioId, async (tx, audio) => {
    const { rowCount } = isHeard
      ? await tx.delete(unheardOwners).where(eq(unheardOwners.audioId, audio.id))
      : await tx.insert(unheardOwners).values({ audioId: audio.id }).onConflictDoNothing();
    if (rowCount === 1)
      await recordOnAudio(tx, actor, audio, isHeard ? 'performer.add-owner' : 'performer.remove-owner', { after: {} });
    return { ok: true };
  });
}
