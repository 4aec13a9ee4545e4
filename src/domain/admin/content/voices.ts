import { and, asc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { imageUrlSql } from '../../catalogue/audios.ts';
import { type VoiceType, voiceTypeLabels, voiceTypes } from '../../catalogue/rules.ts';
import { claimSlug } from '../../catalogue/editing/slugs.ts';
import { categories, voices } from '../../catalogue/tables.ts';
import { countedAudios } from '../../catalogue/totals.ts';
import { listVoiceOwners, setVoiceOwner } from '../../community/voice-owners.ts';
import { findAccount } from '../../identity/operators.ts';
import type { Actor } from '../../kernel/actor.ts';
import { changedMeanwhile } from '../../kernel/audit.ts';
import { type Db, allowLongStatements, pick } from '../../kernel/db.ts';
import { isId, newId, sortKey, toSlug } from '../../kernel/ids.ts';
import { moveVoiceFigures, pauseFigures } from '../../listening/figures.ts';
import { type PageQuery, pageIn } from '../../kernel/pages.ts';
import type { VoiceEdit, VoiceForm } from '../forms.ts';
import { recordByOperator } from '../record.ts';
import { matchingWords } from '../word-search.ts';
import { canAdminister } from '../rules.ts';
import { isChangedSince } from '../../kernel/seen.ts';
import { mergeRecords } from '../../verification/merge-records.ts';

const columns = {
  ...pick(voices, 'id', 'slug', 'name', 'voiceTypeLabel'),
  imageUrl: imageUrlSql(voices.imageKey),
  isHidden: sql<boolean>`${voices.hiddenAt} is not null`,
  audios: countedAudios(
    'voice',
    sql`voices.id`,
    sql`select count(*)::int from audios a where a.voice_id = voices.id and a.deleted_at is null`,
  ),
  series: sql<number>`(select count(*)::int from series s where s.voice_id = voices.id)`,
  owners: sql<number>`(select count(*)::int from voice_owners o where o.voice_id = voices.id)`,
  /** Listeners who have it as a favorite. */
  favorites: sql<number>`coalesce((select c.favorites from voice_counts c where c.voice_id = voices.id), 0)`,
};

/** Not merged, not deleted. */
const isListed = and(isNull(voices.mergedInto), isNull(voices.deletedAt));

const asksForVerification = sql<boolean>`exists (
  select from voice_verifications v where v.voice_id = voices.id and v.asked_at is not null)`;

type ListQuery = PageQuery & { q?: string | undefined; state?: 'hidden' | 'asking' | undefined };

/** By name, A–Z, hidden ones too. @param query.q beginnings of words of the name */
export async function listVoices(db: Db, actor: Actor, query: ListQuery) {
  if (!canAdminister(actor)) return { items: [], nextCursor: undefined };
  const page = pageIn('admin-voices', query, { direction: 'asc', by: voices.sortName, id: voices.id });
  const isInState = { hidden: isNotNull(voices.hiddenAt), asking: asksForVerification };
  // Only spaces and punctuation: matches everything.
  const isAbout = await matchingWords(db, voices.id, sql`voices.sort_name`, query.q ?? '');
  const rows = await db
    .select({ ...columns, asksForVerification, ...page.columns })
    .from(voices)
    .where(and(isListed, isAbout, query.state && isInState[query.state], page.after))
    .orderBy(...page.orderBy)
    .limit(page.limit);
  return page.of(rows);
}

/**
 * For a field that finds one: those with exactly this name or address first, so that no number of longer names hides
 * them.
 */
export async function findVoiceChoices(db: Db, actor: Actor, q: string, limit: number) {
  const name = sortKey(q);
  if (name === '' || !canAdminister(actor)) return [];
  const isExact = or(eq(voices.sortName, name), eq(voices.slug, toSlug(q)));
  const [exact, { items }] = await Promise.all([
    db
      .select(columns)
      .from(voices)
      .where(and(isListed, isExact))
      .orderBy(asc(voices.sortName), asc(voices.id))
      .limit(limit),
    listVoices(db, actor, { q, limit }),
  ]);
  const first = new Set(exact.map(({ id }) => id));
  return [...exact, ...items.filter(({ id }) => !first.has(id))]
    .slice(0, limit)
    .map(({ id, slug, name, audios, isHidden }) => ({ id, slug, name, audios, isHidden }));
}

/** Whether an audio can be uploaded for somebody. */
export async function hasVoices(db: Db, actor: Actor): Promise<boolean> {
  if (!canAdminister(actor)) return false;
  const found = await db.select({ id: voices.id }).from(voices).where(isListed).limit(1);
  return found.length > 0;
}

export async function findVoice(db: Db, actor: Actor, id: string) {
  if (!canAdminister(actor) || !isId(id)) return undefined;
  const [voice] = await db
    .select({ ...columns, ...pick(voices, 'bio', 'categoryId', 'language') })
    .from(voices)
    .where(and(eq(voices.id, id), isListed));
  if (voice === undefined) return undefined;
  const people = (await listVoiceOwners(db, id)) ?? [];
  return { ...voice, voiceType: voiceTypeOf(voice.voiceTypeLabel), people };
}

/** Undefined for an imported label that is not in the list of types. */
function voiceTypeOf(label: string): VoiceType | undefined {
  return voiceTypes.find((type) => voiceTypeLabels[type] === label);
}

type VoiceOutcome = { ok: true; id: string } | { ok: false; reason: 'not-found' | 'unknown-category' };

export async function createVoice(db: Db, actor: Actor, form: VoiceForm): Promise<VoiceOutcome> {
  if (!canAdminister(actor)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx): Promise<VoiceOutcome> => {
    if (!(await isCategory(tx, form.categoryId))) return { ok: false, reason: 'unknown-category' };
    const { name, bio, categoryId, language } = form;
    const id = newId();
    const slug = await claimSlug(tx, 'voices', name);
    const voiceTypeLabel = voiceTypeLabels[form.voiceType];
    const values = { id, slug, name, sortName: sortKey(name), bio, categoryId, voiceTypeLabel, language };
    await tx.insert(voices).values(values);
    await recordByOperator(tx, actor, {
      action: 'voice.create',
      subject: { type: 'voice', id, name },
      voiceId: id,
      after: { name, slug, voiceType: voiceTypeLabel, bio, categoryId, language },
    });
    return { ok: true, id };
  });
}

