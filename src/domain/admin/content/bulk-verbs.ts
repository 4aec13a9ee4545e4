import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { findAudioState } from '../../catalogue/editing/publishing.ts';
import { audioCategories, audioTags, categories, tags } from '../../catalogue/tables.ts';
import { tagKey } from '../../catalogue/editing/tag-names.ts';
import type { SyntheticVoice } from '../../catalogue/rules.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db, Tx } from '../../kernel/db.ts';
import { holdAudio } from '../../studio/audios/hold-audio.ts';
import { editManagedAudio } from '../../studio/audios/edit-audio.ts';
import * as publishing from '../../studio/audios/publishing.ts';
import { type BulkAct, bulkActs } from '../../studio/rules.ts';
import { setInPlaylist } from './house-playlist-changes.ts';
import type { BulkVerb } from '../rules.ts';

/** The categories, tags or playlist that a verb adds or removes, or the value that it sets. */
export type BulkSubject = {
  categoryIds?: string[] | undefined;
  /** Labels. */
  tags?: string[] | undefined;
  playlistId?: string | undefined;
  language?: string | undefined;
  syntheticVoice?: SyntheticVoice | undefined;
  /** Undoes this act. */
  undoes?: string | undefined;
};

/** `changed`, `unchanged`, or why it was refused. `before` is what undoing needs. */
export type ItemOutcome = {
  outcome: string;
  before?: Record<string, unknown> | undefined;
  /** It waits for a review by this act. */
  isSent?: boolean;
};

type Result = { ok: true; changed: boolean } | { ok: false; reason: string };

const outcomeOf = (result: Result): string => (result.ok ? (result.changed ? 'changed' : 'unchanged') : result.reason);

/** Limits of one audio, as in its editor. */
const max = { categories: 8, tags: 20 };

/** Facts of an audio that undoing restores. */
const restored: Partial<Record<BulkAct, 'publishedAt' | 'language' | 'syntheticVoice'>> = {
  publish: 'publishedAt',
  unpublish: 'publishedAt',
  'set-language': 'language',
  'set-synthetic-voice': 'syntheticVoice',
};

/** Applies one verb to one audio, with the function of the single change. */
export async function actOnAudio(
  tx: Tx,
  actor: Actor,
  audioId: string,
  { verb, subject }: { verb: BulkVerb; subject: BulkSubject },
): Promise<ItemOutcome> {
  const audioAct = bulkActs.find((one) => one === verb);
  if (audioAct !== undefined) {
    const shown = restored[audioAct];
    if (shown !== undefined) await holdAudio(tx, actor, audioId);
    const state = shown && (await findAudioState(tx, audioId));
    const { language, syntheticVoice } = subject;
    const to = { act: audioAct, language, syntheticVoice };
    const result = await publishing.actOnAudio(tx, actor, audioId, to);
    return {
      outcome: outcomeOf(result),
      before: shown && { [shown]: state?.[shown] ?? null },
      isSent: publishing.wasSent(result, audioAct),
    };
  }
  if (verb === 'add-categories' || verb === 'remove-categories')
    return changeCategories(tx, actor, audioId, subject.categoryIds ?? [], verb === 'add-categories');
  if (verb === 'add-tags' || verb === 'remove-tags')
    return changeTags(tx, actor, audioId, subject.tags ?? [], verb === 'add-tags');
  const isIn = verb === 'add-to-playlist';
  return { outcome: outcomeOf(await setInPlaylist(tx, actor, subject.playlistId ?? '', { audioId, isIn })) };
}

async function changeCategories(
  tx: Tx,
  actor: Actor,
  audioId: string,
  ids: string[],
  adds: boolean,
): Promise<ItemOutcome> {
  const named = await tx
    .select({ id: categories.id, slug: categories.slug })
    .from(categories)
    .where(and(inArray(categories.id, ids), isNull(categories.deletedAt)));
  if (named.length === 0) return { outcome: 'gone' };
  // Before its categories are read, which are written back as a whole.
  await holdAudio(tx, actor, audioId);
  const current = await tx
    .select({ id: categories.id, slug: categories.slug })
    .from(audioCategories)
    .innerJoin(categories, and(eq(categories.id, audioCategories.categoryId), isNull(categories.deletedAt)))
    .where(eq(audioCategories.audioId, audioId))
    .orderBy(asc(audioCategories.position), asc(categories.slug));
  const has = (list: { id: string }[], id: string) => list.some((one) => one.id === id);
  const touched = named.filter(({ id }) => has(current, id) !== adds);
  const next = adds ? [...current, ...touched] : current.filter(({ id }) => !has(touched, id));
  return edit(tx, actor, audioId, {
    touched: { categoryIds: touched.map(({ id }) => id) },
    change: { categories: next.map(({ slug }) => slug) },
    isFull: adds && next.length > max.categories,
  });
}

