import { z } from 'zod';
import { i18n } from '#i18n';
import { normalizeComment, reportDetailsLength, reportReasons } from './rules.ts';
import { notPlain } from '../kernel/forms.ts';
import { isVisible } from '../kernel/rules.ts';

/** Accepts more than the limit, so that too long and empty texts get their own error codes. */
export const CommentForm = z.object({
  text: z
    .string({ error: () => i18n._(/*i18n*/ { id: 'comment.missing', message: 'Write a comment.' }) })
    .max(20_000, { error: () => i18n._(/*i18n*/ { id: 'comment.long', message: 'This comment is too long.' }) }),
  parentId: z
    .uuid({ error: () => i18n._(/*i18n*/ { id: 'comment.parent', message: 'Choose the comment to answer.' }) })
    .toLowerCase()
    .optional()
    .describe('The comment that is answered; answers to a reply stand under the same comment'),
});
export type CommentForm = z.output<typeof CommentForm>;

const longDetails = {
  error: () =>
    i18n._(
      /*i18n*/ {
        id: 'report.long',
        message: 'Details can have up to {max} characters.',
        values: { max: reportDetailsLength },
      },
    ),
};

export const ReportForm = z.object({
  reason: z.enum(reportReasons, { error: () => i18n._(/*i18n*/ { id: 'report.reason', message: 'Choose a reason.' }) }),
  details: z
    .string(notPlain)
    .max(5000, longDetails)
    .transform(normalizeComment)
    .refine((text) => [...text].length <= reportDetailsLength, longDetails)
    .transform((text) => (isVisible(text) ? text : undefined))
    .optional(),
});
export type ReportForm = z.output<typeof ReportForm>;
