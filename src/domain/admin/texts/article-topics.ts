import { eq, sql } from 'drizzle-orm';
import { type Topic, maxTopics } from '../../editorial/rules.ts';
import { articles } from '../../editorial/tables.ts';
import { blogTopics } from '../../editorial/topics.ts';
import type { Actor } from '../../kernel/actor.ts';
import { settingChanged } from '../../identity/setting-changes.ts';
import type { Db } from '../../kernel/db.ts';
import { DomainError } from '../../kernel/errors.ts';
import { toSlug } from '../../kernel/ids.ts';
import { changeSetting, findSetting } from '../../settings/change-setting.ts';
import { administratorsOnly } from '../administrators-only.ts';
import type { TopicsForm } from './article-forms.ts';
import { recordByOperator } from '../record.ts';

const topicsLock = sql`hashtext('blog topics')`;

/** Blocks the removal of topics until the transaction ends. */
export async function holdTopics(tx: Db) {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(${topicsLock})`);
  return (await findSetting(tx, blogTopics)).value.topics;
}

/**
 * These topics, then the stored ones that articles have. Blocks changes of topics until the transaction ends.
 * @throws DomainError `article/topic-in-use` when they are too many
 */
export async function withUsedTopics(tx: Db, topics: Topic[]): Promise<Topic[]> {
  await tx.execute(sql`select pg_advisory_xact_lock(${topicsLock})`);
  const used = new Set((await tx.selectDistinct({ topic: articles.topic }).from(articles)).map(({ topic }) => topic));
  const given = new Set(topics.map(({ slug }) => slug));
  const { topics: stored } = (await findSetting(tx, blogTopics)).value;
  const all = [...topics, ...stored.filter(({ slug }) => used.has(slug) && !given.has(slug))];
  if (all.length > maxTopics)
    throw new DomainError(
      'article/topic-in-use',
      /*i18n*/ {
        id: 'error.article/too-many-topics',
        message: 'With those that articles have, there are over {max} topics.',
        values: { max: maxTopics },
      },
    );
  return all;
}

/** Adds, renames, reorders and removes topics; articles of a removed topic move to another one. */
export async function changeTopics(db: Db, actor: Actor, { revision, topics, moved }: TopicsForm): Promise<void> {
  administratorsOnly(actor);
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${topicsLock})`);
    const stored = await findSetting(tx, blogTopics);
    if (stored.revision !== revision) throw await settingChanged(tx, blogTopics.key, 'text/changed-meanwhile');
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
    if (before === undefined) throw await settingChanged(tx, blogTopics.key, 'text/changed-meanwhile');
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
        throw new DomainError(
          'article/topic-in-use',
          /*i18n*/ {
            id: 'error.article/topic-has-articles',
            message: 'Articles have the topic {label}. Choose another one for them.',
            values: { label },
          },
        );
    }
    await recordByOperator(tx, actor, {
      action: 'topic.change',
      subject: { type: 'settings', id: blogTopics.key, name: 'Topics of the blog' },
      before: { topics: now.map(({ label }) => label) },
      after: { topics: named.map(({ label }) => label), ...(Object.keys(moved).length > 0 && { moved }) },
    });
  });
}

/** With the number of articles of each, including drafts and deleted articles. */
export async function findTopics(db: Db, actor: Actor) {
  administratorsOnly(actor);
  const rows = await db
    .select({ topic: articles.topic, count: sql<number>`count(*)::int` })
    .from(articles)
    .groupBy(articles.topic);
  const counts = Object.fromEntries(rows.map(({ topic, count }) => [topic, count]));
  const { value, revision } = await findSetting(db, blogTopics);
  return { revision, topics: value.topics.map((topic) => ({ ...topic, articles: counts[topic.slug] ?? 0 })) };
}
