import { z } from '@hono/zod-openapi';
import * as forms from '#domain/admin/texts/article-forms.ts';
import { articleLengths } from '#domain/admin/rules.ts';
import { infoPageNames, infoPageSetting, retention } from '#domain/editorial/info-pages.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { User } from '#domain/kernel/viewer.ts';
import { MailTextForm } from '#domain/settings/mail-texts.ts';
import type { Site } from '#domain/site.ts';
import { adminCall } from '../call.ts';
import { pictureBodyBytes, PictureForm } from '../pictures.ts';

/** Articles, topics, info pages and mails, for operators. */

const limit = { kind: 'admin-words', perMinute: 240 };
/** For a largest body of that size, with JSON’s longest escapes. */
const kilobytes = (count: number) => ({ limit, maxBytes: count * 1024 });
const Revised = z.object({ revision: z.number() }).describe('Its next revision');
const shownBeforeSaved = { none: 'shows a text in the editor before it is saved' } as const;
const findArticleRevision = async ({ site, viewer, id }: { site: Site; viewer: User; id: string }) =>
  (await site.admin.texts.findArticle(viewer, id))?.revision;
const findRetention = ({ site, viewer }: { site: Site; viewer: User }) => site.admin.texts.findRetention(viewer);
const findMailText = ({ site, viewer, key }: { site: Site; viewer: User; key: string }) =>
  site.admin.texts.findMailText(viewer, key);
const Revision = z.number().int().min(0).describe('The one that the operator saw; 0: never changed');

export const createArticle = adminCall({
  post: '/admin/articles',
  about: 'Makes an article, as a draft',
  input: forms.NewArticle,
  output: z.object({ id: z.uuid() }),
  status: 201,
  errors: ['article/unknown-topic'],
  ...kilobytes(4),
  act: async ({ site, viewer, input }) => ({ id: await site.admin.texts.createArticle(viewer, input) }),
});

export const editArticle = adminCall({
  patch: '/admin/articles/{id}',
  seen: { revision: findArticleRevision },
  about: 'Changes an article',
  input: forms.ArticleEdit,
  output: Revised,
  errors: [
    'article/changed-meanwhile',
    'article/empty',
    'article/slug-taken',
    'article/unknown-audio',
    'article/unknown-topic',
  ],
  ...kilobytes(2048),
  act: async ({ site, viewer, id, input }) => ({ revision: await site.admin.texts.editArticle(viewer, id, input) }),
});

export const publishArticle = adminCall({
  put: '/admin/articles/{id}/publication',
  seen: { revision: findArticleRevision },
  about: 'Publishes an article, now or at a time, or takes it back',
  input: forms.ArticlePublication,
  output: Revised,
  errors: ['article/changed-meanwhile', 'article/empty'],
  ...kilobytes(4),
  act: async ({ site, viewer, id, input }) => ({
    revision: await site.admin.texts.publishArticleAt(viewer, id, input),
  }),
});

export const setArticlePicture = adminCall({
  put: '/admin/articles/{id}/picture',
  seen: { revision: findArticleRevision },
  about: 'Sets, crops, generates or removes the picture',
  input: z.object({
    revision: z.number().int().min(1),
    picture: PictureForm,
    area: forms.ArticlePictureArea.optional(),
    drawn: z.literal(true).optional(),
  }),
  output: Revised,
  errors: ['article/changed-meanwhile', 'picture/unreadable', 'audio/bad-area'],
  // Pictures are decoded and encoded at once.
  limit: { kind: 'admin-pictures', perMinute: 40 },
  maxBytes: pictureBodyBytes,
  async act({ site, viewer, id, input: { revision, picture, area, drawn } }) {
    const choice = drawn !== undefined ? { drawn } : area !== undefined ? { area } : { picture: picture ?? null };
    if (picture === undefined && 'picture' in choice)
      throw new DomainError('request/invalid', 'Send a picture or null.');
    return { revision: await site.admin.texts.setArticlePicture(viewer, id, { revision, ...choice }) };
  },
});

export const deleteArticle = adminCall({
  delete: '/admin/articles/{id}',
  about: 'Deletes an article; can be undone for 30 days',
  limit,
  act: ({ site, viewer, id }) => site.admin.texts.setArticleDeleted(viewer, id, true),
});

export const restoreArticle = adminCall({
  post: '/admin/articles/{id}/restore',
  about: 'Brings a deleted article back',
  limit,
  act: ({ site, viewer, id }) => site.admin.texts.setArticleDeleted(viewer, id, false),
});