/** Hides a voice and its audios from every list, or shows them again; triggers update the audios. */
export async function editVoice(db: Db, actor: Actor, id: string, edit: VoiceEdit): Promise<VoiceOutcome> {
  if (!canAdminister(actor) || !isId(id)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx): Promise<VoiceOutcome> => {
    const [before] = await tx
      .select()
      .from(voices)
      .where(and(eq(voices.id, id), isListed))
      .for('no key update');
    if (before === undefined) return { ok: false, reason: 'not-found' };
    const now = { ...before, voiceType: voiceTypeOf(before.voiceTypeLabel) };
    if (isChangedSince(edit.before, now)) throw await changedMeanwhile(tx, { type: 'voice', id });
    const { isHidden, voiceType, categoryId = before.categoryId, name = before.name, bio = before.bio } = edit;
    const { language = before.language } = edit;
    if (!(await isCategory(tx, categoryId))) return { ok: false, reason: 'unknown-category' };
    const voiceTypeLabel = voiceType === undefined ? before.voiceTypeLabel : voiceTypeLabels[voiceType];
    const wasHidden = before.hiddenAt !== null;
    await allowLongStatements(tx);
    await tx
      .update(voices)
      .set({
        name,
        sortName: sortKey(name),
        bio,
        categoryId,
        voiceTypeLabel,
        language,
        ...(isHidden !== undefined && isHidden !== wasHidden && { hiddenAt: isHidden ? sql`now()` : null }),
      })
      .where(eq(voices.id, id));
    await recordByOperator(tx, actor, {
      action: isHidden === undefined ? 'voice.edit' : isHidden ? 'voice.hide' : 'voice.show',
      subject: { type: 'voice', id, name: before.name },
      voiceId: id,
      before: {
        name: before.name,
        bio: before.bio,
        categoryId: before.categoryId,
        voiceType: before.voiceTypeLabel,
        language: before.language,
        hidden: wasHidden,
      },
      after: { name, bio, categoryId, voiceType: voiceTypeLabel, language, hidden: isHidden ?? wasHidden },
    });
    return { ok: true, id };
  });
}

async function isCategory(tx: Db, categoryId: string | null): Promise<boolean> {
  if (categoryId === null) return true;
  const rows = await tx
    .select({ id: categories.id })
    .from(categories)
    .where(and(eq(categories.id, categoryId), isNull(categories.deletedAt)))
    .for('key share');
  return rows.length === 1;
}

