import { and, asc, eq, gt, inArray, isNull, ne, sql } from 'drizzle-orm';
import { holdBlobs, removeUnusedBlobs } from '../blob-columns.ts';
import { audios } from '../catalogue/tables.ts';
import type { ArticleForm } from '../editorial/publishing.ts';
import { publishArticle } from '../editorial/publishing.ts';
import { readTimeOf } from '../editorial/rules.ts';
import type { PictureArea } from '../editorial/rules.ts';
import { articleAudios, articles } from '../editorial/tables.ts';
import { blogTopics } from '../editorial/topics.ts';
import type { Blobs, Covers } from '../gateways.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import { DomainError } from '../kernel/errors.ts';
import { isId, newId, sortKey, toSlug } from '../kernel/ids.ts';
import { changeSetting, findSetting } from '../settings/change-setting.ts';
import { keepImage } from '../studio/keep-files.ts';
import { heightOf, isAreaOf, middleOf } from '../studio/rules.ts';
import { administratorsOnly } from './administrators-only.ts';
import type { ArticleEdit, ArticlePublication, TopicsForm } from './article-forms.ts';
import { isOver, restorableSince } from './article-list.ts';
import { articleLengths, articleRatio } from './rules.ts';
import { recordByOperator } from './record.ts';

/** The operators' acts on articles. A refusal throws a DomainError, and then nothing has changed. */

type ArticleRow = typeof articles.$inferSelect;

const topicsLock = sql`hashtext('blog topics')`;

