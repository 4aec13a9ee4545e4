import { type SQL, and, asc, desc, eq, gt, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { imageUrlSql } from '../../catalogue/audios.ts';
import { restorableSince } from '../../catalogue/editing/deletion.ts';
import { publicationState } from '../../catalogue/editing/publishing.ts';
import { audios, voices } from '../../catalogue/tables.ts';
import { renderMarkdown } from '../../editorial/markdown.ts';
import { type PictureArea, formatReadTime } from '../../editorial/rules.ts';
import { articleAudios, articles } from '../../editorial/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { type Db, pick } from '../../kernel/db.ts';
import { isId } from '../../kernel/ids.ts';
import { type PageQuery, decodeCursor, encodeCursor, toPage } from '../../kernel/pages.ts';
import { Instant, PlainText } from '../../kernel/forms.ts';
import { dropUnwanted } from '../../kernel/rules.ts';
import { type ArticleSort, type ArticleState, canAdminister, maxArticleAudios } from '../rules.ts';
import { listedColumns } from '../content/house-playlists.ts';
import { matchingWords } from '../word-search.ts';

/** Articles as operators see them. */

const columns = {
  ...pick(articles, 'id', 'slug', 'title', 'topic', 'publishedAt'),
  state: publicationState(articles.publishedAt, articles.deletedAt),
  imageUrl: imageUrlSql(articles.imageKey),
  changedAt: articles.updatedAt,
};

const inState: Record<ArticleState, SQL | undefined> = {
  published: sql`${articles.publishedAt} <= now()`,
  scheduled: sql`${articles.publishedAt} > now()`,
  draft: and(isNull(articles.publishedAt), isNull(articles.deletedAt)),
  deleted: gt(articles.deletedAt, restorableSince),
};

/** Drafts have no date: they come last. */
const publicationTime = sql`coalesce(${articles.publishedAt}, '-infinity'::timestamptz)`;

export type ArticleListQuery = PageQuery & {
  q?: string | undefined;
  state?: ArticleState | undefined;
  /** Slug. */
  topic?: string | undefined;
  sort?: ArticleSort | undefined;
};

/** Includes deleted articles only on request. */
export async function listArticles(
  db: Db,
  actor: Actor,
  { q = '', state, topic, sort = 'changed', cursor, limit }: ArticleListQuery,
) {
  if (!canAdminister(actor)) return { items: [], nextCursor: undefined };
  const order = `admin-articles ${sort}`;
  const after = decodeCursor(order, cursor, sort === 'title' ? PlainText : z.union([Instant, z.literal('')]));
  const words = dropUnwanted(q).trim();
  const isAbout =
    words === '' ? undefined : ((await matchingWords(db, articles.id, sql`articles.sort_title`, words)) ?? sql`false`);
  const rows = await db
    .select({ ...columns, readTime: articles.readTime, sortTitle: articles.sortTitle })
    .from(articles)
    .where(
      and(
        state === undefined ? isNull(articles.deletedAt) : inState[state],
        topic === undefined ? undefined : eq(articles.topic, dropUnwanted(topic)),
        isAbout,
        after === undefined ? undefined : following[sort](String(after.value), after.id),
      ),
    )
    .orderBy(...orders[sort])
    .limit(limit + 1);
  return toPage(
    rows,
    limit,
    ({ sortTitle: _sortTitle, readTime, ...article }) => ({ ...article, readTime: formatReadTime(readTime) }),
    ({ id, sortTitle, changedAt, publishedAt }) => {
      const value = { title: sortTitle, changed: changedAt.toISOString(), published: publishedAt?.toISOString() ?? '' };
      return encodeCursor(order, { value: value[sort], id });
    },
  );
}
export type ListedArticle = Awaited<ReturnType<typeof listArticles>>['items'][number];

const orders: Record<ArticleSort, SQL[]> = {
  changed: [desc(articles.updatedAt), desc(articles.id)],
  published: [desc(publicationTime), desc(articles.id)],
  title: [asc(articles.sortTitle), asc(articles.id)],
};

const following: Record<ArticleSort, (value: string, id: string) => SQL | undefined> = {
  changed: (value, id) => sql`(${articles.updatedAt}, ${articles.id}) < (${value}::timestamptz, ${id}::uuid)`,
  published: (value, id) =>
    sql`(${publicationTime}, ${articles.id}) < (${value === '' ? '-infinity' : value}::timestamptz, ${id}::uuid)`,
  title: (value, id) => or(gt(articles.sortTitle, value), and(eq(articles.sortTitle, value), gt(articles.id, id))),
};

/** Includes drafts and deleted articles. */
export async function findArticle(db: Db, actor: Actor, id: string) {
  if (!canAdminister(actor) || !isId(id)) return undefined;
  const [row] = await db
    .select({
      ...columns,
      ...pick(articles, 'readTime', 'description', 'language', 'body', 'revision', 'pictureArea'),
      wholeUrl: imageUrlSql(articles.pictureKey),
    })
    .from(articles)
    .where(eq(articles.id, id));
  if (row === undefined) return undefined;
  const linked = await db
    .select(listedColumns)
    .from(articleAudios)
    .innerJoin(audios, eq(audios.id, articleAudios.audioId))
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .where(and(eq(articleAudios.articleId, id), isNull(audios.deletedAt)))
    .orderBy(asc(articleAudios.position))
    .limit(maxArticleAudios);
  const { readTime, pictureArea, wholeUrl, ...article } = row;
  return {
    ...article,
    readTime: formatReadTime(readTime),
    audios: linked,
    /** The text as listeners would see it; sanitized. */
    html: await renderMarkdown(row.body),
    picture: pictureOf(wholeUrl, pictureArea),
  };
}
export type EditedArticle = NonNullable<Awaited<ReturnType<typeof findArticle>>>;

/** @param imageUrl of the whole picture */
function pictureOf(imageUrl: string | null, shown: PictureArea | null) {
  if (imageUrl === null || shown === null) return null;
  const { width, height, ...area } = shown;
  return { imageUrl, area, width, height };
}

/** Files of articles that were deleted 30 or more days ago; they are purged together. */
export const isOver = and(isNotNull(articles.deletedAt), lt(articles.deletedAt, restorableSince));
