import { type SQL, and, asc, desc, eq, ilike, inArray, isNull, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, pick } from '../kernel/db.ts';
import { isId, isSlug } from '../kernel/ids.ts';
import { Color, Id, ImageUrl, Slug } from '../kernel/shapes.ts';
import { type Page, type PageQuery, decodeCursor, encodeCursor, isBeyond, toPage } from '../kernel/pages.ts';
import { PlainText } from '../kernel/forms.ts';
import { type Viewer, visitor } from '../kernel/viewer.ts';
import { imageUrlSql } from './audios.ts';
import { inWords } from '../settings/translations.ts';
import { type VoiceLink, commentColumns, type VoiceType, voiceTypeLabels } from './rules.ts';
import { catalogueTotals, categories, formerVoiceSlugs, series, voiceCounts, voices } from './tables.ts';
import { countedAudios, findTotals } from './totals.ts';
import { isVoiceNotHidden } from './visibility.ts';

export const Voice = z.object({
  id: Id,
  slug: Slug,
  name: z.string(),
  imageURL: ImageUrl,
  color: Color,
  voiceTypeLabel: z.string(),
  category: z.object({ name: z.string(), slug: Slug }).nullable(),
  linkedSeries: z.object({ slug: Slug }).nullable(),
  totalAudios: z.number(),
});
export type Voice = z.infer<typeof Voice>;

export type VoiceDetail = Voice & {
  bio: string;
  language: string;
  links: VoiceLink[];
  totalFavorite: number;
  takesTips: boolean;
};

const voiceColumns = {
  ...pick(voices, 'id', 'slug', 'name', 'sortName', 'color', 'voiceTypeLabel', 'bio', 'language', 'links', 'takesTips'),
  imageURL: imageUrlSql(voices.imageKey),
  category: { id: categories.id, name: categories.label, slug: categories.slug },
  linkedSeries: { slug: series.slug },
  totalFavorite: sql<number>`coalesce(${voiceCounts.favorites}, 0)`,
  totalAudios: countedAudios(
    'voice',
    sql`${voices.id}`,
    sql`select count(*)::int from audios a where a.voice_id = ${voices.id} and a.published_at <= now()`,
  ),
};

function selectVoices(db: Db) {
  return db
    .select(voiceColumns)
    .from(voices)
    .leftJoin(categories, and(eq(categories.id, voices.categoryId), isNull(categories.hiddenAt)))
    .leftJoin(series, and(eq(series.id, voices.linkedSeriesId), isNull(series.hiddenAt)))
    .leftJoin(voiceCounts, eq(voiceCounts.voiceId, voices.id))
    .$dynamic();
}

type VoiceRow = Awaited<ReturnType<typeof selectVoices>>[number];

/** The name of the category in the language of the request. */
function toDetail(db: Db, { sortName: _sortName, category, ...voice }: VoiceRow): VoiceDetail {
  if (category === null) return { ...voice, category };
  return { ...voice, category: inLabel(db, category) };
}

/** Without its id. */
export function inLabel(db: Db, { id, name, slug }: { id: string; name: string; slug: string }): Voice['category'] {
  return { name: inWords(db, 'category', { id, label: name }, 'label').label, slug };
}

function toVoice(db: Db, row: VoiceRow): Voice {
  const {
    bio: _bio,
    language: _language,
    links: _links,
    totalFavorite: _total,
    takesTips: _tips,
    ...voice
  } = toDetail(db, row);
  return voice;
}

/** By name, A–Z, without those that the viewer hides. @param query.named an ILIKE pattern */
export async function listVoices(
  db: Db,
  viewer: Viewer,
  query: PageQuery & { named?: string; voiceType?: VoiceType[] | undefined },
): Promise<Page<Voice>> {
  const after = decodeCursor('voices', query.cursor, PlainText);
  const rows = await selectVoices(db)
    .where(
      and(
        isNull(voices.hiddenAt),
        isVoiceNotHidden(viewer, voices.id),
        query.named === undefined ? undefined : ilike(voices.name, query.named),
        query.voiceType &&
          inArray(
            voices.voiceTypeLabel,
            query.voiceType.map((one) => voiceTypeLabels[one]),
          ),
        after && isBeyond('asc', [voices.sortName, voices.id], after),
      ),
    )
    .orderBy(asc(voices.sortName), asc(voices.id))
    .limit(query.limit + 1);
  return toPage(
    rows,
    query.limit,
    (row) => toVoice(db, row),
    (row) => encodeCursor('voices', { value: row.sortName, id: row.id }),
  );
}

