import { z } from '@hono/zod-openapi';
import { Instant } from '#domain/kernel/shapes.ts';
import { MixChange, MixForm } from '#domain/library/mixes/forms.ts';
import { FilledMix, Mix } from '#domain/library/mixes/mixes.ts';
import { callBy } from './call.ts';
import { found } from './found.ts';
import { AudioPageQuery, AudioResponse, pageOf } from './schemas.ts';

const MixResponse = z.object(Mix.shape).openapi('Mix');

const userCall = callBy('user', { limit: { kind: 'mixes', perMinute: 120 }, maxBytes: 16 * 1024 });

export const listMixes = userCall({
  get: '/user/mixes',
  about: 'Saved filters of lists, with what they find now, the oldest first',
  output: z.object({ items: z.array(z.object(FilledMix.shape).openapi('FilledMix')) }),
  act: async ({ site, viewer }) => ({ items: await site.library.listMixes(viewer) }),
});

export const createMix = userCall({
  post: '/user/mixes',
  about: 'Saves the filters of a list under a name',
  input: MixForm,
  output: MixResponse,
  status: 201,
  refuses: { full: 'library/full' },
  async act({ site, viewer, input }) {
    const outcome = await site.library.createMix(viewer.id, input);
    return outcome.ok ? outcome.mix : outcome;
  },
});

export const changeMix = userCall({
  patch: '/user/mixes/{id}',
  about: 'Changes name, filters, order, or whether new audios that fit are news',
  input: MixChange,
  output: MixResponse,
  act: ({ site, viewer, id, input }) => site.library.changeMix(viewer.id, id, input),
});

export const listMixAudios = userCall({
  get: '/user/mixes/{id}/audios',
  about: 'The audios that a mix finds now, in its order',
  query: AudioPageQuery,
  output: pageOf(AudioResponse),
  act: async ({ site, viewer, id, query }) => found(await site.library.listMixAudios(viewer, id, query)),
});

export const visitMix = userCall({
  post: '/user/mixes/{id}/visit',
  about: 'Audios published from now on are new in the mix',
  output: z.object({ visited: z.literal(true) }),
  async act({ site, viewer, id }) {
    found((await site.library.visitMix(viewer.id, id)) || undefined);
    return { visited: true as const };
  },
});

export const deleteMix = userCall({
  delete: '/user/mixes/{id}',
  about: 'Deletes a mix; it can be restored for a while',
  output: z.object({ restorableUntil: Instant }),
  async act({ site, viewer, id }) {
    return { restorableUntil: found(await site.library.deleteMix(viewer.id, id)) };
  },
});

export const restoreMix = userCall({
  post: '/user/mixes/{id}/restore',
  about: 'Brings back a mix that was deleted a moment ago',
  output: MixResponse,
  refuses: { full: 'library/full' },
  async act({ site, viewer, id }) {
    const outcome = await site.library.restoreMix(viewer.id, id);
    return outcome.ok ? outcome.mix : outcome;
  },
});
