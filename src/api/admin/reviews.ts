import { z } from '@hono/zod-openapi';
import { WaitingReview, reviewRefusals } from '#domain/admin/desk/reviews.ts';
import { ReviewForm } from '#domain/admin/forms.ts';
import { deskCall } from '../call.ts';
import { PageQuery } from '../schemas.ts';

const limit = { kind: 'admin-reviews', perMinute: 120 };

export const listReviews = deskCall({
  get: '/admin/reviews',
  about: 'Audios that wait for a review before their publication, oldest first',
  query: PageQuery,
  output: z.object({ items: z.array(WaitingReview), nextCursor: z.string().nullable() }),
  limit,
  act: ({ site, viewer, query }) => site.admin.desk.listReviews(viewer, query),
});

export const decideReview = deskCall({
  post: '/admin/reviews/{id}/decision',
  command: { none: 'somebody listens first, in Admin → Desk → Review' },
  about: 'Approves an audio, which becomes public at its time, or returns it with a reason',
  details: 'Refused for who sent, uploaded or manages the audio. Its owners and editors are told by email.',
  input: ReviewForm,
  refuses: reviewRefusals,
  sameSite: true,
  limit,
  act: ({ site, viewer, id, input }) => site.admin.desk.decideReview(viewer, id, input),
});
