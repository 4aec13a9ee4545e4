import { z } from 'zod';
import { decisionNoteLength, decisionVerbs, normalizeComment } from '../community/rules.ts';
import { isVisible } from '../kernel/rules.ts';

export const DecisionForm = z.object({
  verb: z.enum(decisionVerbs, 'Choose what happens to the comment'),
  note: z
    .string('Use plain text')
    .max(5000, `at most ${decisionNoteLength} characters`)
    .transform(normalizeComment)
    .refine((text) => [...text].length <= decisionNoteLength, `at most ${decisionNoteLength} characters`)
    .transform((text) => (isVisible(text) ? text : undefined))
    .optional(),
  /** The owners of the audio's voice get a mail. */
  tellsOwners: z.boolean().default(false),
});
export type DecisionForm = z.output<typeof DecisionForm>;
