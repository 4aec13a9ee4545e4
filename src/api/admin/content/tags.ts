import { z } from '@hono/zod-openapi';
import * as forms from '#domain/admin/forms.ts';
import { callBy } from '../../call.ts';
import { crowded } from './facets.ts';
import { choiceQuery } from '../../schemas.ts';

/** Tags, for operators. */

const Tag = z.object({ id: z.uuid(), slug: z.string(), label: z.string(), audios: z.int() });
const adminCall = callBy('operator', { limit: { kind: 'admin-lists', perMinute: 120 }, maxBytes: 4 * 1024 });
/** For what gives power, or is for good. */
const freshAdminCall = callBy('fresh-operator', { limit: { kind: 'admin-lists', perMinute: 60 }, maxBytes: 4 * 1024 });

export const findTag = adminCall({
  get: '/admin/tags/{id}',
  about: 'A tag as it is now',
  output: Tag.extend({ hidden: z.int(), facet: z.string().nullable().describe('Its name') }).describe(
    'With the audios that have it, and the listeners who hide it',
  ),
  act: ({ site, viewer, id }) => site.admin.content.findTag(viewer, id),
});

export const renameTag = adminCall({
  patch: '/admin/tags/{id}',
  about: 'Renames a tag',
  input: forms.TagForm,
  refuses: { exists: 'tag/exists', crowded },
  errors: ['text/changed-meanwhile'],
  act: ({ site, viewer, id, input }) => site.admin.content.renameTag(viewer, id, input),
});

export const mergeTag = freshAdminCall({
  post: '/admin/tags/{id}/merge',
  about: 'Merges a tag into another; listeners who hide it then hide the other one',
  input: forms.MergeTagForm,
  refuses: { exists: 'tag/exists', crowded },
  act: ({ site, viewer, id, input }) => site.admin.content.mergeTag(viewer, id, input.into),
});

export const deleteTag = freshAdminCall({
  delete: '/admin/tags/{id}',
  about: 'Deletes a tag for good',
  act: ({ site, viewer, id }) => site.admin.content.deleteTag(viewer, id),
});

export const findTagChoices = adminCall({
  get: '/admin/tag-choices',
  command: { none: 'finds them while somebody types; commands take slugs' },
  about: 'Tags by beginnings of words of their name, to choose one',
  query: choiceQuery,
  output: z.object({ items: z.array(Tag) }).describe('At most ten; the tag with exactly this name first'),
  act: async ({ site, viewer, query }) => ({ items: await site.admin.content.findTagChoices(viewer, query.q, 10) }),
});
