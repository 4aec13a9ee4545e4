import { z } from '@hono/zod-openapi';

/** A search for something to choose. */
export const choiceQuery = z.object({ q: z.string().max(200) });
