import { language } from '#i18n';
import { and, asc, eq, gt, isNull, ne, sql } from 'drizzle-orm';
import { restorableSince } from '../../catalogue/editing/deletion.ts';
import { findFreeSlug } from '../../catalogue/editing/slugs.ts';
import { checkMarkdown } from '../../editorial/markdown.ts';
import { type ArticleForm, publishArticle } from '../../editorial/publishing.ts';
import { readTimeOf } from '../../editorial/rules.ts';
import { articleAudios, articles, formerArticleSlugs } from '../../editorial/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { changedMeanwhile } from '../../kernel/audit.ts';
import { type Db, type Tx, pick } from '../../kernel/db.ts';
import { DomainError } from '../../kernel/errors.ts';
import { isId, newId, sortKey, toSlug } from '../../kernel/ids.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { lockAudios } from '../content/house-playlist-changes.ts';
import type { ArticleEdit, ArticlePublication } from './article-forms.ts';
import { isOver } from './article-list.ts';
import { holdTopics } from './article-topics.ts';
import { recordByOperator } from '../record.ts';
import { articleLengths } from '../rules.ts';

/** Operators' actions on articles. A refusal throws a DomainError and changes nothing. */

type ArticleRow = typeof articles.$inferSelect;

/** Changes one article in one transaction with its entry in the log. */
export async function changeArticle(
  db: Db,
  actor: Actor,
  id: string,
  seen: number,
  action: `article.${string}`,
  change: (
    tx: Tx,
    before: ArticleRow,
  ) => Promise<{ set: Parameters<ReturnType<Db['update']>['set']>[0]; audios?: { before: string[]; after: string[] } }>,
): Promise<number> {
  administratorsOnly(actor);
  if (!isId(id)) throw new DomainError('request/not-found');
  return db.transaction(async (tx) => {
    const [before] = await tx
      .select()
      .from(articles)
      .where(and(eq(articles.id, id), isNull(articles.deletedAt)))
      .for('no key update');
    if (before === undefined) throw new DomainError('request/not-found');
    if (before.revision !== seen)
      throw await changedMeanwhile(tx, { type: 'article', id }, 'article/changed-meanwhile');
    const { set, audios: linked } = await change(tx, before);
    const [after] = await tx
      .update(articles)
      .set({ ...set, revision: seen + 1, updatedAt: sql`now()` })
      .where(eq(articles.id, id))
      .returning();
    if (after === undefined) throw new Error('An article was not written');
    await recordByOperator(tx, actor, {
      action,
      subject: { type: 'article', id, name: before.title },
      before: { ...articleFacts(before), ...(linked && { audioIds: linked.before }) },
      after: { ...articleFacts(after), ...(linked && { audioIds: linked.after }) },
    });
    return after.revision;
  });
}

function articleFacts({ publishedAt, ...article }: ArticleRow) {
  return {
    ...pick(article, 'title', 'slug', 'description', 'language', 'topic', 'imageKey', 'body'),
    publishedAt: publishedAt && publishedAt.toISOString(),
  };
}

/** @returns the id of a draft */
export async function createArticle(db: Db, actor: Actor, { title }: { title: string }): Promise<string> {
  administratorsOnly(actor);
  return db.transaction(async (tx) => {
    const id = newId();
    const [topic] = await holdTopics(tx);
    // The language of the operator's page, until they choose another.
    const empty = { body: '', topic: topic?.slug ?? '', readTime: 0, language: language() };
    const values = { title, sortTitle: sortKey(title), ...empty };
    await tx.insert(articles).values({ id, slug: await freeSlug(tx, title), ...values });
    await recordByOperator(tx, actor, {
      action: 'article.create',
      subject: { type: 'article', id, name: title },
      after: { title },
    });
    return id;
  });
}

/** @returns the next revision */
export async function editArticle(db: Db, actor: Actor, id: string, edit: ArticleEdit): Promise<number> {
  administratorsOnly(actor);
  if (edit.body !== undefined) await checkMarkdown(edit.body);
  return changeArticle(db, actor, id, edit.revision, 'article.edit', async (tx, before) => {
    const { audioIds, revision: _seen, ...fields } = edit;
    if (fields.topic !== undefined && !(await holdTopics(tx)).some(({ slug }) => slug === fields.topic))
      throw new DomainError('article/unknown-topic');
    if (fields.slug !== undefined && fields.slug !== before.slug) {
      await holdArticleSlugs(tx);
      await refuseTaken(tx, fields.slug, id);
    }
    if (before.publishedAt !== null && fields.body?.trim() === '') throw new DomainError('article/empty');
    return {
      set: {
        ...fields,
        ...(fields.title !== undefined && { sortTitle: sortKey(fields.title) }),
        ...(fields.body !== undefined && { readTime: readTimeOf(fields.body) }),
      },
      ...(audioIds !== undefined && { audios: await linkAudios(tx, id, audioIds) }),
    };
  });
}

