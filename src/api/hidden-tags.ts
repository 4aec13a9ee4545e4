import { z } from '@hono/zod-openapi';
import { callBy } from './call.ts';

const userCall = callBy('user', { limit: { kind: 'blocks-and-tags', perMinute: 120 } });

export const listHiddenTags = userCall({
  get: '/user/hidden-tags',
  about: 'Tags whose audios are hidden from this user, A–Z',
  output: z.object({ items: z.array(z.object({ slug: z.string(), label: z.string() })) }),
  act: async ({ site, viewer }) => ({ items: await site.library.listHiddenTags(viewer.id) }),
});

export const setTagHidden = userCall({
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
