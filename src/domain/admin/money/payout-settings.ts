import { z } from 'zod';
import type { Setting } from '../../settings/setting.ts';

/** The kinds of listening that are paid for. Listening without a subscription never is. */
export const payoutSetting = {
  key: 'payouts',
  schema: z.object({ countsTrials: z.boolean().default(true) }),
} satisfies Setting;
