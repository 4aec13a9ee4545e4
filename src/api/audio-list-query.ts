import type { z } from '@hono/zod-openapi';
import { AudioFilter, AudioSort } from '#domain/catalogue/forms.ts';
import { PageQuery } from './schemas.ts';

/** Order, filter and page of a list of audios. */
export const AudioListQuery = PageQuery.extend({ sort: AudioSort.optional(), ...AudioFilter.shape });

/** As the domain takes it. */
export function toListQuery({ limit, cursor, sort, ...filter }: z.infer<typeof AudioListQuery>) {
  return { limit, cursor, filter, ...(sort && { sort }) };
}
