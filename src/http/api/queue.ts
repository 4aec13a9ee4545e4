import { OpenAPIHono } from '@hono/zod-openapi';
import { DomainError } from '#domain/kernel/errors.ts';
import { errorBody } from '../errors.ts';
import { readEntityTags } from '../files/ranges.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import * as contract from './queue-contract.ts';

/** The queue that a listener shares between devices. */
export function queueRoutes({ site: { library } }: ApiParts) {
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.findQueue, async (context) => {
      const queue = await library.findQueue(context.get('loggedIn').viewer.id);
      context.header('etag', `"${queue.version}"`);
      return context.json(queue, 200);
    })
    .openapi(contract.saveQueue, async (context) => {
      const { viewer } = context.get('loggedIn');
      const seen = versionsOf(context.req.valid('header')['if-match']);
      const saved = await library.saveQueue(viewer.id, seen, context.req.valid('json'));
      const version = saved.ok ? saved.version : saved.newest.version;
      context.header('etag', `"${version}"`);
      if (!saved.ok) return context.json({ ...errorBody('queue/newer-version'), newest: saved.newest }, 412);
      return context.json({ version, dropped: saved.dropped }, 200);
    });
}

/**
 * The versions in If-Match by strong comparison (RFC 9110 §13.1.1): weak and unknown tags match nothing. A compressed
 * answer's tag ends in its coding.
 * @throws DomainError if the header is missing or invalid
 */
function versionsOf(ifMatch: string | undefined): number[] | 'any' {
  if (ifMatch === undefined) throw new DomainError('request/precondition-required');
  const tags = readEntityTags(ifMatch);
  if (tags === '*') return 'any';
  if (tags.length === 0) throw new DomainError('request/invalid', 'If-Match: must be versions in quotes, or *');
  return tags.flatMap(({ tag, isWeak }) => {
    const version = /^(\d{1,9})(?:-[a-z]+)?$/.exec(tag)?.[1];
    return version === undefined || isWeak ? [] : [Number(version)];
  });
}
