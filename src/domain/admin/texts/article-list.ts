import type { SQL } from 'drizzle-orm';
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { imageUrl } from '../../catalogue/audios.ts';
import { restorableSince } from '../../catalogue/editing/deletion.ts';
import { audios, voices } from '../../catalogue/tables.ts';
import { renderMarkdown } from '../../editorial/markdown.ts';
import { formatReadTime } from '../../editorial/rules.ts';
import { articleAudios, articles } from '../../editorial/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { isId } from '../../kernel/ids.ts';
import type { Page } from '../../kernel/pages.ts';
import { decodeCursor, encodeCursor, toPage } from '../../kernel/pages.ts';
import { Instant, PlainText } from '../../kernel/forms.ts';
import { dropUnwanted } from '../../kernel/rules.ts';
import { canAdminister, maxArticleAudios } from '../rules.ts';
import type { ArticleSort, ArticleState } from '../rules.ts';
import type { ListedAudio } from '../content/house-playlists.ts';
import { listedColumns, toListed } from '../content/house-playlists.ts';
import { readWordSearch, findFewByWords } from '../word-search.ts';

/** Articles as operators see them. */

export type ListedArticle = {
  id: string;
  slug: string;
  title: string;
  /** Slug. */
  topic: string;
  state: ArticleState;
  imageUrl: string | null;
  /** Such as `4 min read`. */
  readTime: string;
  /** ISO 8601; null for a draft. */
  publishedAt: string | null;
  changedAt: string;
};

export type EditedArticle = ListedArticle & {
  description: string;
  body: string;
  revision: number;
  audios: ListedAudio[];
  /** The text as listeners would see it; sanitized. */
  html: string;
  picture: {
    /** The whole picture. */
    imageUrl: string;
    area: { x: number; y: number; size: number };
    width: number;
    height: number;
  } | null;
};

const columns = {
  id: articles.id,
  slug: articles.slug,
  title: articles.title,
  sortTitle: articles.sortTitle,
  topic: articles.topic,
  imageKey: articles.imageKey,
  readTime: articles.readTime,
  publishedAt: articles.publishedAt,
  deletedAt: articles.deletedAt,
  updatedAt: articles.updatedAt,
};

type Row = Pick<typeof articles.$inferSelect, keyof typeof columns>;

function toListedArticle({ id, slug, title, topic, imageKey, readTime, ...times }: Row): ListedArticle {
  const { publishedAt, deletedAt, updatedAt } = times;
  const state: ArticleState =
    deletedAt !== null
      ? 'deleted'
      : publishedAt === null
        ? 'draft'
        : publishedAt > new Date()
          ? 'scheduled'
          : 'published';
  return {
    id,
    slug,
    title,
    topic,
    state,
    readTime: formatReadTime(readTime),
    imageUrl: imageUrl(imageKey),
    publishedAt: publishedAt && publishedAt.toISOString(),
    changedAt: updatedAt.toISOString(),
  };
}

const inState: Record<ArticleState, SQL | undefined> = {
  published: sql`${articles.publishedAt} <= now()`,
  scheduled: sql`${articles.publishedAt} > now()`,
  draft: and(isNull(articles.publishedAt), isNull(articles.deletedAt)),
  deleted: gt(articles.deletedAt, restorableSince),
};

/** Drafts have no date: they come last. */
const publicationTime = sql`coalesce(${articles.publishedAt}, '-infinity'::timestamptz)`;

export type ArticleListQuery = {
  q?: string | undefined;
  state?: ArticleState | undefined;
  /** Slug. */
  topic?: string | undefined;
  sort?: ArticleSort | undefined;
  cursor?: string | undefined;
  limit: number;
};

/** Includes deleted articles only on request. */
export async function listArticles(
  db: Db,
  actor: Actor,
  { q = '', state, topic, sort = 'changed', cursor, limit }: ArticleListQuery,
): Promise<Page<ListedArticle>> {
  if (!canAdminister(actor)) return { items: [], nextCursor: undefined };
  const order = `admin-articles ${sort}`;
  const after = decodeCursor(order, cursor, sort === 'title' ? PlainText : z.union([Instant, z.literal('')]));
  const words = dropUnwanted(q).trim();
  const isAbout = words === '' ? undefined : await matching(db, words);
  const rows = await db
    .select(columns)
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
  return toPage(rows, limit, toListedArticle, (row) => {
    const value =
      sort === 'title'
        ? row.sortTitle
        : sort === 'changed'
          ? row.updatedAt.toISOString()
          : (row.publishedAt?.toISOString() ?? '');
    return encodeCursor(order, { value, id: row.id });
  });
}

async function matching(db: Db, q: string): Promise<SQL> {
  const search = await readWordSearch(db, { table: sql`articles`, column: sql`articles.sort_title` }, q);
  if (search === undefined) return sql`false`;
  const matchingIds = await findFewByWords(db, { table: sql`articles`, id: sql`articles.id` }, search);
  return matchingIds === undefined ? search.condition : inArray(articles.id, matchingIds);
}

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
export async function findArticle(db: Db, actor: Actor, id: string): Promise<EditedArticle | undefined> {
  if (!canAdminister(actor) || !isId(id)) return undefined;
  const [row] = await db.select().from(articles).where(eq(articles.id, id));
  if (row === undefined) return undefined;
  const linked = await db
    .select(listedColumns)
    .from(articleAudios)
    .innerJoin(audios, eq(audios.id, articleAudios.audioId))
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .where(and(eq(articleAudios.articleId, id), isNull(audios.deletedAt)))
    .orderBy(asc(articleAudios.position))
    .limit(maxArticleAudios);
  const { description, body, revision, pictureKey, pictureArea } = row;
  const whole = imageUrl(pictureKey);
  return {
    ...toListedArticle(row),
    description,
    body,
    revision,
    audios: linked.map(toListed),
    html: await renderMarkdown(body),
    picture:
      whole === null || pictureArea === null
        ? null
        : {
            imageUrl: whole,
            area: { x: pictureArea.x, y: pictureArea.y, size: pictureArea.size },
            width: pictureArea.width,
            height: pictureArea.height,
          },
  };
}

/** Files of articles that were deleted 30 or more days ago; they are purged together. */
export const isOver = and(isNotNull(articles.deletedAt), lt(articles.deletedAt, restorableSince));
