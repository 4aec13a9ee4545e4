import { z } from '@hono/zod-openapi';
import * as forms from '#domain/admin/forms.ts';
import { callBy, freshAdminCall } from '../../call.ts';
import { found } from '../../found.ts';
import { pictureBodyBytes, PictureChange, pictureRefusals } from '../../pictures.ts';

/** Categories, for operators. */

const adminCall = callBy('operator', {
  limit: { kind: 'admin-lists', perMinute: 120 },
  // With JSON's longest escapes.
  maxBytes: 32 * 1024,
});

export const createCategory = adminCall({
  post: '/admin/categories',
  about: 'Makes a category, at the end of the list',
  input: forms.CategoryForm,
  output: z.object({ id: z.uuid() }),
  status: 201,
  errors: ['request/not-found'],
  act: async ({ site, viewer, input }) => ({ id: found(await site.admin.content.createCategory(viewer, input)) }),
});

export const editCategory = adminCall({
  patch: '/admin/categories/{id}',
  about: 'Changes or hides a category',
  input: forms.CategoryEdit,
  errors: ['text/changed-meanwhile'],
  act: ({ site, viewer, id, input }) => site.admin.content.editCategory(viewer, id, input),
});

export const orderCategories = adminCall({
  put: '/admin/categories/order',
  about: 'Puts the categories in order',
  input: forms.OrderForm,
  errors: ['list/changed'],
  maxBytes: 64 * 1024,
  act: async ({ site, viewer, input }) =>
    (await site.admin.content.orderByHand(viewer, 'category', input)) || { ok: false, reason: 'list/changed' },
});

export const deleteCategory = freshAdminCall({
  post: '/admin/categories/{id}/delete',
  about: 'Deletes a category; can be undone for 30 days',
  input: z.object({ name: z.string().max(200).describe('As it was seen') }),
  refuses: { 'other-name': 'list/other-name' },
  limit: { kind: 'admin-lists', perMinute: 60 },
  maxBytes: 4 * 1024,
  act: ({ site, viewer, id, input }) => site.admin.content.deleteGroup(viewer, 'category', id, input.name),
});

export const restoreCategory = adminCall({
  post: '/admin/categories/{id}/restore',
  about: 'Brings a deleted category back, with all that belonged to it',
  act: ({ site, viewer, id }) => site.admin.content.restoreGroup(viewer, 'category', id),
});

export const setCategoryPicture = adminCall({
  put: '/admin/categories/{id}/picture',
  seen: {
    before: async ({ site, viewer, id }) =>
      (await site.admin.content.listCategories(viewer)).find((category) => category.id === id)?.imageUrl ?? null,
  },
  about: 'Sets the picture of a category, or takes it away',
  input: PictureChange,
  refuses: pictureRefusals,
  errors: ['picture/changed'],
  limit: { kind: 'admin-catalogue', perMinute: 300 },
  maxBytes: pictureBodyBytes,
  act: ({ site, viewer, id, input }) => site.admin.content.setPicture(viewer, 'category', id, input),
});
