import { z } from 'zod';
import { isVisible, normalizeComment, reportDetailsLength, reportReasons } from './rules.ts';

/** Longer than any comment may be: what is too long, or empty, is told by its own code. */
export const CommentForm = z.object({
  text: z.string().max(20_000),
  parentId: z
    .uuid()
    .toLowerCase()
    .optional()
    .describe('The comment that is answered; answers to a reply stand under the same comment'),
});
export type CommentForm = z.output<typeof CommentForm>;

export const ReportForm = z.object({
  reason: z.enum(reportReasons),
  details: z
    .string()
    .max(5000)
    .transform(normalizeComment)
    .refine((text) => [...text].length <= reportDetailsLength, `at most ${reportDetailsLength} characters`)
    .transform((text) => (isVisible(text) ? text : undefined))
    .optional(),
});
export type ReportForm = z.output<typeof ReportForm>;
