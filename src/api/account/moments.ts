import { z } from '@hono/zod-openapi';
import { MomentForm } from '#domain/library/moments/forms.ts';
import { Moment } from '#domain/library/moments/moments.ts';
import { callBy } from '../call.ts';
import { AudioResponse } from '../schemas.ts';

const MomentResponse = z.object(Moment.shape).openapi('Moment');

const userCall = callBy('user', { limit: { kind: 'moments', perMinute: 120 }, maxBytes: 8 * 1024 });

export const listMoments = userCall({
  get: '/user/moments',
  about: 'Private bookmarks of the user, the newest first, and their audios',
  query: z.object({ audio: z.uuid().optional().openapi({ description: 'Id: only in this audio' }) }),
  output: z.object({ items: z.array(MomentResponse), audios: z.array(AudioResponse) }),
  act: ({ site, viewer, query }) => site.library.listMoments(viewer.id, query.audio),
});

export const keepMoment = userCall({
  post: '/user/moments',
  about:
    'Keeps a moment under an id that the caller has made, or changes its place and note; twice is the same as once',
  input: MomentForm.extend({ id: z.uuid() }),
  output: MomentResponse,
  refuses: { 'not-found': 'request/not-found', full: 'library/full' },
  async act({ site, viewer, input: { id, ...form } }) {
    const outcome = await site.library.keepMoment(viewer.id, id, form);
    return outcome.ok ? outcome.moment : outcome;
  },
});

export const deleteMoment = userCall({
  delete: '/user/moments/{id}',
  about: 'Deletes a moment; keeping it again brings it back',
  act: ({ site, viewer, id }) => site.library.deleteMoment(viewer.id, id),
});
