import { z } from 'zod';
import { wordsOf } from '../../kernel/forms.ts';
import { Id } from '../../kernel/shapes.ts';
import { maxMomentMs, momentNoteLength } from './rules.ts';

/** A moment as the listener keeps it. */
export const MomentForm = z.strictObject({
  audioId: Id.describe('Stays the one of the first call'),
  position: z.int().min(0).max(maxMomentMs).describe('Milliseconds'),
  note: z
    .union([z.string().trim().length(0), wordsOf(momentNoteLength)])
    .default('')
    .describe('Empty for none'),
});
export type MomentForm = z.output<typeof MomentForm>;
