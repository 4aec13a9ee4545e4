import { z } from 'zod';
import { plainText } from '../forms.ts';
import { maxTipNote } from './rules.ts';

export const TipForm = z.object({
  voice: z.string().min(1).max(120).describe('Id or slug of the creator'),
  audioId: z.uuid().optional().describe('On whose page it is given'),
  amount: z.number().int().min(1).max(10_000_000).describe('In the smallest unit of the offer’s currency'),
  note: plainText(maxTipNote).describe('For the creator only'),
  isAnonymous: z.boolean().default(false).describe('The creator does not learn who gives it'),
});
export type TipForm = z.output<typeof TipForm>;
