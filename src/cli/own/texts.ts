import { basename } from 'node:path';
import { z } from 'zod';
import { importArticle } from '#domain/admin/texts/articles.ts';
import { infoPageNames } from '#domain/editorial/info-pages.ts';
import { parseArticle, readPublished } from '#domain/editorial/publishing.ts';
import { blogTopics } from '#domain/editorial/topics.ts';
import { findSetting } from '#domain/settings/change-setting.ts';
import { keepImage } from '#domain/studio/uploads/keep-files.ts';
import { PageQuery } from '#api/schemas.ts';
import { CommandError, readOperatorsFile } from '../command.ts';
import { ownCall } from './own-call.ts';

export const listArticles = ownCall('articles list', {
  about: 'Articles of the blog, drafts too',
  query: PageQuery.extend({ q: z.string().optional() }),
  act: ({ site, viewer, query }) => site.admin.texts.listArticles(viewer, { ...query, sort: 'published' }),
});

export const importFile = ownCall('articles import', {
  path: '/files/{file}',
  about: 'Publishes an article from a file, or replaces the one with its name',
  details:
    'The name of the file is the slug. It begins with lines such as "title: On rain" between two lines of ---: title, description, topic, audios, published. The text is Markdown',
  input: z.object({ picture: z.base64().optional().describe('shown above it; without it the earlier one stays') }),
  async act({ tools: { db, config }, context, viewer, file, input: { picture } }) {
    const text = (await readOperatorsFile(context, file)).toString('utf8');
    const slug = basename(file).replace(/\.md$/, '');
    const { topics } = (await findSetting(db, blogTopics)).value;
    const { published, ...form } = asCommandError(() => parseArticle(text, slug, topics));
    const publishedAt = asCommandError(() => readPublished(published, new Date()));
    // Not for the help.
    const { openFileTools } = await import('../files.ts');
    const { blobs, covers } = await openFileTools(context);
    const image = picture === undefined ? undefined : await covers.encode(Buffer.from(picture, 'base64'));
    if (picture !== undefined && image === undefined) throw new CommandError('The picture cannot be read as a picture');
    const imageKey = image && (await keepImage({ db, blobs }, image));
    const { missing } = await importArticle(db, viewer, form, { publishedAt, imageKey });
    for (const audio of missing) context.note(`There is no audio ${JSON.stringify(audio)}; it is left out`);
    return { address: `${config.siteUrl}/blog/${slug}` };
  },
});

/** Errors in a file are for the operator, not for the log. */
function asCommandError<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}

export const listTopics = ownCall('blog-topics list', {
  about: 'Topics of the blog in their order',
  act: async ({ site, viewer }) => (await site.admin.texts.findTopics(viewer)).topics,
});

export const listInfoPages = ownCall('info-pages list', {
  about: 'Info pages, and whether their text is your own',
  act: ({ site, viewer }) => site.admin.texts.listInfoPages(viewer),
});

export const showInfoPage = ownCall('info-pages show', {
  path: '/info-pages/{name}',
  about: 'The text of an info page, to change and set again',
  async act({ site, viewer, name }) {
    const page = infoPageNames.find((one) => one === name);
    return page && new Response((await site.admin.texts.findInfoText(viewer, page)).text);
  },
});

export const listMailTexts = ownCall('mail-texts list', {
  about: 'Mails of the site, and whether their words are your own',
  act: async ({ site, viewer }) => site.admin.texts.listMails(viewer).flatMap(({ mails }) => mails),
});

export const showMailText = ownCall('mail-texts show', {
  path: '/mail-texts/{key}',
  about: 'The words of a mail, and what they may hold',
  act: ({ site, viewer, key }) => site.admin.texts.findMailText(viewer, key),
});

export const showRetention = ownCall('retention show', {
  about: 'How long logs and backups are kept, as the privacy policy says',
  act: ({ site, viewer }) => site.admin.texts.findRetention(viewer),
});