async function changeTags(
  tx: Tx,
  actor: Actor,
  audioId: string,
  labels: string[],
  adds: boolean,
): Promise<ItemOutcome> {
  await holdAudio(tx, actor, audioId);
  const current = await tx
    .select({ label: tags.label })
    .from(audioTags)
    .innerJoin(tags, eq(tags.id, audioTags.tagId))
    .where(eq(audioTags.audioId, audioId))
    .orderBy(asc(tags.label));
  const wanted = new Map(labels.map((label) => [tagKey(label), label]));
  const kept = current.map(({ label }) => label);
  const isOn = new Set(kept.map(tagKey));
  const touched = [...wanted].filter(([key]) => isOn.has(key) !== adds).map(([, label]) => label);
  const next = adds ? [...kept, ...touched] : kept.filter((label) => !wanted.has(tagKey(label)));
  return edit(tx, actor, audioId, {
    touched: { tags: touched },
    change: { tags: next },
    isFull: adds && next.length > max.tags,
  });
}

async function edit(
  tx: Tx,
  actor: Actor,
  audioId: string,
  {
    touched,
    change,
    isFull,
  }: {
    touched: { categoryIds?: string[]; tags?: string[] };
    change: { categories?: string[]; tags?: string[] };
    isFull: boolean;
  },
): Promise<ItemOutcome> {
  // Also refuses deleted and missing audios.
  if ((await findAudioState(tx, audioId)) === undefined) return { outcome: 'not-found' };
  if (Object.values(touched).every((list) => list.length === 0)) return { outcome: 'unchanged' };
  if (isFull) return { outcome: 'full' };
  const result = await editManagedAudio(tx, actor, audioId, change);
  return result.ok ? { outcome: 'changed', before: touched } : { outcome: result.reason };
}

const reverse: Record<Exclude<BulkVerb, 'publish' | 'unpublish'>, BulkVerb> = {
  free: 'subscribers',
  subscribers: 'free',
  'set-language': 'set-language',
  'set-synthetic-voice': 'set-synthetic-voice',
  delete: 'restore',
  restore: 'delete',
  'add-categories': 'remove-categories',
  'remove-categories': 'add-categories',
  'add-tags': 'remove-tags',
  'remove-tags': 'add-tags',
  'add-to-playlist': 'remove-from-playlist',
  'remove-from-playlist': 'add-to-playlist',
};

/** Restores what an act changed in one audio. */
export async function undoOnAudio(
  tx: Tx,
  actor: Actor,
  audioId: string,
  done: { verb: BulkVerb; subject: BulkSubject; before: Record<string, unknown> | null },
): Promise<ItemOutcome> {
  const { verb, before } = done;
  if (verb !== 'publish' && verb !== 'unpublish')
    // Only what this act added or removed.
    return actOnAudio(tx, actor, audioId, { verb: reverse[verb], subject: { ...done.subject, ...before } });
  const at = before?.['publishedAt'];
  const result =
    typeof at === 'string'
      ? await publishing.publishAudio(tx, actor, audioId, new Date(at))
      : await publishing.unpublishAudio(tx, actor, audioId);
  return { outcome: outcomeOf(result), isSent: publishing.wasSent(result, 'publish') };
}

/** For the log. @returns names of the added or removed items, or the value that is set */
export async function nameSubject(db: Db, subject: BulkSubject): Promise<string[]> {
  const value = subject.language ?? subject.syntheticVoice;
  if (value !== undefined) return [value];
  if (subject.tags !== undefined) return subject.tags;
  if (subject.categoryIds !== undefined) {
    const rows = await db
      .select({ label: categories.label })
      .from(categories)
      .where(inArray(categories.id, subject.categoryIds));
    return rows.map(({ label }) => label);
  }
  if (subject.playlistId === undefined) return [];
  const { rows } = await db.execute<{ title: string }>(
    sql`select title from playlists where id = ${subject.playlistId} and deleted_at is null`,
  );
  return rows.map(({ title }) => title);
}