/** Most played first, for the front page. */
export async function listPopularVoices(db: Db, viewer: Viewer, limit: number): Promise<Voice[]> {
  const isShown = and(isNull(voices.hiddenAt), isVoiceNotHidden(viewer, voices.id));
  if ((await findTotals(db)) !== undefined) {
    const rows = await selectVoices(db)
      .innerJoin(catalogueTotals, and(eq(catalogueTotals.kind, 'voice'), eq(catalogueTotals.subjectId, voices.id)))
      .where(isShown)
      .orderBy(desc(catalogueTotals.plays), asc(catalogueTotals.subjectId))
      .limit(limit);
    return rows.map((row) => toVoice(db, row));
  }
  const heard = sql`(select coalesce(sum(c.plays), 0) from audio_counts c where c.voice_id = ${voices.id})`;
  const rows = await selectVoices(db)
    .where(isShown)
    .orderBy(sql`${heard} desc`, asc(voices.id))
    .limit(limit);
  return rows.map((row) => toVoice(db, row));
}

/** Skips unknown ids; in no order. @param viewer leaves out those whom they hide; default: nobody */
export async function findVoicesByIds(db: Db, ids: string[], viewer: Viewer = visitor): Promise<Voice[]> {
  if (ids.length === 0) return [];
  const isShown = isVoiceNotHidden(viewer, voices.id);
  const rows = await selectVoices(db).where(and(inArray(voices.id, ids), isNull(voices.hiddenAt), isShown));
  return rows.map((row) => toVoice(db, row));
}

/**
 * Creators whom this one recommends, in order. One that was merged counts as the other; hidden ones are left out, and
 * those whom the viewer hides.
 */
export async function listRecommendedVoices(db: Db, viewer: Viewer, voiceId: string): Promise<Voice[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select coalesce(r.merged_into, r.id) as id
    from voices v cross join unnest(v.recommended_ids) with ordinality as chosen (id, place)
      join voices r on r.id = chosen.id
    where v.id = ${voiceId} and coalesce(r.merged_into, r.id) <> v.id order by chosen.place`);
  const ids = [...new Set(rows.map(({ id }) => id))];
  const found = await findVoicesByIds(db, ids, viewer);
  return ids.flatMap((id) => found.find((voice) => voice.id === id) ?? []);
}

/** Whether the creator wants tips; whether the site offers them is another question. */
export async function takesTips(db: Db, voiceId: string): Promise<boolean> {
  const [row] = await db.select({ takesTips: voices.takesTips }).from(voices).where(eq(voices.id, voiceId));
  return row?.takesTips ?? false;
}

/** Choices of a creator for the feeds of their audios. @param voiceId undefined: of a series without a creator */
export async function findFeedChoices(
  db: Db,
  voiceId: string | undefined,
): Promise<Pick<typeof voices.$inferSelect, 'license' | 'directoryText'>> {
  const none = { license: '', directoryText: '' } as const;
  if (voiceId === undefined) return none;
  const [row] = await db
    .select(pick(voices, 'license', 'directoryText'))
    .from(voices)
    .where(eq(voices.id, voiceId));
  return row ?? none;
}

/** Finds a voice that is not deleted by id, slug or former slug; undefined when none matches. */
export function isVoice(idOrSlug: string): SQL | undefined {
  if (isId(idOrSlug)) return and(eq(voices.id, idOrSlug), isNull(voices.deletedAt));
  if (!isSlug(idOrSlug)) return undefined;
  const former = sql`(select ${formerVoiceSlugs.voiceId} from ${formerVoiceSlugs} where ${formerVoiceSlugs.slug} = ${idOrSlug})`;
  return and(or(eq(voices.slug, idOrSlug), eq(voices.id, former)), isNull(voices.deletedAt));
}

/** Also by the address of a voice merged into it. */
export async function findVoice(db: Db, idOrSlug: string): Promise<VoiceDetail | undefined> {
  const match = isVoice(idOrSlug);
  if (match === undefined) return undefined;
  const merged = sql`(select former.merged_into from voices former where ${isId(idOrSlug) ? sql`former.id = ${idOrSlug}` : sql`former.slug = ${idOrSlug}`})`;
  const [row] = await selectVoices(db)
    .where(and(or(match, eq(voices.id, merged)), isNull(voices.hiddenAt)))
    .limit(1);
  return row && toDetail(db, row);
}

/** Default columns for new audios of the voice. */
export async function findNewAudioColumns(db: Db, voiceId: string) {
  const [voice] = await db
    .select({ commenters: voices.commenters, language: voices.language })
    .from(voices)
    .where(eq(voices.id, voiceId));
  const { commenters = 'everyone', language } = voice ?? {};
  return { ...commentColumns(commenters), language };
}
