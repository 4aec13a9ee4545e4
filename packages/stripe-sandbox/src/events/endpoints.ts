import { z } from 'zod';
import { type Endpoint, get, named } from '../http/endpoint.ts';
import { listOf } from '../http/list.ts';
import { createdRange, createdWithin, equal, paging, text } from '../http/parameters.ts';

const EventList = z.strictObject({
  ...paging,
  created: createdRange,
  type: text.optional(),
  types: z.array(text).max(20).optional(),
});

export const eventEndpoints: Endpoint[] = [
  get('/v1/events', EventList, (work, input) =>
    listOf(
      work,
      'event',
      [
        ...equal({ type: input.type }),
        ...(input.types === undefined ? [] : [{ path: 'type', among: input.types }]),
        ...createdWithin(input.created),
      ],
      input,
      '/v1/events',
    ),
  ),
  get('/v1/events/:id', z.strictObject({}), (work, _input, at) => work.store.get('event', named(at, 'id'), 'event')),
];
