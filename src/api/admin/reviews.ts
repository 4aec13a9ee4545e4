import { z } from '@hono/zod-openapi';
import { HeldComment } from '#domain/admin/desk/held-comments.ts';
import { ReadText } from '#domain/community/forms.ts';
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

export const listHeldComments = deskCall({
  get: '/admin/held-comments',
  about: 'Comments that wait for the desk because of a watched word, oldest first',
  query: PageQuery,
  output: z.object({ items: z.array(HeldComment), nextCursor: z.string().nullable() }),
  limit,
  act: ({ site, viewer, query }) => site.admin.desk.listHeldComments(viewer, query),
});

export const decideHeldComment = deskCall({
  post: '/admin/held-comments/{id}/decision',
  about: 'Shows a comment that waits for the desk, or removes it, of which its author is told by email',
  input: z.object({ decision: z.enum(['show', 'remove']), ...ReadText.shape }),
  errors: ['comment/edited'],
  refuses: { yours: 'comment/yours' },
  sameSite: true,
  limit,
  act: ({ site, viewer, id, input: { decision, editedAt } }) =>
    site.admin.desk.decideHeldComment(viewer, id, decision === 'show', editedAt),
});
