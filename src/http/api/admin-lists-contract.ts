import { createRoute, z } from '@hono/zod-openapi';
import * as forms from '#domain/admin/forms.ts';
import { limitBody } from '../limits/limit-body.ts';
import { adminOnly, freshAdminOnly, inOrder, limitAccount, loggedInOnly, personal } from './guards.ts';
import { ErrorResponse, failures, json, jsonBody, ownId, refusals, writeRefusals } from '#api/schemas.ts';

/** Voices, categories, tags and playlists of the house, for operators. */

const admin = inOrder(personal, loggedInOnly, adminOnly, limitAccount('admin-lists', 120));
const tags = ['Admin'];
const created = json(z.object({ id: z.uuid() }), 'Created');
const done = { description: 'Done' };
const choiceQuery = z.object({ q: z.string().max(200) });
const conflict = json(ErrorResponse, 'Changed meanwhile, or already in use');
const answers = { ...writeRefusals, ...failures } as const;

/** @param kilobytes of the largest body, with JSON's longest escapes */
const writing = (kilobytes: number) => inOrder(...admin, limitBody(kilobytes * 1024));

/** For what gives power, or is for good. */
const hurting = inOrder(personal, loggedInOnly, freshAdminOnly, limitAccount('admin-lists', 60), limitBody(4 * 1024));

export const createVoice = createRoute({
  method: 'post',
  path: '/admin/voices',
  middleware: writing(64),
  tags,
  summary: 'Makes a voice',
  request: { body: jsonBody(forms.VoiceForm) },
  responses: { 201: created, ...answers },
});

export const editVoice = createRoute({
  method: 'patch',
  path: '/admin/voices/{id}',
  middleware: writing(64),
  tags,
  summary: 'Changes a voice, or hides it with its audios',
  request: { params: ownId, body: jsonBody(forms.VoiceEdit) },
  responses: { 204: done, ...answers },
});

export const setOwner = createRoute({
  method: 'put',
  path: '/admin/voices/{id}/owners',
  middleware: hurting,
  tags,
  summary: 'Adds or removes an owner of a voice',
  request: { params: ownId, body: jsonBody(forms.OwnerForm) },
  responses: { 204: done, ...answers },
});

export const mergeVoice = createRoute({
  method: 'post',
  path: '/admin/voices/{id}/merge',
  middleware: hurting,
  tags,
  summary: 'Gives all of a voice to another one, for good',
  request: { params: ownId, body: jsonBody(forms.MergeVoiceForm) },
  responses: { 204: done, ...answers },
});

export const createCategory = createRoute({
  method: 'post',
  path: '/admin/categories',
  middleware: writing(32),
  tags,
  summary: 'Makes a category, at the end of the list',
  request: { body: jsonBody(forms.CategoryForm) },
  responses: { 201: created, ...answers },
});

export const editCategory = createRoute({
  method: 'patch',
  path: '/admin/categories/{id}',
  middleware: writing(32),
  tags,
  summary: 'Changes or hides a category',
  request: { params: ownId, body: jsonBody(forms.CategoryEdit) },
  responses: { 204: done, ...answers },
});

export const orderCategories = createRoute({
  method: 'put',
  path: '/admin/categories/order',
  middleware: writing(64),
  tags,
  summary: 'Puts the categories in order',
  request: { body: jsonBody(forms.OrderForm) },
  responses: { 204: done, ...answers, 409: conflict },
});

export const deleteCategory = createRoute({
  method: 'post',
  path: '/admin/categories/{id}/delete',
  middleware: hurting,
  tags,
  summary: 'Deletes a category; can be undone for 30 days',
  request: { params: ownId, body: jsonBody(z.object({ name: z.string().max(200).describe('As it was seen') })) },
  responses: { 204: done, ...answers },
});

export const restoreCategory = createRoute({
  method: 'post',
  path: '/admin/categories/{id}/restore',
  middleware: admin,
  tags,
  summary: 'Brings a deleted category back, with all that belonged to it',
  request: { params: ownId },
  responses: { 204: done, ...refusals, ...failures },
});

export const deleteVoice = createRoute({
  method: 'post',
  path: '/admin/voices/{id}/delete',
  middleware: hurting,
  tags,
  summary: 'Deletes a creator with all audios and series; can be undone for 30 days',
  request: { params: ownId, body: jsonBody(z.object({ name: z.string().max(200).describe('As it was seen') })) },
  responses: { 204: done, ...answers },
});

export const restoreVoice = createRoute({
  method: 'post',
  path: '/admin/voices/{id}/restore',
  middleware: admin,
  tags,
  summary: 'Brings a deleted creator back, with all that belonged to it',
  request: { params: ownId },
  responses: { 204: done, ...refusals, ...failures },
});

