import { z } from 'zod';
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
    message: 'a voice, series or playlist needs one, and nothing else has one',
  });
export type NewFeedForm = z.infer<typeof NewFeedForm>;
