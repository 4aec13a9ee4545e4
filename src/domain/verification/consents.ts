import { createHash, randomBytes } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { isLanguage, type Language } from '#formats/languages.ts';
import { inLanguage, language } from '#i18n';
import { isPublished } from '../catalogue/audios.ts';
import { holdVoicesOf } from '../catalogue/editing/hold-voices.ts';
import { holdBack } from '../catalogue/editing/publication-gate.ts';
import { audios, recordings, voices } from '../catalogue/tables.ts';
import { toBars } from '../catalogue/waveforms.ts';
import { mailTo } from '../identity/account-language.ts';
import { recordChange } from '../kernel/audit.ts';
import type { Db } from '../kernel/db.ts';
import type { MailContent } from '../kernel/email-template.ts';
import { translated } from '../kernel/mail-text.ts';
import type { ConsentForm } from './forms.ts';
import * as mails from './consent-mails.ts';
import { linkDays } from './rules.ts';
import { consents, performers } from './tables.ts';
import { type VerificationParts, mailOwners } from './verifications.ts';

const tokenPattern = /^[\w-]{43}$/;

export function newConsentToken(): { token: string; tokenHash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: hashOf(token) };
}

const hashOf = (token: string) => createHash('sha256').update(`consent ${token}`).digest('hex');

/** An answered link goes on working, so that its performer can change their mind. */
const isOpen = sql`(${consents.state} <> 'asked' or ${consents.linkUntil} > now())`;

const columns = {
  audioId: consents.audioId,
  performerId: consents.performerId,
  state: consents.state,
  recorded: consents.recorded,
  published: consents.published,
  downloaded: consents.downloaded,
  name: consents.name,
  answeredAt: consents.answeredAt,
  openedAt: consents.openedAt,
  sound: consents.sound,
  email: performers.email,
  language: performers.language,
  suggestedName: performers.name,
  title: audios.title,
  slug: audios.slug,
  voiceId: audios.voiceId,
  voiceName: voices.name,
  voiceSlug: voices.slug,
  imageKey: audios.imageKey,
  color: audios.color,
  durationMs: audios.durationMs,
  createdAt: audios.createdAt,
  audioFileKey: audios.fileKey,
  mime: audios.fileMime,
  bytes: audios.fileBytes,
  modifiedAt: audios.updatedAt,
  peaks: recordings.peaks,
  isPublic: sql<boolean>`coalesce(${isPublished}, false)`,
};

async function findByToken(db: Db, token: string) {
  if (!tokenPattern.test(token)) return undefined;
  const [row] = await db
    .select(columns)
    .from(consents)
    .innerJoin(performers, eq(performers.id, consents.performerId))
    .innerJoin(audios, and(eq(audios.id, consents.audioId), isNull(audios.deletedAt)))
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .leftJoin(recordings, and(eq(recordings.audioId, audios.id), eq(recordings.fileKey, audios.fileKey)))
    .where(and(eq(consents.tokenHash, hashOf(token)), isOpen));
  return row;
}
type Found = NonNullable<Awaited<ReturnType<typeof findByToken>>>;

/** For the page of a link. @returns undefined for an unknown link, and one that has run out */
export async function findConsent(db: Db, token: string) {
  const row = await findByToken(db, token);
  if (row === undefined) return undefined;
  return {
    state: row.state,
    recorded: row.recorded,
    published: row.published,
    downloaded: row.downloaded,
    name: row.state === 'asked' ? row.suggestedName : row.name,
    answeredAt: row.answeredAt?.toISOString() ?? null,
    /** The answer was given to another sound than the present one. */
    isOutdated: row.state !== 'asked' && row.sound !== row.audioFileKey,
    isPublic: row.isPublic,
    audio: {
      title: row.title,
      voiceName: row.voiceName,
      hasCover: row.imageKey !== null,
      color: row.color,
      seconds: Math.round(row.durationMs / 10) / 100,
      recordedAt: row.createdAt.toISOString(),
      waveform: row.peaks === null ? null : toBars(row.peaks),
    },
  };
}
export type ConsentView = NonNullable<Awaited<ReturnType<typeof findConsent>>>;

