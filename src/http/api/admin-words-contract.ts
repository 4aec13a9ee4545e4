import { createRoute, z } from '@hono/zod-openapi';
import * as forms from '#domain/admin/texts/article-forms.ts';
import { articleLengths } from '#domain/admin/rules.ts';
import { infoPageNames, infoPageSetting, retention } from '#domain/editorial/info-pages.ts';
import { MailTextForm } from '#domain/settings/mail-texts.ts';
import { limitBody } from '../limits/limit-body.ts';
import { adminOnly, inOrder, limitAccount, loggedInOnly, personal } from './guards.ts';
import { ErrorResponse, failures, json, jsonBody, ownId, refusals, writeRefusals } from '#api/schemas.ts';
import { pictureBodyBytes, PictureForm } from './studio-pictures.ts';

/** Articles, topics, info pages and mails, for operators. */

const admin = inOrder(personal, loggedInOnly, adminOnly, limitAccount('admin-words', 240));
const tags = ['Admin'];
const done = { description: 'Done' };
const conflict = json(
  ErrorResponse,
  'Someone else changed it meanwhile, or a name in it is already used or no longer exists',
);
const answers = { ...writeRefusals, ...failures, 409: conflict } as const;
const revised = json(z.object({ revision: z.number() }), 'Its next revision');

/** @param kilobytes of the largest body, with JSON's longest escapes */
const writing = (kilobytes: number) => inOrder(...admin, limitBody(kilobytes * 1024));
/** Pictures are decoded and encoded at once. */
const picture = inOrder(
  personal,
  loggedInOnly,
  adminOnly,
  limitAccount('admin-pictures', 40),
  limitBody(pictureBodyBytes),
);

export const createArticle = createRoute({
  method: 'post',
  path: '/admin/articles',
  middleware: writing(4),
  tags,
  summary: 'Makes an article, as a draft',
  request: { body: jsonBody(forms.NewArticle) },
  responses: { 201: json(z.object({ id: z.uuid() }), 'Created'), ...answers },
});

export const editArticle = createRoute({
  method: 'patch',
  path: '/admin/articles/{id}',
  middleware: writing(2048),
  tags,
  summary: 'Changes an article',
  request: { params: ownId, body: jsonBody(forms.ArticleEdit) },
  responses: { 200: revised, ...answers },
});

export const publishArticle = createRoute({
  method: 'put',
  path: '/admin/articles/{id}/publication',
  middleware: writing(4),
  tags,
  summary: 'Publishes an article, now or at a time, or takes it back',
  request: { params: ownId, body: jsonBody(forms.ArticlePublication) },
  responses: { 200: revised, ...answers },
});

export const setArticlePicture = createRoute({
  method: 'put',
  path: '/admin/articles/{id}/picture',
  middleware: picture,
  tags,
  summary: 'Sets, crops, generates or removes the picture',
  request: {
    params: ownId,
    body: jsonBody(
      z.object({
        revision: z.number().int().min(1),
        picture: PictureForm,
        area: forms.ArticlePictureArea.optional(),
        drawn: z.literal(true).optional(),
      }),
    ),
  },
  responses: { 200: revised, ...answers },
});

export const deleteArticle = createRoute({
  method: 'delete',
  path: '/admin/articles/{id}',
  middleware: admin,
  tags,
  summary: 'Deletes an article; can be undone for 30 days',
  request: { params: ownId },
  responses: { 204: done, ...refusals, ...failures },
});

export const restoreArticle = createRoute({
  method: 'post',
  path: '/admin/articles/{id}/restore',
  middleware: admin,
  tags,
  summary: 'Brings a deleted article back',
  request: { params: ownId },
  responses: { 204: done, ...refusals, ...failures },
});

export const previewMarkdown = createRoute({
  method: 'post',
  path: '/admin/markdown-preview',
  middleware: writing(2048),
  tags,
  summary: 'A text as listeners would see it',
  request: { body: jsonBody(z.object({ text: z.string().max(articleLengths.body) })) },
  responses: {
    200: json(z.object({ html: z.string(), readTime: z.string().describe('Such as `4 min read`') }), 'Sanitized'),
    ...answers,
  },
});

export const changeTopics = createRoute({
  method: 'put',
  path: '/admin/blog-topics',
  middleware: writing(32),
  tags,
  summary: 'Names, order and number of the topics of the blog',
  request: { body: jsonBody(forms.TopicsForm) },
  responses: { 204: done, ...answers },
});

const infoName = z.object({
  name: z.enum(infoPageNames, 'There is no such page').openapi({ param: { name: 'name', in: 'path' } }),
});
const InfoText = infoPageSetting('about').schema.shape.text.removeDefault();
const Revision = z.number().int().min(0).describe('The one that the operator saw; 0: never changed');

export const changeInfoText = createRoute({
  method: 'put',
  path: '/admin/info-pages/{name}',
  middleware: writing(1024),
  tags,
  summary: 'Changes the text of an info page; null: that of the site',
  request: { params: infoName, body: jsonBody(z.object({ text: InfoText, revision: Revision })) },
  responses: { 204: done, ...answers },
});

export const previewInfoPage = createRoute({
  method: 'post',
  path: '/admin/info-pages/{name}/preview',
  middleware: writing(1024),
  tags,
  summary: 'An info page with a text that is not saved',
  request: { params: infoName, body: jsonBody(z.object({ text: z.string().max(100_000) })) },
  responses: {
    200: json(z.object({ title: z.string(), description: z.string(), html: z.string() }), 'Sanitized'),
    ...answers,
  },
});

export const changeRetention = createRoute({
  method: 'put',
  path: '/admin/retention',
  middleware: writing(4),
  tags,
  summary: 'How long logs and backups are kept, for the privacy policy',
  request: {
    body: jsonBody(
      z.object({
        logDays: retention.schema.shape.logDays.removeDefault(),
        backupDays: retention.schema.shape.backupDays.removeDefault(),
        revision: Revision,
      }),
    ),
  },
  responses: { 204: done, ...answers },
});

const mailKey = z.object({
  key: z
    .string()
    .max(60)
    .openapi({ param: { name: 'key', in: 'path' }, example: 'reset-password' }),
});

export const changeMailText = createRoute({
  method: 'put',
  path: '/admin/mails/{key}',
  middleware: writing(64),
  tags,
  summary: 'Changes the words of a mail; null: those of the site',
  request: {
    params: mailKey,
    body: jsonBody(z.object({ text: MailTextForm.nullable(), revision: Revision })),
  },
  responses: { 204: done, ...answers },
});

export const previewMail = createRoute({
  method: 'post',
  path: '/admin/mails/{key}/preview',
  middleware: writing(64),
  tags,
  summary: 'A mail with samples, in words that are not saved',
  request: { params: mailKey, body: jsonBody(MailTextForm) },
  responses: {
    200: json(z.object({ subject: z.string(), text: z.string(), html: z.string() }), 'As it is sent'),
    ...answers,
  },
});
