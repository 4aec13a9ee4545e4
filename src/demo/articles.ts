import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Db } from '#domain/kernel/db.ts';
import { parseArticle, publishArticle, readPublished } from '#domain/editorial/publishing.ts';

/** The articles in `demo/articles/`; the front matter says how long ago each was published. */
export async function readDemoArticles(demoDir: string) {
  const folder = join(demoDir, 'articles');
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md')).toSorted();
  return Promise.all(
    files.map(async (file) => parseArticle(await readFile(join(folder, file), 'utf8'), basename(file, '.md'))),
  );
}

/** @param options.imageKeys by `article-` and slug */
export async function publishDemoArticles(
  db: Db,
  articles: Awaited<ReturnType<typeof readDemoArticles>>,
  options: { imageKeys: Map<string, string>; now: Date },
): Promise<void> {
  for (const { published, ...form } of articles) {
    const { missing } = await publishArticle(db, form, {
      publishedAt: readPublished(published, options.now),
      imageKey: options.imageKeys.get(`article-${form.slug}`),
    });
    if (missing.length > 0) throw new Error(`The demo has no ${missing.join(', ')}, of which ${form.slug} speaks`);
  }
}
