import { findReviewMode } from '../../catalogue/review/settings.ts';
import { bind } from '../../kernel/bind.ts';
import type { NoticeParts } from '../../notices/parts.ts';
import * as decide from './decide.ts';
import { findNotice } from './notice.ts';
import * as figures from './figures.ts';
import * as queue from './queue.ts';
import type { ReviewParts } from './review-mails.ts';
import { decideHeldComment, listHeldComments } from './held-comments.ts';
import { decideReview, findReview, listReviews } from './reviews.ts';
import { countWaiting } from './waiting.ts';

/** For moderators and operators. */
export function openDesk(parts: NoticeParts & ReviewParts) {
  return {
    ...bind(parts.db, { countWaiting, listHeldComments, listReviews, findReview, findReviewMode }),
    ...bind(parts, { ...decide, findNotice, ...figures, ...queue, decideReview, decideHeldComment }),
  };
}
