import { z } from 'zod';
import { Instant } from '../../kernel/shapes.ts';
import { Cents, Currency } from '../shapes.ts';
import { tipStates } from './rules.ts';

/** Amounts that a creator can be given. */
export const TipOffer = z.object({
  currency: Currency,
  minimum: Cents,
  maximum: Cents,
  amounts: z.array(Cents).describe('Suggested'),
});
export type TipOffer = z.output<typeof TipOffer>;

/** A tip as its giver sees it. */
export const Tip = z.object({
  id: z.uuid(),
  voiceId: z.uuid(),
  voiceName: z.string(),
  amount: Cents,
  currency: Currency,
  note: z.string().nullable().describe('For the creator only'),
  isAnonymous: z.boolean(),
  state: z.enum(tipStates).describe('`disputed`: the bank has not decided, or has decided for the site'),
  createdAt: Instant,
  paidAt: Instant.nullable(),
});
export type Tip = z.output<typeof Tip>;