/** @returns the id of a draft */
export async function createArticle(db: Db, actor: Actor, { title }: { title: string }): Promise<string> {
  administratorsOnly(actor);
  return db.transaction(async (tx) => {
    const id = newId();
    const [topic] = await holdTopics(tx);
    const values = { title, sortTitle: sortKey(title), body: '', topic: topic?.slug ?? '', readTime: 0 };
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
  return changeArticle(db, actor, id, edit.revision, 'article.edit', async (tx, before) => {
    const { audioIds, revision: _seen, ...fields } = edit;
    if (fields.topic !== undefined && !(await holdTopics(tx)).some(({ slug }) => slug === fields.topic))
      throw new DomainError('article/unknown-topic');
    if (fields.slug !== undefined && fields.slug !== before.slug) {
      await holdArticleSlugs(tx);
      const [other] = await tx
        .select({ id: articles.id })
        .from(articles)
        .where(and(eq(articles.slug, fields.slug), ne(articles.id, id)));
      if (other !== undefined) throw new DomainError('article/slug-taken');
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

/** Publishes now or at a time, or takes an article back. @returns the next revision */
export async function publishArticleAt(
  db: Db,
  actor: Actor,
  id: string,
  { revision, at }: ArticlePublication,
): Promise<number> {
  const action = at === null ? 'article.unpublish' : at === 'now' ? 'article.publish' : 'article.schedule';
  return changeArticle(db, actor, id, revision, action, async (_tx, before) => {
    if (at !== null && before.body.trim() === '') throw new DomainError('article/empty');
    // Rounded down: listeners see it with this statement, not a fraction of a millisecond later.
    const now = sql<Date>`date_trunc('milliseconds', now())`;
    return { set: { publishedAt: at === 'now' ? now : at === null ? null : new Date(at) } };
  });
}

/** Can be undone for 30 days. */
export async function deleteArticle(db: Db, actor: Actor, id: string): Promise<boolean> {
  return setDeleted(db, actor, id, true);
}

/** Published as it was before. */
export async function restoreArticle(db: Db, actor: Actor, id: string): Promise<boolean> {
  return setDeleted(db, actor, id, false);
}

async function setDeleted(db: Db, actor: Actor, id: string, isDeleted: boolean): Promise<boolean> {
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

/** Removes what was deleted 30 days ago or earlier, with its pictures. @returns how many articles went */
export async function purgeDeletedArticles(db: Db, blobs: Blobs): Promise<number> {
  const gone = await db
    .delete(articles)
    .where(isOver)
    .returning({ imageKey: articles.imageKey, pictureKey: articles.pictureKey });
  const keys = gone.flatMap(({ imageKey, pictureKey }) => [imageKey, pictureKey]).filter((key) => key !== null);
  await removeUnusedBlobs(db, blobs, keys);
  return gone.length;
}

export type ArticlePicture =
  | { picture: Uint8Array }
  | { area: { x: number; y: number; size: number } }
  | { drawn: true }
  | { picture: null };

/** A new picture, another part of it, one that the site draws, or none. @returns the next revision */
export async function setArticlePicture(
  { db, blobs, covers }: { db: Db; blobs: Blobs; covers: Covers },
  actor: Actor,
  id: string,
  { revision, ...wish }: { revision: number } & ArticlePicture,
): Promise<number> {
  administratorsOnly(actor);
  // Before the transaction: decoding takes a while.
  const cut = await cutPicture({ db, blobs, covers }, id, revision, wish);
  const written: string[] = [];
  const former: (string | null)[] = [];
  try {
    return await changeArticle(db, actor, id, revision, 'article.picture', async (tx, before) => {
      await holdBlobs(tx);
      former.push(before.imageKey, before.pictureKey);
      if (cut === undefined) return { set: { imageKey: null, pictureKey: null, pictureArea: null } };
      const imageKey = await keepImage(blobs, cut.image);
      written.push(imageKey);
      const pictureKey = 'key' in cut.whole ? cut.whole.key : await keepImage(blobs, cut.whole.image);
      written.push(pictureKey);
      return { set: { imageKey, pictureKey, pictureArea: cut.area } };
    });
  } finally {
    await removeUnusedBlobs(db, blobs, [...written, ...former.filter((key) => key !== null)]);
  }
}

type Cut = { image: Uint8Array; whole: { image: Uint8Array } | { key: string }; area: PictureArea };

async function cutPicture(
  { db, blobs, covers }: { db: Db; blobs: Blobs; covers: Covers },
  id: string,
  revision: number,
  wish: ArticlePicture,
): Promise<Cut | undefined> {
  if ('picture' in wish && wish.picture === null) return undefined;
  const unreadable = () => new DomainError('picture/unreadable');
  async function cutOut(image: Uint8Array, area: PictureArea): Promise<Uint8Array> {
    const { x, y, size } = area;
    const part = await covers.cut(image, { x, y, size, height: heightOf(size, articleRatio) });
    if (part === undefined) throw unreadable();
    return part;
  }
  if ('area' in wish) {
    const [row] = await db
      .select({ key: articles.pictureKey, area: articles.pictureArea })
      .from(articles)
      .where(eq(articles.id, id));
    if (!row?.key || row.area === null || (await blobs.stat(row.key)) === undefined) throw unreadable();
    const { width, height } = row.area;
    if (!isAreaOf(wish.area, { width, height }, articleRatio)) throw new DomainError('audio/bad-area');
    const whole = new Uint8Array(await new Response(blobs.read(row.key)).arrayBuffer());
    const area = { ...wish.area, width, height };
    return { image: await cutOut(whole, area), whole: { key: row.key }, area };
  }
  // Another drawing at each press.
  const kept = await covers.keep(
    'drawn' in wish ? await covers.draw(`${id} ${revision}`) : (wish.picture ?? new Uint8Array()),
  );
  if (kept === undefined) throw unreadable();
  const { image, width, height } = kept;
  if (Math.min(width, height) < 16) throw unreadable();
  const area = { ...middleOf(kept, articleRatio), width, height };
  return { image: await cutOut(image, area), whole: { image }, area };
}

/** Changes one article in one transaction with its entry in the log. */
async function changeArticle(
  db: Db,
  actor: Actor,
  id: string,
  seen: number,
  action: `article.${string}`,
  change: (
    tx: Db,
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
    if (before.revision !== seen) throw new DomainError('article/changed-meanwhile');
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
      before: { ...factsOf(before), ...(linked && { audioIds: linked.before }) },
      after: { ...factsOf(after), ...(linked && { audioIds: linked.after }) },
    });
    return after.revision;
  });
}

function factsOf({ title, slug, description, body, topic, imageKey, publishedAt }: ArticleRow) {
  return { title, slug, description, topic, imageKey, body, publishedAt: publishedAt && publishedAt.toISOString() };
}

async function linkAudios(tx: Db, id: string, audioIds: string[]): Promise<{ before: string[]; after: string[] }> {
  const before = await tx
    .select({ id: articleAudios.audioId })
    .from(articleAudios)
    .where(eq(articleAudios.articleId, id))
    .orderBy(asc(articleAudios.position));
  // Held until the commit, so that none of them is deleted for good meanwhile.
  const known =
    audioIds.length === 0
      ? []
      : await tx
          .select({ id: audios.id })
          .from(audios)
          .where(inArray(audios.id, audioIds))
          .orderBy(asc(audios.id))
          .for('key share');
  if (known.length !== audioIds.length) throw new DomainError('article/unknown-audio');
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
  const { rows } = await tx.execute<{ slug: string }>(sql`
    select slug from articles where slug = ${base} or slug like ${`${base}-%`}`);
  const taken = new Set(rows.map(({ slug }) => slug));
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}

/** Until the transaction ends no topic goes. */
async function holdTopics(tx: Db) {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(${topicsLock})`);
  return (await findSetting(tx, blogTopics)).value.topics;
}

/** Names, order and number of the topics; articles of one that goes move to another. */
export async function changeTopics(db: Db, actor: Actor, { revision, topics, moved }: TopicsForm): Promise<void> {
  administratorsOnly(actor);
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${topicsLock})`);
    const stored = await findSetting(tx, blogTopics);
    if (stored.revision !== revision) throw new DomainError('text/changed-meanwhile');
    const now = stored.value.topics;
    const slugs = new Set(topics.flatMap(({ slug }) => slug ?? []));
    if ([...slugs].some((slug) => !now.some((topic) => topic.slug === slug)))
      throw new DomainError('article/unknown-topic');
    const named = topics.map(({ slug, label }) => {
      if (slug !== null) return { slug, label };
      const base = toSlug(label).slice(0, 70) || 'topic';
      let free = base;
      for (let number = 2; slugs.has(free) || now.some((topic) => topic.slug === free); number += 1)
        free = `${base}-${number}`;
      slugs.add(free);
      return { slug: free, label };
    });
    const labels = named.map(({ label }) => label.toLowerCase());
    if (new Set(labels).size !== labels.length || slugs.size !== named.length)
      throw new DomainError('article/topic-twice');
    const before = await changeSetting(tx, blogTopics, { actor, value: { topics: named }, revision });
    if (before === undefined) throw new DomainError('text/changed-meanwhile');
    for (const { slug, label } of now.filter((topic) => !slugs.has(topic.slug))) {
      const into = Object.hasOwn(moved, slug) ? moved[slug] : undefined;
      if (into !== undefined && !slugs.has(into)) throw new DomainError('article/unknown-topic');
      // Deleted articles too: they may be restored.
      if (into !== undefined)
        await tx
          .update(articles)
          .set({ topic: into, revision: sql`${articles.revision} + 1` })
          .where(eq(articles.topic, slug));
      else if (
        (await tx.select({ id: articles.id }).from(articles).where(eq(articles.topic, slug)).limit(1)).length > 0
      )
        throw new DomainError('article/topic-in-use', `Articles have the topic ${label}. Choose another one for them.`);
    }
    await recordByOperator(tx, actor, {
      action: 'topic.change',
      subject: { type: 'settings', id: blogTopics.key, name: 'Topics of the blog' },
      before: { topics: now.map(({ label }) => label) },
      after: { topics: named.map(({ label }) => label), ...(Object.keys(moved).length > 0 && { moved }) },
    });
  });
}

/** How many articles each topic has, with drafts and deleted ones. */
export async function countTopics(db: Db, actor: Actor): Promise<Record<string, number>> {
  administratorsOnly(actor);
  const rows = await db
    .select({ topic: articles.topic, count: sql<number>`count(*)::int` })
    .from(articles)
    .groupBy(articles.topic);
  return Object.fromEntries(rows.map(({ topic, count }) => [topic, count]));
}

/** Publishes a file of the command line, or replaces the article with its slug. @returns the slugs of unknown audios */
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
    const { id, missing } = await publishArticle(tx, form, options);
    const [after] = await tx.select().from(articles).where(eq(articles.id, id));
    if (after === undefined) throw new Error('An article was not written');
    await recordByOperator(tx, actor, {
      action: before === undefined ? 'article.create' : 'article.edit',
      subject: { type: 'article', id, name: form.title },
      ...(before && { before: factsOf(before) }),
      after: factsOf(after),
    });
    return { missing };
  });
}

/** By its slug, for the command line. */
export async function findArticleBySlug(
  db: Db,
  actor: Actor,
  slug: string,
): Promise<{ id: string; revision: number } | undefined> {
  administratorsOnly(actor);
  const [row] = await db
    .select({ id: articles.id, revision: articles.revision })
    .from(articles)
    .where(eq(articles.slug, slug));
  return row;
}