export const findTag = createRoute({
  method: 'get',
  path: '/admin/tags/{id}',
  middleware: admin,
  tags,
  summary: 'A tag as it is now',
  request: { params: ownId },
  responses: {
    200: json(
      z.object({ id: z.uuid(), slug: z.string(), label: z.string(), audios: z.int(), hidden: z.int() }),
      'With the audios that have it, and the listeners who hide it',
    ),
    ...refusals,
    ...failures,
  },
});

export const renameTag = createRoute({
  method: 'patch',
  path: '/admin/tags/{id}',
  middleware: writing(4),
  tags,
  summary: 'Renames a tag',
  request: { params: ownId, body: jsonBody(forms.TagForm) },
  responses: { 204: done, ...answers, 409: conflict },
});

export const mergeTag = createRoute({
  method: 'post',
  path: '/admin/tags/{id}/merge',
  middleware: hurting,
  tags,
  summary: 'Merges a tag into another; listeners who hide it then hide the other one',
  request: { params: ownId, body: jsonBody(forms.MergeTagForm) },
  responses: { 204: done, ...answers },
});

export const deleteTag = createRoute({
  method: 'delete',
  path: '/admin/tags/{id}',
  middleware: hurting,
  tags,
  summary: 'Deletes a tag for good',
  request: { params: ownId },
  responses: { 204: done, ...refusals, ...failures },
});

export const createPlaylist = createRoute({
  method: 'post',
  path: '/admin/playlists',
  middleware: writing(64),
  tags,
  summary: 'Makes a playlist of the house, as a draft',
  request: { body: jsonBody(forms.PlaylistForm) },
  responses: { 201: created, ...answers },
});

export const editPlaylist = createRoute({
  method: 'patch',
  path: '/admin/playlists/{id}',
  middleware: writing(64),
  tags,
  summary: 'Changes, publishes or unpublishes a playlist',
  request: { params: ownId, body: jsonBody(forms.PlaylistEdit) },
  responses: { 204: done, ...answers },
});

export const setPlaylistAudios = createRoute({
  method: 'put',
  path: '/admin/playlists/{id}/audios',
  middleware: writing(96),
  tags,
  summary: 'Replaces the audios of a playlist and their order',
  request: { params: ownId, body: jsonBody(forms.PlaylistAudiosForm) },
  responses: { 204: done, ...answers, 409: conflict },
});

export const orderPlaylists = createRoute({
  method: 'put',
  path: '/admin/playlists/order',
  middleware: writing(64),
  tags,
  summary: 'Puts the playlists in order',
  request: { body: jsonBody(forms.OrderForm) },
  responses: { 204: done, ...answers, 409: conflict },
});

export const deletePlaylist = createRoute({
  method: 'delete',
  path: '/admin/playlists/{id}',
  middleware: admin,
  tags,
  summary: 'Deletes a playlist; can be undone for 30 days',
  request: { params: ownId },
  responses: { 204: done, ...refusals, ...failures },
});

export const restorePlaylist = createRoute({
  method: 'post',
  path: '/admin/playlists/{id}/restore',
  middleware: admin,
  tags,
  summary: 'Brings a deleted playlist back',
  request: { params: ownId },
  responses: { 204: done, ...refusals, ...failures },
});

export const findTagChoices = createRoute({
  method: 'get',
  path: '/admin/tag-choices',
  middleware: admin,
  tags,
  summary: 'Tags by beginnings of words of their name, to choose one',
  request: { query: choiceQuery },
  responses: {
    200: json(
      z.object({
        items: z.array(z.object({ id: z.uuid(), slug: z.string(), label: z.string(), audios: z.int() })),
      }),
      'At most ten; the tag with exactly this name first',
    ),
    ...refusals,
    400: failures[400],
  },
});

export const findVoiceChoices = createRoute({
  method: 'get',
  path: '/admin/voice-choices',
  middleware: admin,
  tags,
  summary: 'Voices by beginnings of words of their name, hidden ones too, to choose one',
  request: { query: choiceQuery },
  responses: {
    200: json(
      z.object({
        items: z.array(
          z.object({
            id: z.uuid(),
            slug: z.string(),
            name: z.string(),
            audios: z.int(),
            isHidden: z.boolean(),
          }),
        ),
      }),
      'At most ten; voices with exactly this name or address first',
    ),
    ...refusals,
    400: failures[400],
  },
});

export const findListableAudios = createRoute({
  method: 'get',
  path: '/admin/audio-choices',
  middleware: admin,
  tags,
  summary: 'Audios by title or voice, published or not, to add to a list',
  request: { query: choiceQuery },
  responses: {
    200: json(
      z.object({
        items: z.array(
          z.object({
            id: z.uuid(),
            title: z.string(),
            voice: z.string(),
            imageUrl: z.string().nullable(),
            duration: z.number().describe('Seconds'),
            isPublished: z.boolean(),
          }),
        ),
      }),
      'At most ten',
    ),
    ...refusals,
    400: failures[400],
  },
});
