import { z } from '@hono/zod-openapi';
import { VoiceProfileForm, VoiceProfileSeen } from '#domain/catalogue/forms.ts';
import { isPlain } from '#domain/kernel/forms.ts';
import { canManageVoice } from '#domain/studio/rules.ts';
import { studioCall } from '../call.ts';
import { pictureBodyBytes, PictureForm } from '../pictures.ts';
import { Instant } from '#domain/kernel/shapes.ts';
import { AvatarColor } from '../schemas.ts';

/** A creator's own page, and the people who may change it. */

const limit = { kind: 'studio voice', perMinute: 120 };

const VoiceRole = z.enum(['owner', 'editor']);

const personRefusals = {
  'no-user': 'voice/no-such-user',
  'last-owner': 'voice/last-owner',
  full: 'library/full',
} as const;

export const editVoice = studioCall({
  patch: '/studio/voices/{id}',
  command: 'voices edit-page',
  about: 'Changes a creator’s page; old addresses go on',
  input: VoiceProfileForm.extend({ picture: PictureForm, before: VoiceProfileSeen.optional() }),
  output: z.object({ slug: z.string() }),
  refuses: {
    'not-a-picture': 'picture/unreadable',
    'slug-taken': 'voice/address-taken',
    'unknown-series': 'request/invalid',
    'unknown-audio': 'voice/not-for-feeds',
    'unknown-creator': 'request/invalid',
  },
  errors: ['text/changed-meanwhile'],
  limit,
  maxBytes: pictureBodyBytes,
  act: ({ site, viewer, id, input: { picture, before: seen, ...edit } }) =>
    site.studio.editProfile(viewer, id, edit, { picture, seen }),
});

export const listPeople = studioCall({
  get: '/studio/voices/{id}/people',
  about: 'Owners and editors of a voice',
  output: z.object({
    items: z.array(
      z
        .object({
          id: z.uuid(),
          username: z.string().nullable(),
          icon: z.string().nullable(),
          color: AvatarColor,
          role: VoiceRole,
          since: Instant,
        })
        .openapi('VoicePerson'),
    ),
  }),
  limit,
  act: async ({ site, viewer, id }) =>
    canManageVoice(viewer, id) ? { items: await site.studio.listPeople(id) } : undefined,
});

export const setPerson = studioCall({
  put: '/studio/voices/{id}/people',
  about: 'Adds somebody to a voice, or changes their role; for owners',
  input: z.object({
    name: z.string().trim().min(1).max(320).refine(isPlain).describe('Username or email'),
    role: VoiceRole,
  }),
  refuses: personRefusals,
  // Few, because the answer reveals whether an account has this email.
  limit: { kind: 'studio people', perMinute: 20 },
  maxBytes: 4 * 1024,
  act: ({ site, viewer, id, input }) => site.studio.setPerson(viewer, id, input.name, input.role),
});

export const removePerson = studioCall({
  delete: '/studio/voices/{id}/people/{userId}',
  about: 'Removes a user from a voice; for owners, and for editors who leave',
  refuses: personRefusals,
  limit,
  act: ({ site, viewer, id, userId }) => site.studio.removePerson(viewer, id, userId),
});
