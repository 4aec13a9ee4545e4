import { z } from 'zod';
import { lineOfWords } from '../../kernel/forms.ts';
import { maxShares } from './rules.ts';

export const SplitForm = z.strictObject({
  shares: z
    .array(
      z.strictObject({
        voiceId: z.uuid().toLowerCase(),
        share: z.number().int().min(1).max(100).describe('Whole percent'),
      }),
    )
    .min(1)
    .max(maxShares)
    .refine((shares) => new Set(shares.map(({ voiceId }) => voiceId)).size === shares.length)
    .describe('Of the audio’s creator and of creators who accepted a credit; 100 % in all'),
});
export type SplitForm = z.output<typeof SplitForm>;

export const SplitAnswerForm = z.strictObject({
  state: z.enum(['agreed', 'declined']),
  reason: lineOfWords(500).optional().describe('Why it is declined; the one who proposed it reads it'),
});
export type SplitAnswerForm = z.output<typeof SplitAnswerForm>;
