import { z } from 'zod';
import type { Setting } from '../../settings/setting.ts';
import { tipBounds } from './rules.ts';

const within = ([min, max]: readonly [number, number]) => z.number().int().min(min).max(max);
const cents = within(tipBounds.cents);

/** Amounts are in the smallest unit of the site's own currency. */
export const TipSettings = z.object({
  isOn: z.boolean().default(false).describe('Listeners can tip creators who take tips'),
  sharePermille: within(tipBounds.sharePermille)
    .default(100)
    .describe('The site’s part of a tip after tax, per thousand; tips that are begun keep theirs'),
  minimum: cents.default(200),
  maximum: cents.default(20_000),
  amounts: z
    .object({ first: cents, second: cents, third: cents })
    .default({ first: 300, second: 500, third: 1000 })
    .describe('Suggested amounts'),
});
export type TipSettings = z.infer<typeof TipSettings>;

export const tipSetting = { key: 'tips', schema: TipSettings } satisfies Setting;

/** Whether each suggested amount can be given. */
export function areTipAmountsOffered({ minimum, maximum, amounts }: TipSettings): boolean {
  return minimum <= maximum && Object.values(amounts).every((one) => one >= minimum && one <= maximum);
}
