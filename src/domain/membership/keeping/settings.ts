import { z } from 'zod';
import type { Setting } from '../../settings/setting.ts';
import { keepingBounds } from './rules.ts';

const within = ([min, max]: readonly [number, number]) => z.number().int().min(min).max(max);

/** Mails that save subscribers surprises, and bring some back. */
export const KeepingSettings = z.object({
  cardExpiry: z.boolean().default(true).describe('A mail before the card on file expires'),
  renewal: z.boolean().default(true).describe('A mail before each yearly charge'),
  renewalDays: within(keepingBounds.renewalDays)
    .default(35)
    .describe('Days before a yearly charge; 31 to 40 suit most laws that ask for a notice'),
  prepaidEnd: z.boolean().default(true).describe('A mail before time that was paid in advance ends'),
  winBack: z
    .boolean()
    .default(false)
    .describe('A mail with a code of their own to people whose subscription has ended'),
  winBackDays: within(keepingBounds.winBackDays).default(60).describe('Days after the end'),
  winBackPercent: within(keepingBounds.winBackPercent).default(25),
  winBackMonths: within(keepingBounds.winBackMonths)
    .default(3)
    .describe('Months that the discount counts; providers that know only prices give it on the first payment'),
  winBackValidDays: within(keepingBounds.winBackValidDays).default(30).describe('Days in which the code can be used'),
  pause: z.boolean().default(true).describe('Subscribers can pause for one to three months, once in twelve'),
  stayPercent: within(keepingBounds.stayPercent)
    .default(0)
    .describe('Percent off that people who are about to cancel are offered, once in twelve months; 0: no offer'),
  stayMonths: within(keepingBounds.stayMonths)
    .default(3)
    .describe('Months that this discount counts; yearly subscribers get it on their next payment'),
});
export type KeepingSettings = z.infer<typeof KeepingSettings>;

export const keepingSetting = { key: 'keeping', schema: KeepingSettings } satisfies Setting;
