import { type SQL, and, asc, desc, eq, inArray, lte, ne, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { Audio, findAudiosByIds, imageUrlSql } from '../catalogue/audios.ts';
import { type Db, pick } from '../kernel/db.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { isId, isSlug } from '../kernel/ids.ts';
import { Color, Id, ImageUrl, Language, Seconds, Slug } from '../kernel/shapes.ts';
import { renderMarkdown } from './markdown.ts';
import { type BlogQuery, type BlogSort, type Topic, blogPageSize, lastBlogPage } from './rules.ts';
import { articleAudios, articles, formerArticleSlugs } from './tables.ts';

/** An article in lists. */
export const ArticleCard = z.object({
  id: Id,
  slug: Slug,
  title: z.string(),
  description: z.string(),
  language: Language,
  topic: z.string().describe('Its address, which stays when it is renamed'),
  topicLabel: z.string(),
  imageUrl: ImageUrl,
  color: Color,
  readTime: Seconds,
  publishedAt: z.iso.datetime(),
});
export type ArticleCard = z.infer<typeof ArticleCard>;

export const Article = ArticleCard.extend({
  html: z.string().describe('Without script, style, picture or frame'),
  updatedAt: z.iso.datetime(),
  audios: z.array(Audio).describe('Audios mentioned in the article'),
});
export type Article = z.infer<typeof Article>;

export type BlogPage = { items: ArticleCard[]; page: number; hasMore: boolean };

const columns = {
  ...pick(articles, 'id', 'slug', 'title', 'description', 'language', 'topic', 'color', 'readTime', 'publishedAt'),
  imageUrl: imageUrlSql(articles.imageKey),
};

type Row = Omit<ArticleCard, 'topicLabel' | 'publishedAt'> & { publishedAt: Date | null };

const isPublished: SQL = lte(articles.publishedAt, sql`now()`);

function toCard(topics: readonly Topic[], { publishedAt, ...row }: Row): ArticleCard {
  return {
    ...row,
    topicLabel: topics.find(({ slug }) => slug === row.topic)?.label ?? row.topic,
    publishedAt: (publishedAt ?? new Date(0)).toISOString(),
  };
}

/** By publishedAt, readTime or title, up or down (spec §3, "Blog state"). */
const orders: Record<BlogSort, SQL[]> = {
  oldest: [asc(articles.publishedAt), asc(articles.id)],
  recent: [desc(articles.publishedAt), desc(articles.id)],
  shortest: [asc(articles.readTime), asc(articles.id)],
  longest: [desc(articles.readTime), desc(articles.id)],
  'a-z': [asc(articles.sortTitle), asc(articles.id)],
  'z-a': [desc(articles.sortTitle), desc(articles.id)],
};

/** One page by number (spec §4, "Blog"). A blog has hundreds of articles, so offset paging is cheap enough. */
export async function listArticles(
  db: Db,
  topics: readonly Topic[],
  query: BlogQuery & { limit?: number },
): Promise<BlogPage> {
  const limit = query.limit ?? blogPageSize;
  const page = Math.min(query.page, lastBlogPage);
  const rows = await db
    .select(columns)
    .from(articles)
    .where(and(isPublished, query.topics.length === 0 ? undefined : inArray(articles.topic, query.topics)))
    .orderBy(...orders[query.sortBy])
    .limit(limit + 1)
    .offset(page * limit);
  return {
    items: rows.slice(0, limit).map((row) => toCard(topics, row)),
    page,
    hasMore: rows.length > limit && page < lastBlogPage,
  };
}

/** Mentioned audios exclude those with tags that the viewer hides. */
export async function findArticle(
  db: Db,
  topics: readonly Topic[],
  viewer: Viewer,
  idOrSlug: string,
): Promise<Article | undefined> {
  const former = sql`(select ${formerArticleSlugs.articleId} from ${formerArticleSlugs} where ${formerArticleSlugs.slug} = ${idOrSlug})`;
  const match = isId(idOrSlug)
    ? eq(articles.id, idOrSlug)
    : isSlug(idOrSlug)
      ? or(eq(articles.slug, idOrSlug), sql`${articles.id} = ${former}`)
      : undefined;
  if (match === undefined) return undefined;
  const [row] = await db
    .select({ ...columns, body: articles.body, updatedAt: articles.updatedAt })
    .from(articles)
    .where(and(match, isPublished))
    // A current address wins over a former one.
    .orderBy(desc(eq(articles.slug, idOrSlug)))
    .limit(1);
  if (row === undefined) return undefined;
  const { body, updatedAt, ...card } = row;
  const mentioned = await db
    .select({ id: articleAudios.audioId })
    .from(articleAudios)
    .where(eq(articleAudios.articleId, row.id))
    .orderBy(asc(articleAudios.position));
  return {
    ...toCard(topics, card),
    html: await renderMarkdown(body),
    updatedAt: updatedAt.toISOString(),
    audios: await findAudiosByIds(
      db,
      mentioned.map(({ id }) => id),
      viewer,
    ),
  };
}

/** Articles to read next: of the same topic first, then the newest. */
export async function listNextArticles(
  db: Db,
  topics: readonly Topic[],
  article: { id: string; topic: string },
  limit: number,
): Promise<ArticleCard[]> {
  const rows = await db
    .select(columns)
    .from(articles)
    .where(and(isPublished, ne(articles.id, article.id)))
    .orderBy(desc(sql`${articles.topic} = ${article.topic}`), desc(articles.publishedAt), desc(articles.id))
    .limit(limit);
  return rows.map((row) => toCard(topics, row));
}

/** The newest articles with their full text, for feeds. */
export async function listWholeArticles(db: Db, topics: readonly Topic[], limit: number) {
  const rows = await db
    .select({ ...columns, body: articles.body })
    .from(articles)
    .where(isPublished)
    .orderBy(...orders.recent)
    .limit(limit);
  return Promise.all(
    rows.map(async ({ body, ...row }) => ({ ...toCard(topics, row), html: await renderMarkdown(body) })),
  );
}
