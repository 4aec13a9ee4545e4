import { asc, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { imageUrl } from '../../catalogue/audios.ts';
import { Certainty } from '../../catalogue/editing/editing.ts';
import type { Chapter } from '../../catalogue/chapter-rules.ts';
import { type Cue, commenterChoices, commentersOf, eachAudioText, syntheticVoices } from '../../catalogue/rules.ts';
import { audios } from '../../catalogue/tables.ts';
import { users } from '../../identity/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { Language } from '../../kernel/shapes.ts';
import { findManagedAudio } from './hold-audio.ts';
import type { AudioChange } from '../forms.ts';
import { type EditedField, editedFields } from '../rules.ts';
import { audioDrafts, audioFieldChanges } from '../tables.ts';

const Instant = z.iso.datetime();
const Field = z.enum(editedFields);
/** A square of a picture. */
export const Area = z.object({ x: z.number().int(), y: z.number().int(), size: z.number().int() });

/** An audio with its draft, for the editor. */
export const EditedAudio = z.object({
  id: z.uuid().toLowerCase(),
  version: z.number(),
  /** In the form in which they are compared. */
  values: z.object({
    title: z.string(),
    description: z.string(),
    language: Language,
    syntheticVoice: z.enum(syntheticVoices),
    slug: z.string(),
    color: z.string().nullable(),
    ...eachAudioText(() => z.string().nullable()),
    categories: z.array(z.string()).describe('Slugs, in their order'),
    tags: z.array(z.string()).describe('Labels'),
    series: z.object({ slug: z.string(), part: z.number() }).nullable(),
    transcript: z
      .array(z.object({ start: z.number(), end: z.number(), text: z.string(), certainty: Certainty }))
      .nullable(),
    chapters: z
      .array(z.object({ start: z.number(), title: z.string() }))
      .nullable()
      .describe('Starts in seconds'),
    isFree: z.boolean(),
    commenters: z.enum(commenterChoices),
  }),
  cover: z.object({
    imageUrl: z.string().nullable(),
    /** The whole picture; null: the cover is all of it. */
    source: z.object({ imageUrl: z.string(), width: z.number(), height: z.number() }).nullable(),
    area: Area.nullable(),
  }),
  apart: z.array(Field).describe('Fields that listeners see as they were'),
  changes: z.array(z.object({ field: Field, version: z.number(), by: z.string().nullable(), at: Instant })),
  savedAt: Instant.nullable(),
});
export type EditedAudio = z.output<typeof EditedAudio>;

/** A change of a field, shown to other editors. */
export type FieldChange = EditedAudio['changes'][number];

/** `cover`: key of a blob. */
export type EditedValues = EditedAudio['values'] & { cover: string | null };

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
      language: audios.language,
      syntheticVoice: audios.syntheticVoice,
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
      chapters: sql<Chapter[] | null>`(select c.chapters from chapters c where c.audio_id = ${audioColumn})`,
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