/** Kept for the creator: the link was opened. GET requests come from mail scanners, too, so it proves nothing. */
export async function noteOpened(db: Db, token: string): Promise<void> {
  if (!tokenPattern.test(token)) return;
  await db
    .update(consents)
    .set({ openedAt: sql`now()` })
    .where(and(eq(consents.tokenHash, hashOf(token)), isNull(consents.openedAt)));
}

/** The sound of an audio before its publication, for the one who is asked. */
export async function findConsentSound(db: Db, token: string) {
  const row = await findByToken(db, token);
  if (row === undefined) return undefined;
  const { audioFileKey: key, mime, bytes, modifiedAt } = row;
  return { key, mime, bytes, modifiedAt, etag: key.replace(/^.*\/|\.[a-z0-9]+$/g, ''), cache: 'private' as const };
}

export async function findConsentCover(db: Db, token: string): Promise<string | undefined> {
  const row = await findByToken(db, token);
  return row?.imageKey ?? undefined;
}

export type ConsentAnswer =
  | { act: 'give'; form: ConsentForm }
  /** Also takes a consent back. */
  | { act: 'refuse' };

type Outcome = { ok: true; state: 'given' | 'refused' | 'withdrawn' } | { ok: false; reason: 'not-found' };

/**
 * Records an answer. One who does not agree, or no longer, hides the audio at once.
 * @returns `not-found` for a link that has run out
 */
export async function answerConsent(parts: VerificationParts, token: string, answer: ConsentAnswer): Promise<Outcome> {
  const { db, mail, site } = parts;
  return db.transaction(async (tx): Promise<Outcome> => {
    const seen = await findByToken(tx, token);
    if (seen === undefined) return { ok: false, reason: 'not-found' };
    await holdVoicesOf(tx, eq(audios.id, seen.audioId));
    await tx.execute(sql`select from audios where id = ${seen.audioId} for no key update`);
    const found = await findByToken(tx, token);
    if (found === undefined) return { ok: false, reason: 'not-found' };
    const { audioId, performerId } = found;
    const isGiven = answer.act === 'give';
    const state = isGiven ? 'given' : found.state === 'asked' || found.state === 'refused' ? 'refused' : 'withdrawn';
    if (!isGiven && found.state === state) return { ok: true, state };
    const given = isGiven
      ? answer.form
      : { recorded: false, published: false, downloaded: false, name: found.name ?? found.suggestedName };
    await tx
      .update(consents)
      .set({ ...given, state, sound: found.audioFileKey, answeredAt: new Date(), reference: null })
      .where(and(eq(consents.audioId, audioId), eq(consents.performerId, performerId)));
    await tx.update(performers).set({ language: language() }).where(eq(performers.id, performerId));
    await limitToStreams(tx, audioId);
    const before = {
      state: found.state,
      recorded: found.recorded,
      published: found.published,
      downloaded: found.downloaded,
    };
    const { recorded, published, downloaded } = given;
    await recordChange(tx, {
      actor: 'performer',
      role: 'performer',
      action: isGiven ? 'consent.give' : state === 'refused' ? 'consent.refuse' : 'consent.withdraw',
      subject: { type: 'audio', id: audioId, name: found.title },
      voiceId: found.voiceId,
      before: { performer: performerId, ...before },
      after: { performer: performerId, state, recorded, published, downloaded, at: new Date().toISOString() },
    });
    const wasHidden = !isGiven && (await holdBack(tx, audioId, null)) !== undefined;
    // After the date of publication is gone: whatever the desk decides, it gives none back.
    if (state === 'withdrawn')
      await parts.openCase?.(tx, {
        audioId,
        kind: 'consent',
        details: translated('A performer took their consent back'),
      });
    await tell({ ...parts, db: tx, mail, site }, found, { state, given, wasHidden, link: linkOf(site, token) });
    return { ok: true, state };
  });
}