/** Publishes now or at a time, or unpublishes. @returns the next revision */
export async function publishArticleAt(db: Db, actor: Actor, id: string, { revision, at }: ArticlePublication) {
  const action = at === null ? 'article.unpublish' : at === 'now' ? 'article.publish' : 'article.schedule';
  return changeArticle(db, actor, id, revision, action, async (_tx, before) => {
    if (at !== null && before.body.trim() === '') throw new DomainError('article/empty');
    // Rounded down to the millisecond, so that the article is visible at once.
    const now = sql<Date>`date_trunc('milliseconds', now())`;
    return { set: { publishedAt: at === 'now' ? now : at === null ? null : new Date(at) } };
  });
}

/** A deletion can be undone for 30 days; the publication time is restored too. @returns false when nothing changed */
export async function setArticleDeleted(db: Db, actor: Actor, id: string, isDeleted: boolean) {
  administratorsOnly(actor);
  if (!isId(id)) return false;
  return db.transaction(async (tx) => {
    const [changed] = await tx
      .update(articles)
      .set({
        ...(isDeleted
          ? { deletedAt: sql`now()`, publishedAtDeletion: sql`${articles.publishedAt}`, publishedAt: null }
          : { deletedAt: null, publishedAtDeletion: null, publishedAt: sql`${articles.publishedAtDeletion}` }),
        revision: sql`${articles.revision} + 1`,
      })
      .where(and(eq(articles.id, id), isDeleted ? isNull(articles.deletedAt) : gt(articles.deletedAt, restorableSince)))
      .returning({ title: articles.title });
    if (changed === undefined) return false;
    await recordByOperator(tx, actor, {
      action: isDeleted ? 'article.delete' : 'article.restore',
      subject: { type: 'article', id, name: changed.title },
    });
    return true;
  });
}

/** Purges articles that were deleted 30 or more days ago. @returns the number of articles */
export async function purgeDeletedArticles(db: Db): Promise<number> {
  const { rowCount } = await db.delete(articles).where(isOver);
  return rowCount ?? 0;
}

async function linkAudios(tx: Tx, id: string, audioIds: string[]): Promise<{ before: string[]; after: string[] }> {
  const before = await tx
    .select({ id: articleAudios.audioId })
    .from(articleAudios)
    .where(eq(articleAudios.articleId, id))
    .orderBy(asc(articleAudios.position));
  if (!(await lockAudios(tx, audioIds))) throw new DomainError('article/unknown-audio');
  await tx.delete(articleAudios).where(eq(articleAudios.articleId, id));
  if (audioIds.length > 0)
    await tx.insert(articleAudios).values(audioIds.map((audioId, position) => ({ articleId: id, audioId, position })));
  return { before: before.map((one) => one.id), after: audioIds };
}

async function holdArticleSlugs(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('article slugs'))`);
}

async function freeSlug(tx: Db, title: string): Promise<string> {
  await holdArticleSlugs(tx);
  const base = (toSlug(title) || 'article').slice(0, articleLengths.slug - 8).replace(/-$/, '');
  return findFreeSlug(tx, 'articles', base);
}

/** @param id of the article that wants it @throws DomainError for a slug, or a former one, of another article */
async function refuseTaken(tx: Db, slug: string, id: string | undefined): Promise<void> {
  const other = id === undefined ? sql`true` : ne(articles.id, id);
  const former = id === undefined ? sql`true` : ne(formerArticleSlugs.articleId, id);
  if (
    (await tx.$count(articles, and(eq(articles.slug, slug), other))) > 0 ||
    (await tx.$count(formerArticleSlugs, and(eq(formerArticleSlugs.slug, slug), former))) > 0
  )
    throw new DomainError('article/slug-taken');
}

/**
 * Publishes an article file from the command line, or replaces the article with its slug.
 * @returns unknown audio slugs
 */
export async function importArticle(
  db: Db,
  actor: Actor,
  form: ArticleForm,
  options: Parameters<typeof publishArticle>[2],
): Promise<{ missing: string[] }> {
  administratorsOnly(actor);
  return db.transaction(async (tx) => {
    if (!(await holdTopics(tx)).some(({ slug }) => slug === form.topic)) throw new DomainError('article/unknown-topic');
    await holdArticleSlugs(tx);
    const [before] = await tx.select().from(articles).where(eq(articles.slug, form.slug)).for('no key update');
    if (before === undefined) await refuseTaken(tx, form.slug, undefined);
    const { id, missing } = await publishArticle(tx, form, options);
    const [after] = await tx.select().from(articles).where(eq(articles.id, id));
    if (after === undefined) throw new Error('An article was not written');
    await recordByOperator(tx, actor, {
      action: before === undefined ? 'article.create' : 'article.edit',
      subject: { type: 'article', id, name: form.title },
      ...(before && { before: articleFacts(before) }),
      after: articleFacts(after),
    });
    return { missing };
  });
}
