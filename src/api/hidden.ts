import { z } from '@hono/zod-openapi';
import { Color, Id, ImageUrl, Instant, Slug } from '#domain/kernel/shapes.ts';
import { callBy } from './call.ts';

const userCall = callBy('user', { limit: { kind: 'hidden', perMinute: 240 } });

const since = { hiddenAt: Instant };

export const listHidden = userCall({
  get: '/user/hidden',
  about: 'All audios, creators and tags that this user hides from lists, search and suggestions',
  output: z.object({
    audios: z
      .array(
        z.object({
          id: Id,
          slug: Slug,
          title: z.string(),
          imageUrl: ImageUrl,
          color: Color,
          voice: z.object({ id: Id, slug: Slug, name: z.string() }),
          ...since,
        }),
      )
      .describe('Newest first'),
    voices: z
      .array(
        z.object({
          id: Id,
          slug: Slug,
          name: z.string(),
          imageURL: ImageUrl,
          color: Color,
          totalAudios: z.number(),
          ...since,
        }),
      )
      .describe('Newest first'),
    tags: z.array(z.object({ slug: Slug, label: z.string() })).describe('A–Z'),
  }),
  act: ({ site, viewer }) => site.library.listHidden(viewer.id),
});

const choice = {
  input: z.object({ isHidden: z.boolean() }),
  output: z.object({ id: z.uuid(), isHidden: z.boolean() }),
  refuses: { full: 'library/full' },
  maxBytes: 8 * 1024,
} as const;

export const setAudioHidden = userCall({
  post: '/user/hidden/audios/{id}',
  about: 'Leaves an audio out of every list, or shows it again; twice is the same as once',
  ...choice,
  async act({ site, viewer, id, input: { isHidden } }) {
    const outcome = await site.library.setHidden(viewer.id, { kind: 'audio', id, isHidden });
    return outcome.ok ? { id, isHidden } : outcome;
  },
});

export const setVoiceHidden = userCall({
  post: '/user/hidden/voices/{id}',
  about:
    'Leaves a creator with all their audios and series out of every list, or shows them again; twice is the same as once',
  ...choice,
  async act({ site, viewer, id, input: { isHidden } }) {
    const outcome = await site.library.setHidden(viewer.id, { kind: 'voice', id, isHidden });
    return outcome.ok ? { id, isHidden } : outcome;
  },
});

const tagCall = callBy('user', { limit: { kind: 'blocks-and-tags', perMinute: 120 } });

export const listHiddenTags = tagCall({
  get: '/user/hidden-tags',
  about: 'Tags whose audios are hidden from this user, A–Z',
  output: z.object({ items: z.array(z.object({ slug: z.string(), label: z.string() })) }),
  act: async ({ site, viewer }) => ({ items: await site.library.listHiddenTags(viewer.id) }),
});

export const setTagHidden = tagCall({
  post: '/user/hidden-tags/{slug}',
  about: 'Leaves the audios of a tag out of every list, or shows them again; twice is the same as once',
  params: z.object({ slug: z.string().min(1).max(120) }),
  input: z.object({ isHidden: z.boolean() }),
  output: z.object({ slug: z.string(), isHidden: z.boolean() }),
  refuses: { full: 'library/full' },
  maxBytes: 8 * 1024,
  async act({ site, viewer, slug, input: { isHidden } }) {
    const outcome = await site.library.setTagHidden(viewer.id, slug, isHidden);
    return outcome.ok ? { slug, isHidden } : outcome;
  },
});
