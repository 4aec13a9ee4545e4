import { z } from 'zod';
import { i18n } from '#i18n';
import { feedKinds, hasSubject } from './rules.ts';

export const NewFeedForm = z
  .object({
    kind: z.enum(feedKinds),
    subject: z
      .string()
      .max(120)
      .optional()
      .describe('Id or slug of the voice, series or playlist; left out for `all` and `library`'),
  })
  .refine(({ kind, subject }) => hasSubject(kind) === (subject !== undefined), {
    path: ['subject'],
    error: () =>
      i18n._(
        /*i18n*/ {
          id: 'feed-form.subject',
          message: 'A feed of a creator, series or playlist names it, and no other one does',
        },
      ),
  });
export type NewFeedForm = z.infer<typeof NewFeedForm>;
