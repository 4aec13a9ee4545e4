import { z } from '@hono/zod-openapi';
import * as forms from '#domain/admin/forms.ts';
import { callBy } from '../../call.ts';
import { choiceQuery } from '../../schemas.ts';

/** Creators, for operators. */

const adminCall = callBy('operator', {
  limit: { kind: 'admin-lists', perMinute: 120 },
  // With JSON's longest escapes.
  maxBytes: 64 * 1024,
});
/** For what gives power, or is for good. */
const freshAdminCall = callBy('fresh-operator', { limit: { kind: 'admin-lists', perMinute: 60 }, maxBytes: 4 * 1024 });

export const createVoice = adminCall({
  post: '/admin/voices',
  about: 'Makes a voice',
  input: forms.VoiceForm,
  output: z.object({ id: z.uuid() }),
  status: 201,
  refuses: { 'unknown-category': 'request/invalid' },
  act: ({ site, viewer, input }) => site.admin.content.createVoice(viewer, input),
});

export const editVoice = adminCall({
  patch: '/admin/voices/{id}',
  about: 'Changes a voice, or hides it with its audios',
  input: forms.VoiceEdit,
  refuses: { 'unknown-category': 'request/invalid' },
  errors: ['text/changed-meanwhile'],
  act: ({ site, viewer, id, input }) => site.admin.content.editVoice(viewer, id, input),
});

export const setOwner = freshAdminCall({
  put: '/admin/voices/{id}/owners',
  about: 'Adds or removes an owner of a voice',
  input: forms.OwnerForm,
  refuses: { 'no-user': 'voice/no-user' },
  act: ({ site, viewer, id, input }) => site.admin.content.setOwner(viewer, id, input),
});

export const mergeVoice = freshAdminCall({
  post: '/admin/voices/{id}/merge',
  about: 'Gives all of a voice to another one, for good',
  input: forms.MergeVoiceForm,
  output: z.object({ held: z.int().describe('Audios that were hidden, because the other one’s check does not count') }),
  refuses: { 'other-name': 'list/other-name' },
  act: ({ site, viewer, id, input }) => site.admin.content.mergeVoice(viewer, id, input),
});

export const deleteVoice = freshAdminCall({
  post: '/admin/voices/{id}/delete',
  about: 'Deletes a creator with all audios and series; can be undone for 30 days',
  input: z.object({ name: z.string().max(200).describe('As it was seen') }),
  refuses: { 'other-name': 'list/other-name' },
  act: ({ site, viewer, id, input }) => site.admin.content.deleteGroup(viewer, 'voice', id, input.name),
});

export const restoreVoice = adminCall({
  post: '/admin/voices/{id}/restore',
  about: 'Brings a deleted creator back, with all that belonged to it',
  act: ({ site, viewer, id }) => site.admin.content.restoreGroup(viewer, 'voice', id),
});

export const findVoiceChoices = adminCall({
  get: '/admin/voice-choices',
  command: { none: 'finds them while somebody types; commands take slugs' },
  about: 'Voices by beginnings of words of their name, hidden ones too, to choose one',
  query: choiceQuery,
  output: z
    .object({
      items: z.array(
        z.object({ id: z.uuid(), slug: z.string(), name: z.string(), audios: z.int(), isHidden: z.boolean() }),
      ),
    })
    .describe('At most ten; voices with exactly this name or address first'),
  act: async ({ site, viewer, query }) => ({
    items: await site.admin.content.findVoiceChoices(viewer, query.q, 10),
  }),
});