/** @param account email or username */
export async function setOwner(
  db: Db,
  actor: Actor,
  id: string,
  { account, isOwner }: { account: string; isOwner: boolean },
): Promise<{ ok: true; changed: boolean } | { ok: false; reason: 'not-found' | 'no-user' }> {
  if (!canAdminister(actor) || !isId(id)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx) => {
    const user = await findAccount(tx, account);
    if (user === undefined) return { ok: false, reason: 'no-user' } as const;
    const outcome = await setVoiceOwner(tx, id, user.id, isOwner);
    if (!outcome.ok) return { ok: false, reason: outcome.reason === 'no-user' ? 'no-user' : 'not-found' } as const;
    if (outcome.changed)
      await recordByOperator(tx, actor, {
        action: isOwner ? 'voice.add-owner' : 'voice.remove-owner',
        subject: { type: 'voice', id, name: outcome.voice.name },
        voiceId: id,
      });
    return { ok: true, changed: outcome.changed } as const;
  });
}

/**
 * Moves everything of one voice to another: audios, credits, series, owners, followers, blocked users, figures, uploads, records of
 * checks, agreements and performers. The first voice's row stays, hidden, for redirects and for the names in the log.
 * @param name of the merged voice, typed again to confirm
 * @returns `held`: the number of audios that were hidden, because the other voice lacks what made them public
 */
export async function mergeVoice(
  db: Db,
  actor: Actor,
  id: string,
  { into, name }: { into: string; name: string },
): Promise<{ ok: true; held: number } | { ok: false; reason: 'not-found' | 'other-name' }> {
  if (!canAdminister(actor) || !isId(id) || !isId(into) || id === into) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx) => {
    await allowLongStatements(tx);
    await pauseFigures(tx);
    const both = await tx
      .select()
      .from(voices)
      .where(and(inArray(voices.id, [id, into]), isListed))
      .orderBy(asc(voices.id))
      .for('update');
    const [from, to] = [both.find((voice) => voice.id === id), both.find((voice) => voice.id === into)];
    if (from === undefined || to === undefined) return { ok: false, reason: 'not-found' } as const;
    if (from.name !== name.trim()) return { ok: false, reason: 'other-name' } as const;
    const held = await mergeRecords(tx, id, into);
    const moved = await moveAll(tx, id, into);
    await tx
      .update(voices)
      .set({ hiddenAt: sql`coalesce(${voices.hiddenAt}, now())`, mergedInto: into, linkedSeriesId: null })
      .where(eq(voices.id, id));
    await tx.update(voices).set({ mergedInto: into }).where(eq(voices.mergedInto, id));
    if (to.linkedSeriesId === null && from.linkedSeriesId !== null)
      await tx.update(voices).set({ linkedSeriesId: from.linkedSeriesId }).where(eq(voices.id, into));
    await recordByOperator(tx, actor, {
      action: 'voice.merge',
      subject: { type: 'voice', id, name: from.name },
      voiceId: into,
      before: { name: from.name, slug: from.slug },
      after: { into: to.name, ...moved, held },
    });
    return { ok: true, held } as const;
  });
}

