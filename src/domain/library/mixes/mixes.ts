import { type SQL, and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type AudioListQuery, listAudioIds, listAudios, sumAudios } from '../../catalogue/audio-lists.ts';
import { type Audio, findAudiosByIds } from '../../catalogue/audios.ts';
import { findCategory } from '../../catalogue/categories.ts';
import { FilterPart } from '../../catalogue/filters/shapes.ts';
import { AudioSort } from '../../catalogue/forms.ts';
import { audios, categories, facets, tags, voices } from '../../catalogue/tables.ts';
import { findVoice } from '../../catalogue/voices.ts';
import type { Db } from '../../kernel/db.ts';
import { isId, newId } from '../../kernel/ids.ts';
import type { Page, PageQuery } from '../../kernel/pages.ts';
import { purgeRows } from '../../kernel/purge.ts';
import { Id, ImageUrl, Instant, Seconds, Slug } from '../../kernel/shapes.ts';
import type { User } from '../../kernel/viewer.ts';
import { inWords } from '../../settings/translations.ts';
import { restorableMinutes } from '../rules.ts';
import { mixes } from '../tables.ts';
import type { MixChange, MixForm } from './forms.ts';
import { maxMixes } from './rules.ts';

/** Filters of a list that a user saved under a name. */
export const Mix = z.object({
  id: Id,
  name: z.string(),
  place: z
    .object({ kind: z.enum(['category', 'voice']), slug: Slug, label: z.string() })
    .nullable()
    .describe('Null: all audios'),
  filter: FilterPart,
  tags: z
    .array(z.object({ slug: Slug, label: z.string(), facet: Slug.nullable() }))
    .describe('Those of the filter, with the facet to which they belong'),
  sort: AudioSort,
  hasNews: z.boolean().describe('New audios that fit are news'),
  createdAt: Instant,
});
export type Mix = z.infer<typeof Mix>;

/** With what it finds now. */
export const FilledMix = Mix.extend({
  totalAudios: z.number(),
  totalDuration: Seconds,
  newAudios: z.number().describe('Published since the last visit, at most twenty'),
  imageUrls: z.array(ImageUrl.unwrap()).describe('Of its first audios'),
});
export type FilledMix = z.infer<typeof FilledMix>;

type NotFound = { ok: false; reason: 'not-found' };
type Full = { ok: false; reason: 'full' };
export type MixOutcome = { ok: true; mix: Mix } | NotFound | Full;

type Row = Awaited<ReturnType<typeof selectMixes>>[number];

/** Counted at most, and pictures. */
const [maxNew, maxPictures] = [20, 4];

const isThere = (userId: string) => and(eq(mixes.userId, userId), isNull(mixes.deletedAt));
const isOwn = (userId: string, id: string) => and(eq(mixes.id, id), isThere(userId));

function selectMixes(db: Db, where: SQL | undefined) {
  return db
    .select({
      mix: mixes,
      category: { id: categories.id, slug: categories.slug, label: categories.label },
      voice: { slug: voices.slug, name: voices.name },
    })
    .from(mixes)
    .leftJoin(categories, eq(categories.id, mixes.categoryId))
    .leftJoin(voices, eq(voices.id, mixes.voiceId))
    .where(where)
    .orderBy(asc(mixes.createdAt), asc(mixes.id))
    .limit(maxMixes);
}

/** Tags by id, in the language of the request. */
async function toMixes(db: Db, rows: Row[]): Promise<Mix[]> {
  const ids = rows.flatMap(({ mix }) => [...mix.tagIds, ...mix.notTagIds]);
  const named =
    ids.length === 0
      ? []
      : await db
          .select({ id: tags.id, slug: tags.slug, label: tags.label, facet: facets.slug })
          .from(tags)
          .leftJoin(facets, eq(facets.id, tags.facetId))
          .where(inArray(tags.id, ids));
  const byId = new Map(named.map((tag) => [tag.id, inWords(db, 'tag', tag, 'label')]));
  return rows.map(({ mix, category, voice }) => {
    // A deleted tag keeps its place: without it, the mix would find more than its user asked for.
    const slugs = (of: string[]) => of.map((id) => byId.get(id)?.slug ?? id).toSorted();
    const own = [...mix.tagIds, ...mix.notTagIds].flatMap((id) => byId.get(id) ?? []);
    return {
      id: mix.id,
      name: mix.name,
      place: category
        ? { kind: 'category', slug: category.slug, label: inWords(db, 'category', category, 'label').label }
        : voice && { kind: 'voice', slug: voice.slug, label: voice.name },
      filter: {
        ...(mix.tagIds.length > 0 && { tag: slugs(mix.tagIds) }),
        ...(mix.notTagIds.length > 0 && { not: slugs(mix.notTagIds) }),
        ...mix.filter,
      },
      tags: own.map(({ slug, label, facet }) => ({ slug, label, facet })),
      sort: mix.sort,
      hasNews: mix.hasNews,
      createdAt: mix.createdAt,
    };
  });
}

const queryOf = ({ mix: { categoryId, voiceId, sort } }: Row, { filter }: Mix): Omit<AudioListQuery, 'limit'> => ({
  ...(categoryId !== null && { categoryId }),
  ...(voiceId !== null && { voiceId }),
  filter,
  sort,
});

