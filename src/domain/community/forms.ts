import { z } from 'zod';
import { i18n } from '#i18n';
import { commentHolds, commentOrders, commenterChoices } from '../catalogue/rules.ts';
import { wordList } from '../settings/word-lists.ts';
import { maxHeldWords, maxPauseDays, normalizeComment, reportDetailsLength, reportReasons } from './rules.ts';
import { Instant, notPlain } from '../kernel/forms.ts';
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

const notSoon = {
  error: () =>
    i18n._(
      /*i18n*/ {
        id: 'comments.pause',
        message: 'Choose a day within the next {max} days.',
        values: { max: maxPauseDays },
      },
    ),
};

const PausedUntil = Instant.transform((text) => new Date(text))
  .refine((at) => at.getTime() > Date.now() && at.getTime() < Date.now() + maxPauseDays * 86_400_000, notSoon)
  .nullable()
  .describe('Nobody but the people of the voice writes comments until then; null: no break');

/** For acts that say yes to a text. */
export const ReadText = z.object({
  editedAt: Instant.transform((text) => new Date(text))
    .nullable()
    .optional()
    .describe('As it was with the text that was read: one that was edited since is refused'),
});

const Hold = z.enum(commentHolds);

/** Fields that are left out stay. */
export const CommentSettingsInput = z.object({
  commenters: z.enum(commenterChoices).describe('On new audios').optional(),
  hold: Hold.describe('Comments that wait; each takes in those before it').optional(),
  words: wordList(maxHeldWords).describe('Hold a comment in any case; whole words').optional(),
  order: z.enum(commentOrders).describe('Shown first').optional(),
  pausedUntil: PausedUntil.optional(),
});
export type CommentSettingsInput = z.output<typeof CommentSettingsInput>;

export const AudioCommentInput = z.object({
  hold: Hold.nullable().describe('Null: as the voice has it').optional(),
  pausedUntil: PausedUntil.optional(),
});
export type AudioCommentInput = z.output<typeof AudioCommentInput>;

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
