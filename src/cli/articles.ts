import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { listArticles } from '#domain/admin/texts/article-list.ts';
import { findArticleBySlug, importArticle, publishArticleAt, setArticleDeleted } from '#domain/admin/texts/articles.ts';
import { parseArticle, readPublished } from '#domain/editorial/publishing.ts';
import { blogTopics } from '#domain/editorial/topics.ts';
import { operator } from '#domain/kernel/actor.ts';
import { findSetting } from '#domain/settings/change-setting.ts';
import { keepImage } from '#domain/studio/uploads/keep-files.ts';
import { openCovers } from '#gateways/covers.ts';
import { openBlobs } from '#start/open-blobs.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, countOf, orCommandError, parseCommandLine, resolveFolder, UsageError } from './command.ts';
import { withDatabase } from './open/with-database.ts';

const acts = ['list', 'publish', 'unpublish', 'remove', 'restore'] as const;

export const articleCommand: Command = {
  help: `article list | publish <file.md> [--picture <file>] | unpublish <slug> | remove <slug> | restore <slug>

Articles of the blog. The name of the file is the slug; publishing it again replaces the earlier version.
Removed articles can be restored for 30 days. The file begins with a header; the text is Markdown, without scripts,
styles and pictures:

  ---
  title: Why a Low Voice Feels Like a Hand on the Shoulder
  description: One or two sentences for lists.
  topic: wellness (the address of a topic, such as in /blog?topics=wellness)
  audios: bright-star, how-do-i-love-thee
  published: 2026-11-14
  ---

  --picture <file>   shown above it and in lists; without it the earlier one stays`,
  async run(args, context) {
    const [word, ...rest] = args;
    const act = acts.find((one) => one === word);
    if (act === undefined)
      throw new UsageError(word === undefined ? `${acts.join(', ')} is missing` : `"${word}" is not known here`);
    if (act === 'list') return list(rest, context);
    if (act === 'publish') return publish(rest, context);
    const [slug] = parseCommandLine(rest, {}, ['<slug>']).positionals;
    await withDatabase(context, async (db) => {
      const found = await findArticleBySlug(db, operator, slug);
      const isDone =
        found !== undefined &&
        (act === 'unpublish'
          ? (await orCommandError(() =>
              publishArticleAt(db, operator, found.id, { revision: found.revision, at: null }),
            )) > 0
          : await setArticleDeleted(db, operator, found.id, act === 'remove'));
      if (!isDone) throw new CommandError(`There is no article ${JSON.stringify(slug)} to ${act}`);
    });
    const messages = {
      remove: `${slug} is deleted; it can be restored for 30 days.`,
      restore: `${slug} is restored.`,
      unpublish: `${slug} is a draft.`,
    };
    context.print(messages[act]);
    return 0;
  },
};

async function list(args: string[], context: CommandContext): Promise<number> {
  parseCommandLine(args, {}, []);
  const count = await withDatabase(context, async (db) => {
    let shown = 0;
    let cursor: string | undefined;
    do {
      const page = await listArticles(db, operator, { sort: 'published', limit: 100, cursor });
      for (const { slug, topic, publishedAt } of page.items)
        context.print(`${(publishedAt?.toISOString() ?? 'draft').padEnd(24)}  ${topic.padEnd(13)}  ${slug}`);
      shown += page.items.length;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return shown;
  });
  context.note(`${countOf(count, 'article')}.`);
  return 0;
}

async function publish(args: string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseCommandLine(args, { picture: { type: 'string' } }, ['<file.md>']);
  const path = resolveFolder(context, positionals[0]);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new CommandError(`${path} cannot be read`);
  });
  const slug = basename(path).replace(/\.md$/, '');
  const { topics } = await withDatabase(context, async (db) => (await findSetting(db, blogTopics)).value);
  const { published, ...form } = asCommandError(() => parseArticle(text, slug, topics));
  const publishedAt = asCommandError(() => readPublished(published, new Date()));
  const imageKey = values.picture === undefined ? undefined : await keepPicture(context, values.picture);
  const { missing } = await withDatabase(context, (db) =>
    orCommandError(() => importArticle(db, operator, form, { publishedAt, imageKey })),
  );
  for (const audio of missing) context.note(`There is no audio ${JSON.stringify(audio)}; it is left out`);
  context.print(`${context.readConfig().siteUrl}/blog/${slug}`);
  return 0;
}

async function keepPicture(context: CommandContext, path: string): Promise<string> {
  const file = resolveFolder(context, path);
  const picture = await readFile(file).catch(() => {
    throw new CommandError(`${file} cannot be read`);
  });
  const encoded = await openCovers().encode(picture);
  if (encoded === undefined) throw new CommandError(`${file} cannot be read as a picture`);
  const blobs = await openBlobs(context.readConfig());
  return withDatabase(context, (db) => keepImage({ db, blobs }, encoded));
}

/** Errors in a file are for the operator, not for the log. */
function asCommandError<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}