type Told = {
  state: 'given' | 'refused' | 'withdrawn';
  given: ConsentForm;
  wasHidden: boolean;
  link: string;
};

/** A copy to the performer; the owners hear of each answer, the operator of a consent that was taken back. */
async function tell({ db: tx, mail, site, operatorEmail }: VerificationParts, found: Found, told: Told): Promise<void> {
  const { voiceName: creator, voiceSlug, audioId } = found;
  const name = told.given.name ?? undefined;
  const about = { creator, name, state: told.state, wasHidden: told.wasHidden };
  if (found.email !== null) {
    const message = mails.answerCopy(site, { ...told.given, ...about, link: told.link });
    await mail.queue(tx, { to: found.email, ...message });
  }
  const studio = `${site.url}/studio/${voiceSlug}/audios/${audioId}/performers`;
  await mailOwners({ db: tx, mail }, found.voiceId, () => mails.answerMail(site, { ...about, link: studio }));
  if (told.state === 'withdrawn' && operatorEmail !== undefined) {
    const write = () =>
      mails.withdrawnMail(site, { ...about, link: `${site.url}/studio/${voiceSlug}/audios/${audioId}/performers` });
    await mail.queue(tx, await mailTo(tx, operatorEmail, write));
  }
}

export function linkOf(site: { url: string }, token: string): string {
  return `${site.url}/consent/${token}`;
}

/** Stores a new link, which ends the former one. Within a transaction that locks the audio. */
export async function renewLink(tx: Db, audioId: string, performerId: string): Promise<string> {
  const { token, tokenHash } = newConsentToken();
  await tx
    .update(consents)
    .set({
      tokenHash,
      sentAt: sql`now()`,
      linkUntil: sql`now() + make_interval(days => ${linkDays}::int)`,
      openedAt: null,
    })
    .where(and(eq(consents.audioId, audioId), eq(consents.performerId, performerId)));
  return token;
}

/** Downloads are off while one who is heard has not agreed to them. */
export async function limitToStreams(tx: Db, audioId: string): Promise<void> {
  const isStreamOnly = sql<boolean>`exists (select from consents c where c.audio_id = ${audioId} and not c.downloaded)`;
  await tx
    .update(audios)
    .set({ isStreamOnly })
    .where(and(eq(audios.id, audioId), sql`${audios.isStreamOnly} is distinct from ${isStreamOnly}`));
}

/** A mail in the performer's language: that of their last answer, else of their account. */
export async function mailToPerformer(
  db: Db,
  { email, language: known }: { email: string; language: string | null },
  write: () => MailContent,
) {
  if (known !== null && isLanguage(known)) return { to: email, ...inLanguage(known as Language, write) };
  return mailTo(db, email, write);
}

/** Tells performers once that their audio is public, as a job. @returns the number of mails */
export async function tellPublished({
  db,
  mail,
  site,
}: Pick<VerificationParts, 'db' | 'mail' | 'site'>): Promise<number> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select({
        audioId: consents.audioId,
        performerId: consents.performerId,
        email: performers.email,
        language: performers.language,
        creator: voices.name,
      })
      .from(consents)
      .innerJoin(performers, eq(performers.id, consents.performerId))
      .innerJoin(audios, and(eq(audios.id, consents.audioId), isPublished))
      .innerJoin(voices, eq(voices.id, audios.voiceId))
      .where(and(eq(consents.state, 'given'), isNull(consents.toldAt)))
      .limit(100)
      .for('update', { of: consents, skipLocked: true });
    for (const { audioId, performerId, email, ...one } of due) {
      await tx
        .update(consents)
        .set({ toldAt: sql`now()` })
        .where(and(eq(consents.audioId, audioId), eq(consents.performerId, performerId)));
      if (email === null) continue;
      const write = () => mails.publishedMail(site, { ...one, link: `${site.url}/audio/${audioId}` });
      await mail.queue(tx, await mailToPerformer(tx, { email, language: one.language }, write));
    }
    return due.filter(({ email }) => email !== null).length;
  });
}
