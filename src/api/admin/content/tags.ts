import { z } from '@hono/zod-openapi';
import * as forms from '#domain/admin/forms.ts';
import { adminCall, freshAdminCall } from '../../call.ts';
import { choiceQuery } from './choices.ts';

/** Tags, for operators. */

const limit = { kind: 'admin-lists', perMinute: 120 };
/** For what is for good. */
const strict = { limit: { kind: 'admin-lists', perMinute: 60 }, maxBytes: 4 * 1024 };

const Tag = z.object({ id: z.uuid(), slug: z.string(), label: z.string(), audios: z.int() });

export const findTag = adminCall({
  get: '/admin/tags/{id}',
  about: 'A tag as it is now',
  output: Tag.extend({ hidden: z.int() }).describe('With the audios that have it, and the listeners who hide it'),
  limit,
  act: ({ site, viewer, id }) => site.admin.content.findTag(viewer, id),
});

export const renameTag = adminCall({
  patch: '/admin/tags/{id}',
  about: 'Renames a tag',
  input: forms.TagForm,
  refuses: { exists: 'tag/exists' },
  errors: ['text/changed-meanwhile'],
  limit,
  maxBytes: 4 * 1024,
  act: ({ site, viewer, id, input }) => site.admin.content.renameTag(viewer, id, input),
});

export const mergeTag = freshAdminCall({
  post: '/admin/tags/{id}/merge',
  about: 'Merges a tag into another; listeners who hide it then hide the other one',
  input: forms.MergeTagForm,
  refuses: { exists: 'tag/exists' },
  ...strict,
  act: ({ site, viewer, id, input }) => site.admin.content.mergeTag(viewer, id, input.into),
});

export const deleteTag = freshAdminCall({
  delete: '/admin/tags/{id}',
  about: 'Deletes a tag for good',
  ...strict,
  act: ({ site, viewer, id }) => site.admin.content.deleteTag(viewer, id),
});

export const findTagChoices = adminCall({
  get: '/admin/tag-choices',
  about: 'Tags by beginnings of words of their name, to choose one',
  query: choiceQuery,
  output: z.object({ items: z.array(Tag) }).describe('At most ten; the tag with exactly this name first'),
  limit,
  act: async ({ site, viewer, query }) => ({ items: await site.admin.content.findTagChoices(viewer, query.q, 10) }),
});