async function moveAll(tx: Db, id: string, into: string): Promise<Record<string, number>> {
  const count = async (query: ReturnType<typeof sql>) => (await tx.execute(query)).rowCount ?? 0;
  const audios = await count(sql`update audios set voice_id = ${into} where voice_id = ${id}`);
  const series = await count(sql`update series set voice_id = ${into} where voice_id = ${id}`);
  await tx.execute(sql`update deleted_series set voice_id = ${into} where voice_id = ${id}`);
  const owners = await count(sql`
    insert into voice_owners (voice_id, user_id, role, created_at)
    select ${into}, user_id, role, created_at from voice_owners where voice_id = ${id} on conflict do nothing`);
  await tx.execute(sql`delete from voice_owners where voice_id = ${id}`);
  await moveBlocks(tx, id, into);
  await moveMutes(tx, id, into);
  const followers = await count(sql`
    insert into voice_favorites (user_id, content_id, created_at)
    select user_id, ${into}, created_at from voice_favorites where content_id = ${id} on conflict do nothing`);
  await tx.execute(sql`delete from voice_favorites where content_id = ${id}`);
  await tx.execute(sql`
    insert into hidden_voices (user_id, voice_id, created_at)
    select user_id, ${into}, created_at from hidden_voices where voice_id = ${id} on conflict do nothing`);
  await tx.execute(sql`delete from hidden_voices where voice_id = ${id}`);
  await tx.execute(sql`
    insert into voice_listening (user_id, voice_id, listened_ms)
    select user_id, ${into}, listened_ms from voice_listening where voice_id = ${id}
    on conflict (user_id, voice_id) do update set listened_ms = voice_listening.listened_ms + excluded.listened_ms`);
  await tx.execute(sql`delete from voice_listening where voice_id = ${id}`);
  await tx.execute(sql`
    insert into listened_seconds (day, audio_id, voice_id, milliseconds, reports, trial_ms, free_ms)
    select day, audio_id, ${into}, milliseconds, reports, trial_ms, free_ms from listened_seconds where voice_id = ${id}
    on conflict (day, audio_id, voice_id) do update set milliseconds = listened_seconds.milliseconds + excluded.milliseconds,
      reports = listened_seconds.reports + excluded.reports, trial_ms = listened_seconds.trial_ms + excluded.trial_ms,
      free_ms = listened_seconds.free_ms + excluded.free_ms`);
  await tx.execute(sql`delete from listened_seconds where voice_id = ${id}`);
  // An answer is worth more than the same question to the other one.
  await tx.execute(sql`
    delete from credits o using credits c where o.voice_id = ${into} and o.state = 'asked' and c.voice_id = ${id}
      and c.audio_id = o.audio_id and c.role = o.role and c.state <> 'asked' and c.removed_at is null`);
  await tx.execute(sql`
    update credits c set voice_id = ${into} where voice_id = ${id} and not exists (
      select from credits o where o.audio_id = c.audio_id and o.role = c.role and o.voice_id = ${into})`);
  await tx.execute(sql`delete from credits where voice_id = ${id}`);
  // Nobody is asked about a credit in an audio of their own.
  await tx.execute(sql`
    update credits c set state = 'accepted', asked_at = null from audios a
    where a.id = c.audio_id and a.voice_id = ${into} and c.voice_id = ${into} and c.state = 'asked'`);
  // Both shares are one creator's now.
  await tx.execute(sql`
    update split_parts p set share = p.share + o.share from split_parts o
    where o.split_id = p.split_id and p.voice_id = ${into} and o.voice_id = ${id}`);
  await tx.execute(sql`
    delete from split_parts o using split_parts p
    where p.split_id = o.split_id and p.voice_id = ${into} and o.voice_id = ${id}`);
  await tx.execute(sql`update split_parts set voice_id = ${into} where voice_id = ${id}`);
  await tx.execute(sql`update uploads set voice_id = ${into} where voice_id = ${id}`);
  // One import of each voice; the other one’s is over.
  await tx.execute(sql`
    update feed_imports set voice_id = ${into} where voice_id = ${id} and not exists (
      select from feed_imports o where o.voice_id = ${into})`);
  await tx.execute(sql`delete from feed_imports where voice_id = ${id}`);
  // Behind the former sites of the other one.
  await tx.execute(sql`
    update moved_in_files m set voice_id = ${into}, path = concat('before/', split_part(m.path, '/', 2)::int + (
      select coalesce(max(split_part(o.path, '/', 2)::int), 0) from moved_in_files o where o.voice_id = ${into}
    ), '/', split_part(m.path, '/', 3)) where m.voice_id = ${id}`);
  // After the followers: what their move notes is part of it.
  await moveVoiceFigures(tx, id, into);
  return { audios, series, owners, followers };
}

/** Call after the owners have moved: people who own or edit a voice cannot be blocked from it. */
async function moveBlocks(tx: Db, id: string, into: string): Promise<void> {
  await tx.execute(sql`
    insert into voice_blocks (voice_id, user_id, blocked_by, created_at)
    select ${into}, user_id, blocked_by, created_at from voice_blocks where voice_id = ${id} on conflict do nothing`);
  await tx.execute(sql`
    delete from voice_blocks b where voice_id = ${id} or (voice_id = ${into} and exists (
      select from voice_owners o where o.voice_id = ${into} and o.user_id = b.user_id))`);
}

/**
 * Call before the followers move: followers of both keep what they chose for `into`, all others what they chose for the
 * voice that they follow.
 */
async function moveMutes(tx: Db, id: string, into: string): Promise<void> {
  const follows = (voiceId: string) =>
    sql`exists (select from voice_favorites f where f.user_id = m.user_id and f.content_id = ${voiceId})`;
  // Unfollowing keeps the mute.
  await tx.execute(sql`delete from voice_mutes m where voice_id = ${into} and ${follows(id)} and not ${follows(into)}`);
  await tx.execute(sql`
    insert into voice_mutes (user_id, voice_id)
    select m.user_id, ${into} from voice_mutes m where m.voice_id = ${id} and not ${follows(into)} on conflict do nothing`);
  await tx.execute(sql`delete from voice_mutes where voice_id = ${id}`);
}
