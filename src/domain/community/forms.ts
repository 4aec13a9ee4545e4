import { z } from 'zod';
import { normalizeComment, reportDetailsLength, reportReasons } from './rules.ts';
import { isVisible } from '../kernel/rules.ts';

/** Accepts more than the limit, so that too long and empty texts get their own error codes. */
export const CommentForm = z.object({
  text: z.string('Write a comment').max(20_000, 'This comment is too long'),
  parentId: z
    .uuid('Choose the comment to answer')
    .toLowerCase()
    .optional()
    .describe('The comment that is answered; answers to a reply stand under the same comment'),
});
export type CommentForm = z.output<typeof CommentForm>;

export const ReportForm = z.object({
  reason: z.enum(reportReasons, 'Choose a reason'),
  details: z
    .string('Use plain text')
    .max(5000, `at most ${reportDetailsLength} characters`)
    .transform(normalizeComment)
    .refine((text) => [...text].length <= reportDetailsLength, `at most ${reportDetailsLength} characters`)
    .transform((text) => (isVisible(text) ? text : undefined))
    .optional(),
});
export type ReportForm = z.output<typeof ReportForm>;