export const previewMarkdown = adminCall({
  post: '/admin/markdown-preview',
  command: shownBeforeSaved,
  about: 'A text as listeners would see it',
  input: z.object({ text: z.string().max(articleLengths.body) }),
  output: z.object({ html: z.string(), readTime: z.string().describe('Such as `4 min read`') }).describe('Sanitized'),
  errors: ['text/unusable'],
  ...kilobytes(2048),
  act: ({ site, viewer, input }) => site.admin.texts.previewMarkdown(viewer, input.text),
});

export const changeTopics = adminCall({
  put: '/admin/blog-topics',
  seen: { revision: async ({ site, viewer }) => (await site.admin.texts.findTopics(viewer)).revision },
  about: 'Names, order and number of the topics of the blog',
  input: forms.TopicsForm,
  errors: ['text/changed-meanwhile', 'article/unknown-topic', 'article/topic-twice', 'article/topic-in-use'],
  ...kilobytes(32),
  act: ({ site, viewer, input }) => site.admin.texts.changeTopics(viewer, input),
});

const infoName = z.object({
  name: z.enum(infoPageNames, 'There is no such page').openapi({ param: { name: 'name', in: 'path' } }),
});
const InfoText = infoPageSetting('about').schema.shape.text.removeDefault();

export const changeInfoText = adminCall({
  put: '/admin/info-pages/{name}',
  command: 'info-pages change',
  seen: { revision: async ({ site, viewer, name }) => (await site.admin.texts.findInfoText(viewer, name)).revision },
  about: 'Changes the text of an info page; null: that of the site',
  params: infoName,
  input: z.object({ text: InfoText, revision: Revision }),
  errors: ['text/unusable', 'text/changed-meanwhile'],
  ...kilobytes(1024),
  act: ({ site, viewer, name, input }) => site.admin.texts.changeInfoText(viewer, name, input),
});

export const previewInfoPage = adminCall({
  post: '/admin/info-pages/{name}/preview',
  command: shownBeforeSaved,
  about: 'An info page with a text that is not saved',
  params: infoName,
  input: z.object({ text: z.string().max(100_000) }),
  output: z.object({ title: z.string(), description: z.string(), html: z.string() }).describe('Sanitized'),
  errors: ['text/unusable'],
  ...kilobytes(1024),
  async act({ site, viewer, name, input }) {
    const { title, description, html } = await site.admin.texts.previewInfoPage(viewer, name, input.text);
    return { title, description, html };
  },
});

export const changeRetention = adminCall({
  put: '/admin/retention',
  seen: { revision: async (given) => (await findRetention(given)).revision },
  unchanged: {
    logDays: async (given) => (await findRetention(given)).logDays,
    backupDays: async (given) => (await findRetention(given)).backupDays,
  },
  about: 'How long logs and backups are kept, for the privacy policy',
  input: z.object({
    logDays: retention.schema.shape.logDays.removeDefault(),
    backupDays: retention.schema.shape.backupDays.removeDefault(),
    revision: Revision,
  }),
  errors: ['text/changed-meanwhile'],
  ...kilobytes(4),
  act: ({ site, viewer, input }) => site.admin.texts.changeRetention(viewer, input),
});

const mailKey = z.object({
  key: z
    .string()
    .max(60)
    .openapi({ param: { name: 'key', in: 'path' }, example: 'reset-password' }),
});

export const changeMailText = adminCall({
  put: '/admin/mails/{key}',
  command: 'mail-texts change',
  seen: { revision: async (given) => (await findMailText(given))?.revision },
  unchanged: { text: async (given) => (await findMailText(given))?.text },
  about: 'Changes the words of a mail; null: those of the site',
  params: mailKey,
  input: z.object({ text: MailTextForm.nullable(), revision: Revision }),
  errors: ['text/unusable', 'text/changed-meanwhile'],
  ...kilobytes(64),
  act: ({ site, viewer, key, input }) => site.admin.texts.changeMailText(viewer, key, input),
});

export const previewMail = adminCall({
  post: '/admin/mails/{key}/preview',
  command: shownBeforeSaved,
  about: 'A mail with samples, in words that are not saved',
  params: mailKey,
  input: MailTextForm,
  output: z.object({ subject: z.string(), text: z.string(), html: z.string() }).describe('As it is sent'),
  errors: ['text/unusable'],
  ...kilobytes(64),
  act: ({ site, viewer, key, input }) => site.admin.texts.previewMailText(viewer, key, input),
});
