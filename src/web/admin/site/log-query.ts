import { z } from 'zod';
import { logAuthors, logPeriods } from '#domain/admin/rules.ts';
import { isPlain } from '#domain/kernel/forms.ts';

const LogQuery = z.object({
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
  q: z.string().trim().min(1).max(100).refine(isPlain).optional().catch(undefined),
  /** Cursor of the page before. */
  after: z.string().optional(),
});

/** Filters and position of the log from its address; invalid filters are ignored. */
export function readLogQuery(search: URLSearchParams): z.infer<typeof LogQuery> {
  return LogQuery.parse(Object.fromEntries(search));
}
