import { eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { audios } from '../catalogue/tables.ts';
import type { Db } from '../kernel/db.ts';
import { isSlug, newId, sortKey } from '../kernel/ids.ts';
import { ContentLanguage, isEmpty, isPlain, notColor, notPlain, notSlug } from '../kernel/forms.ts';
import { compose } from '../kernel/rules.ts';
import { checkMarkdown } from './markdown.ts';
import { type Topic, readTimeOf, defaultTopics } from './rules.ts';
import { articleAudios, articles } from './tables.ts';

const plain = (max: number) => z.string().trim().overwrite(compose).max(max).refine(isPlain, notPlain);

/** The fields of an article file. */
export const ArticleForm = z.object({
  slug: z.string().refine(isSlug, notSlug),
  title: plain(200).min(1),
  description: plain(600).default(''),
  language: ContentLanguage.optional(),
  /** Slug of a topic. */
  topic: z.string(),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, notColor)
    .optional(),
  /** Slugs of audios. */
  audios: z.array(z.string()).max(12).default([]),
  body: plain(200_000).min(1, isEmpty),
});
export type ArticleForm = z.infer<typeof ArticleForm>;

/**
 * Parses a Markdown file: lines of `name: value` between two `---`, then the text. Audios are separated by commas.
 * @param topics of the site
 * @throws Error with a one-line reason
 */
export function parseArticle(
  file: string,
  slug: string,
  topics: readonly Topic[] = defaultTopics,
): ArticleForm & { published: string | undefined } {
  const parts = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(file);
  if (parts === null) throw new Error('there is no head of lines such as "title: …" between two lines of ---');
  const [, head = '', body = ''] = parts;
  const fields = Object.fromEntries(
    head
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [, name, value] = /^([a-z]+):\s*(.*)$/.exec(line.trim()) ?? [];
        if (name === undefined) throw new Error(`"${line.trim()}" is no line such as "title: …"`);
        return [name, value ?? ''];
      }),
  ) as Record<string, string | undefined>;
  const { published, audios: listed, ...rest } = fields;
  const form = ArticleForm.safeParse({
    slug,
    ...rest,
    body,
    audios: listed?.split(',').flatMap((part) => part.trim() || []),
  });
  if (form.success && !topics.some((one) => one.slug === form.data.topic))
    throw new Error(`topic must be one of ${topics.map((one) => one.slug).join(', ')}`);
  if (form.success) return { ...form.data, published };
  const issue = form.error.issues[0];
  throw new Error(`${issue?.path.join('.')}: ${issue?.message}`);
}

/**
 * Reads a publication time: `2026-11-14`, with or without a time, or `3 days ago`.
 * @throws Error for other formats; undefined when absent
 */
export function readPublished(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined || text === '') return undefined;
  const days = /^(\d{1,5}) days? ago$/.exec(text)?.[1];
  if (days !== undefined) return new Date(now.getTime() - Number(days) * 24 * 60 * 60 * 1000);
  const at = new Date(text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(at.getTime()))
    throw new Error(`published: "${text}" is no time such as 2026-11-14`);
  return at;
}

/**
 * Publishes an article or replaces the one with the same slug.
 * @param options.publishedAt default: unchanged, or now
 * @returns the slugs of unknown audios
 */
export async function publishArticle(
  db: Db,
  form: ArticleForm,
  options: { publishedAt?: Date | undefined; imageKey?: string | undefined } = {},
): Promise<{ id: string; missing: string[] }> {
  const { publishedAt, imageKey } = options;
  await checkMarkdown(form.body);
  return db.transaction(async (tx) => {
    const values = {
      slug: form.slug,
      title: form.title,
      sortTitle: sortKey(form.title),
      description: form.description,
      body: form.body,
      ...(form.language !== undefined && { language: form.language }),
      topic: form.topic,
      color: form.color ?? null,
      readTime: readTimeOf(form.body),
    };
    const [row] = await tx
      .insert(articles)
      .values({ id: newId(), ...values, imageKey: imageKey ?? null, publishedAt: publishedAt ?? sql`now()` })
      .onConflictDoUpdate({
        target: articles.slug,
        set: {
          ...values,
          ...(imageKey !== undefined && { imageKey, pictureKey: null, pictureArea: null }),
          publishedAt: publishedAt ?? sql`coalesce(${articles.publishedAt}, now())`,
          deletedAt: null,
          publishedAtDeletion: null,
          revision: sql`${articles.revision} + 1`,
          updatedAt: sql`now()`,
        },
      })
      .returning({ id: articles.id });
    if (row === undefined) throw new Error('An article was not written');
    const found = await tx
      .select({ id: audios.id, slug: audios.slug })
      .from(audios)
      .where(inArray(audios.slug, form.audios));
    const ids = new Map(found.map(({ id, slug }) => [slug, id]));
    await tx.delete(articleAudios).where(eq(articleAudios.articleId, row.id));
    const mentioned = [...new Set(form.audios)].flatMap((slug) => ids.get(slug) ?? []);
    if (mentioned.length > 0)
      await tx
        .insert(articleAudios)
        .values(mentioned.map((audioId, position) => ({ articleId: row.id, audioId, position })));
    return { id: row.id, missing: form.audios.filter((slug) => !ids.has(slug)) };
  });
}