/** The oldest first. */
export async function listMixes(db: Db, viewer: User): Promise<FilledMix[]> {
  const rows = await selectMixes(db, isThere(viewer.id));
  const shown = await toMixes(db, rows);
  return Promise.all(
    rows.map(async (row, index) => {
      const mix = shown[index] as Mix;
      const { sort, ...query } = queryOf(row, mix);
      const [sum, first, newest] = await Promise.all([
        sumAudios(db, viewer, query),
        listAudioIds(db, viewer, { ...query, ...(sort && { sort }), limit: maxPictures }),
        listAudioIds(db, viewer, { ...query, sort: 'recent', limit: maxNew }),
      ]);
      const [covers, newAudios] = await Promise.all([
        findAudiosByIds(db, first.items),
        newest.items.length === 0
          ? 0
          : db.$count(audios, and(inArray(audios.id, newest.items), gt(audios.publishedAt, row.mix.visitedAt))),
      ]);
      return {
        ...mix,
        totalAudios: sum.total,
        totalDuration: sum.seconds,
        newAudios,
        imageUrls: [...new Set(covers.flatMap(({ imageUrl }) => imageUrl ?? []))],
      };
    }),
  );
}

async function findRow(db: Db, userId: string, id: string): Promise<[Row, Mix] | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await selectMixes(db, isOwn(userId, id));
  const [mix] = row ? await toMixes(db, [row]) : [];
  return row && mix && [row, mix];
}

export async function findMix(db: Db, userId: string, id: string): Promise<Mix | undefined> {
  return (await findRow(db, userId, id))?.[1];
}

/** @returns undefined for a mix that is not the viewer's */
export async function listMixAudios(
  db: Db,
  viewer: User,
  id: string,
  page: PageQuery,
): Promise<Page<Audio> | undefined> {
  const found = await findRow(db, viewer.id, id);
  return found && listAudios(db, viewer, { ...queryOf(...found), ...page });
}

/** Audios published from now on are new in it. @returns false for a mix that is not the user's */
export async function visitMix(db: Db, userId: string, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  const { rowCount } = await db
    .update(mixes)
    .set({ visitedAt: sql`now()` })
    .where(isOwn(userId, id));
  return rowCount === 1;
}

export async function createMix(db: Db, userId: string, form: MixForm): Promise<MixOutcome> {
  const columns = await toColumns(db, form);
  if (columns === undefined) return { ok: false, reason: 'not-found' };
  const { name, sort, hasNews } = form;
  return db.transaction(async (tx): Promise<MixOutcome> => {
    if (!(await hasRoom(tx, userId))) return { ok: false, reason: 'full' };
    const id = newId();
    await tx.insert(mixes).values({ id, userId, name, sort, hasNews, ...columns });
    return { ok: true, mix: (await findMix(tx, userId, id)) as Mix };
  });
}

export async function changeMix(db: Db, userId: string, id: string, change: MixChange): Promise<Mix | undefined> {
  if (!isId(id)) return undefined;
  const columns = await toColumns(db, change);
  if (columns === undefined) return undefined;
  const { name, sort, hasNews } = change;
  const changed = Object.entries({ name, sort, hasNews, ...columns }).filter(([, value]) => value !== undefined);
  if (changed.length > 0) await db.update(mixes).set(Object.fromEntries(changed)).where(isOwn(userId, id));
  return findMix(db, userId, id);
}

/** @returns undefined where the place, or a tag that must be there, does not exist */
async function toColumns(db: Db, { filter, category, voice }: MixChange) {
  const categoryId = category && (await findCategory(db, category))?.id;
  const voiceId = voice && (await findVoice(db, voice))?.id;
  if ((category && !categoryId) || (voice && !voiceId)) return undefined;
  const place = { categoryId, voiceId };
  if (filter === undefined) return place;
  const { tag = [], not = [], ...rest } = filter;
  const named =
    tag.length + not.length === 0
      ? []
      : await db
          .select({ id: tags.id, slug: tags.slug })
          .from(tags)
          .where(inArray(tags.slug, [...tag, ...not]));
  const idsOf = (slugs: string[]) => named.filter(({ slug }) => slugs.includes(slug)).map(({ id }) => id);
  const tagIds = idsOf(tag);
  if (tagIds.length < tag.length) return undefined;
  return { ...place, tagIds, notTagIds: idsOf(not), filter: rest };
}

async function hasRoom(tx: Db, userId: string): Promise<boolean> {
  await tx.execute(sql`select from users where id = ${userId} for no key update`);
  return (await tx.$count(mixes, isThere(userId))) < maxMixes;
}

/** @returns until when it can be restored; undefined for a mix that is not the user's */
export async function deleteMix(db: Db, userId: string, id: string): Promise<Date | undefined> {
  if (!isId(id)) return undefined;
  const [deleted] = await db
    .update(mixes)
    .set({ deletedAt: sql`now()` })
    .where(isOwn(userId, id))
    .returning({ at: mixes.deletedAt });
  return deleted?.at ? new Date(deleted.at.getTime() + restorableMinutes * 60_000) : undefined;
}

export async function restoreMix(db: Db, userId: string, id: string): Promise<MixOutcome> {
  if (!isId(id)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx): Promise<MixOutcome> => {
    const isRoom = await hasRoom(tx, userId);
    if (isRoom)
      await tx.execute(sql`update mixes set deleted_at = null
        where id = ${id} and user_id = ${userId} and deleted_at > now() - make_interval(mins => ${restorableMinutes})`);
    // Another tab may have restored it already.
    const mix = await findMix(tx, userId, id);
    return mix ? { ok: true, mix } : { ok: false, reason: isRoom ? 'not-found' : 'full' };
  });
}

export async function purgeDeletedMixes(db: Db, signal?: AbortSignal): Promise<number> {
  return purgeRows(db, mixes, sql`${mixes.deletedAt} < now() - make_interval(mins => ${restorableMinutes})`, signal);
}

/** For the export of a user's data. */
export const findMixesOf = async (db: Db, userId: string) => toMixes(db, await selectMixes(db, isThere(userId)));
