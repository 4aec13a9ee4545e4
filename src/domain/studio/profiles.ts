import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import { type VoiceProfileForm, type VoiceProfileSeen, profileFields } from '../catalogue/forms.ts';
import { holdSlugs } from '../catalogue/editing/slugs.ts';
import { isDownloadable, isPublished } from '../catalogue/audios.ts';
import { audios, formerVoiceSlugs, series, voices } from '../catalogue/tables.ts';
import type { Actor } from '../kernel/actor.ts';
import { changedMeanwhile, recordChange } from '../kernel/audit.ts';
import { type Db, pick } from '../kernel/db.ts';
import { isId, sortKey } from '../kernel/ids.ts';
import { roleIn } from '../kernel/rules.ts';
import { isChangedSince } from '../kernel/seen.ts';
import { type NotAPicture, type PictureTools, withPicture } from './pictures.ts';

/** Fields of a creator's page that its owners and editors change. The caller checks the right. */
export async function findProfile(db: Db, voiceId: string) {
  const [row] = await db
    .select(pick(voices, 'id', ...profileFields))
    .from(voices)
    .where(and(eq(voices.id, voiceId), isNull(voices.deletedAt)));
  return row;
}
export type VoiceProfile = NonNullable<Awaited<ReturnType<typeof findProfile>>>;

/** Names of creators whom somebody recommends, hidden ones too. */
export async function listNames(db: Db, voiceIds: string[]): Promise<{ id: string; slug: string; name: string }[]> {
  if (voiceIds.length === 0) return [];
  return db
    .select(pick(voices, 'id', 'slug', 'name'))
    .from(voices)
    .where(inArray(voices.id, voiceIds));
}

/** Titles of a creator's audios, those that are no longer public, too. */
export async function listTitles(
  db: Db,
  voiceId: string,
  audioIds: string[],
): Promise<{ id: string; title: string }[]> {
  if (audioIds.length === 0) return [];
  return db
    .select(pick(audios, 'id', 'title'))
    .from(audios)
    .where(and(inArray(audios.id, audioIds), eq(audios.voiceId, voiceId)));
}

export type ProfileResult =
  | { ok: true; slug: string }
  | NotAPicture
  | { ok: false; reason: 'not-found' | 'slug-taken' | 'unknown-series' | 'unknown-creator' | 'unknown-audio' };

/**
 * Applies all given changes, or none when one of them fails. After a new slug, the old address redirects.
 * @param options.picture null removes the portrait
 * @param options.seen absent: not checked
 */
export async function editProfile(
  tools: PictureTools,
  actor: Actor,
  voiceId: string,
  edit: VoiceProfileForm,
  { picture, seen }: { picture?: Uint8Array | null | undefined; seen?: VoiceProfileSeen | undefined } = {},
): Promise<ProfileResult> {
  const role = roleIn(actor, voiceId);
  if (role === undefined || !isId(voiceId)) return { ok: false, reason: 'not-found' };
  const find = async (db: Db) =>
    (
      await db
        .select()
        .from(voices)
        .where(and(eq(voices.id, voiceId), isNull(voices.deletedAt)))
        .for('no key update')
    ).at(0);
  return withPicture<ProfileResult>(tools, picture, find, async (tx, kept) => {
    if (edit.slug !== undefined) await holdSlugs(tx);
    const before = await find(tx);
    if (before === undefined) return { ok: false, reason: 'not-found' };
    if (isChangedSince(seen, before)) throw await changedMeanwhile(tx, { type: 'voice', id: voiceId });
    if (edit.slug !== undefined && (await isSlugTaken(tx, edit.slug, voiceId)))
      return { ok: false, reason: 'slug-taken' };
    if (edit.linkedSeriesId && !(await isSeriesOf(tx, edit.linkedSeriesId, voiceId)))
      return { ok: false, reason: 'unknown-series' };
    if (edit.recommendedIds && !(await canBeRecommended(tx, edit.recommendedIds, before)))
      return { ok: false, reason: 'unknown-creator' };
    if (!(await areOwnAudios(tx, edit, voiceId))) return { ok: false, reason: 'unknown-audio' };
    const changes = { ...edit, ...kept, ...(edit.name !== undefined && { sortName: sortKey(edit.name) }) };
    if (Object.keys(changes).length > 0) await tx.update(voices).set(changes).where(eq(voices.id, voiceId));
    await recordChange(tx, {
      actor,
      role,
      action: 'voice.edit',
      subject: { type: 'voice', id: voiceId, name: before.name },
      voiceId,
      before: auditedOf(before),
      after: auditedOf({ ...before, ...changes }),
    });
    return { ok: true, slug: edit.slug ?? before.slug };
  });
}

const auditedOf = (voice: typeof voices.$inferSelect) => pick(voice, ...profileFields, 'imageKey');

/** Those of the feeds are public and may be kept: drafts have passed no review, and podcast apps keep what they play. */
async function areOwnAudios(tx: Db, edit: VoiceProfileForm, voiceId: string): Promise<boolean> {
  const { welcomeAudioId, paymentAudioId, farewellAudioId } = edit;
  const chosen = [welcomeAudioId, paymentAudioId, farewellAudioId].filter((id) => typeof id === 'string');
  const ids = [...new Set(chosen)];
  const isOwn = and(inArray(audios.id, ids), eq(audios.voiceId, voiceId), isPublished, isDownloadable);
  return ids.length === 0 || (await tx.$count(audios, isOwn)) === ids.length;
}

/** Those recommended before stay, also while they are hidden. */
async function canBeRecommended(tx: Db, ids: string[], before: typeof voices.$inferSelect): Promise<boolean> {
  const added = ids.filter((id) => !before.recommendedIds.includes(id));
  if (added.includes(before.id)) return false;
  return (await tx.$count(voices, and(inArray(voices.id, added), isNull(voices.hiddenAt)))) === added.length;
}

/** Refuses former slugs of other voices too: their old address must not lead to somebody else. */
async function isSlugTaken(tx: Db, slug: string, voiceId: string): Promise<boolean> {
  const byOther = and(eq(voices.slug, slug), ne(voices.id, voiceId));
  const beforeByOther = and(eq(formerVoiceSlugs.slug, slug), ne(formerVoiceSlugs.voiceId, voiceId));
  return (await tx.$count(voices, byOther)) + (await tx.$count(formerVoiceSlugs, beforeByOther)) > 0;
}

async function isSeriesOf(tx: Db, seriesId: string, voiceId: string): Promise<boolean> {
  const [row] = await tx
    .select({ id: sql`1` })
    .from(series)
    .where(and(eq(series.id, seriesId), eq(series.voiceId, voiceId)))
    .for('key share');
  return row !== undefined;
}
