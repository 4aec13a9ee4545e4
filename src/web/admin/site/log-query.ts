import { z } from 'zod';
import { logAuthors, logPeriods } from '#domain/admin/rules.ts';
import { isPlain } from '#domain/kernel/forms.ts';

/** Filters of the log from its address, besides its words; invalid ones are ignored. */
export const LogQuery = z.object({
  area: z
    .string()
    .regex(/^[a-z-]{1,40}$/)
    .optional()
    .catch(undefined),
  who: z.string().trim().min(1).max(60).refine(isPlain).optional().catch(undefined),
  by: z.enum(logAuthors).optional().catch(undefined),
  voice: z
    .string()
    .regex(/^[a-z0-9-]{1,120}$/)
    .optional()
    .catch(undefined),
  days: z.coerce
    .number()
    .pipe(z.literal([...logPeriods]))
    .optional()
    .catch(undefined),
});
