import { asc, eq, sql } from 'drizzle-orm';
import { imageUrl } from '../../catalogue/audios.ts';
import type { AudioText, Commenters, Cue } from '../../catalogue/rules.ts';
import { commentersOf, eachAudioText } from '../../catalogue/rules.ts';
import { audios } from '../../catalogue/tables.ts';
import { users } from '../../identity/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { findManagedAudio } from './hold-audio.ts';
import type { AudioChange } from '../forms.ts';
import type { CoverArea, EditedField } from '../rules.ts';
import { editedFields } from '../rules.ts';
import { audioDrafts, audioFieldChanges } from '../tables.ts';

/** Values of the editable fields, in the form in which they are compared. */
export type EditedValues = {
  title: string;
  description: string;
  slug: string;
  color: string | null;
  /** Slugs, in their order. */
  categories: string[];
  /** Labels. */
  tags: string[];
  series: { slug: string; part: number } | null;
  transcript: Cue[] | null;
  isFree: boolean;
  commenters: Commenters;
  /** Key of a blob. */
  cover: string | null;
} & Record<AudioText, string | null>;

/** A change of a field, shown to other editors. */
export type FieldChange = { field: EditedField; version: number; by: string | null; at: string };

export type EditedAudio = {
  id: string;
  version: number;
  values: Omit<EditedValues, 'cover'>;
  cover: {
    imageUrl: string | null;
    /** The whole picture; null: the cover is the whole picture. */
    source: { imageUrl: string; width: number; height: number } | null;
    area: CoverArea | null;
  };
  /** Fields whose draft listeners do not see. */
  apart: EditedField[];
  changes: FieldChange[];
  /** ISO 8601; null before the first edit. */
  savedAt: string | null;
};

export type DraftRow = typeof audioDrafts.$inferSelect;

export async function findDraft(tx: Db, audioId: string): Promise<DraftRow | undefined> {
  const [row] = await tx.select().from(audioDrafts).where(eq(audioDrafts.audioId, audioId));
  return row;
}

/** For subqueries in a select from one table, where Drizzle omits the table name. */
const audioColumn = sql.raw('audios.id');

/** The values that listeners see, or would see once it is published. */
export async function readValues(tx: Db, audioId: string): Promise<EditedValues> {
  const [row] = await tx
    .select({
      title: audios.title,
      description: audios.description,
      slug: audios.slug,
      color: audios.color,
      ...eachAudioText((name) => audios[name]),
      categories: sql<string[]>`(select coalesce(json_agg(c.slug order by ac.position, c.slug), '[]'::json)
        from audio_categories ac join categories c on c.id = ac.category_id and c.deleted_at is null
        where ac.audio_id = ${audioColumn})`,
      tags: sql<string[]>`(select coalesce(json_agg(t.label order by t.label), '[]'::json)
        from audio_tags tagged join tags t on t.id = tagged.tag_id where tagged.audio_id = ${audioColumn})`,
      series: sql<EditedValues['series']>`(select json_build_object('slug', s.slug, 'part', i.position + 1)
        from series_items i join series s on s.id = i.series_id where i.audio_id = ${audioColumn})`,
      transcript: sql<Cue[] | null>`(select tr.cues from transcripts tr where tr.audio_id = ${audioColumn})`,
      isFree: audios.isFree,
      commentsDisabled: audios.commentsDisabled,
      commentsForSubscribers: audios.commentsForSubscribers,
      cover: audios.imageKey,
    })
    .from(audios)
    .where(eq(audios.id, audioId));
  if (row === undefined) throw new Error(`The audio ${audioId} is locked and gone`);
  const { commentsDisabled, commentsForSubscribers, ...values } = row;
  return { ...values, commenters: commentersOf({ commentsDisabled, commentsForSubscribers }) };
}

/** Values in the editor: the draft over the published ones. */
export function merged(live: EditedValues, draft: DraftRow | undefined): EditedValues {
  if (draft === undefined) return live;
  const { series: wanted, ...fields } = draft.fields;
  return {
    ...live,
    ...(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<EditedValues>),
    ...(wanted !== undefined && { series: wanted && { slug: wanted.slug, part: wanted.part ?? 1 } }),
    ...(draft.hasCover && { cover: draft.imageKey }),
  };
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

export function apartIn(draft: DraftRow | undefined): EditedField[] {
  if (draft === undefined) return [];
  return editedFields.filter((field) =>
    field === 'cover' ? draft.hasCover : draft.fields[field as keyof AudioChange] !== undefined,
  );
}

/** The newest change of each field, with who made it. */
export function selectFieldChanges(db: Db) {
  return db
    .select({
      field: audioFieldChanges.field,
      version: audioFieldChanges.version,
      by: users.username,
      at: audioFieldChanges.changedAt,
    })
    .from(audioFieldChanges)
    .leftJoin(users, eq(users.id, audioFieldChanges.userId));
}

/** @returns undefined for a deleted audio, and for one that the actor may not change */
export async function findEditedAudio(db: Db, actor: Actor, idOrSlug: string): Promise<EditedAudio | undefined> {
  return db.transaction(
    async (tx) => {
      const audio = await findManagedAudio(tx, actor, idOrSlug);
      if (audio === undefined) return undefined;
      const draft = await findDraft(tx, audio.id);
      const { cover, ...values } = merged(await readValues(tx, audio.id), draft);
      const changes = await selectFieldChanges(tx)
        .where(eq(audioFieldChanges.audioId, audio.id))
        .orderBy(asc(audioFieldChanges.field));
      return {
        id: audio.id,
        version: draft?.version ?? 0,
        values,
        cover: {
          imageUrl: imageUrl(cover),
          source: sourceOf(draft),
          area: draft?.area ?? null,
        },
        apart: apartIn(draft),
        changes: changes.map((change) => ({ ...change, at: change.at.toISOString() })),
        savedAt: draft?.updatedAt.toISOString() ?? null,
      };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

function sourceOf(draft: DraftRow | undefined): EditedAudio['cover']['source'] {
  const url = imageUrl(draft?.sourceKey ?? null);
  const { sourceWidth: width = null, sourceHeight: height = null } = draft ?? {};
  return url === null || width === null || height === null ? null : { imageUrl: url, width, height };
}

export async function findFileKey(tx: Db, audioId: string): Promise<string | undefined> {
  const [row] = await tx.select({ fileKey: audios.fileKey }).from(audios).where(eq(audios.id, audioId));
  return row?.fileKey;
}
