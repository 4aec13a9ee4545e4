import { z } from '@hono/zod-openapi';
import { DomainError, errorTexts, say } from '#domain/kernel/errors.ts';
import { SavedQueue } from '#domain/library/forms.ts';
import { QueueOfUser } from '#domain/library/saved-queue.ts';
import { readEntityTags } from '#formats/entity-tags.ts';
import { callBy } from './call.ts';
import { AudioResponse, ErrorResponse, json } from './schemas.ts';

const QueueResponse = z
  .object({ ...QueueOfUser.shape, audios: z.array(AudioResponse).describe('Each audio of the queue once') })
  .openapi('Queue');

/** The player saves at most once a second (spec §9). */
const userCall = callBy('user', { limit: { kind: 'queue', perMinute: 240 } });

export const findQueue = userCall({
  get: '/user/queue',
  about: 'The saved queue and its audios; the ETag is its version',
  output: QueueResponse,
  async act({ site, viewer, context }) {
    const queue = await site.library.findQueue(viewer.id);
    context.header('etag', `"${queue.version}"`);
    return queue;
  },
});

export const saveQueue = userCall({
  put: '/user/queue',
  about: 'Saves the queue in the place of the version that was seen',
  headers: z.object({
    'if-match': z
      .string()
      .optional()
      .openapi({ description: '`"<version>"`; `"0"` when nothing was saved yet, `*` for any version' }),
  }),
  input: SavedQueue,
  output: z.object({
    version: z.number().describe('The ETag too'),
    dropped: z.number().describe('Audios that are not there'),
  }),
  also: { 412: json(ErrorResponse.extend({ newest: QueueResponse }), 'Another device was first') },
  errors: ['request/precondition-required'],
  // Two thousand items, plus the rest of the body.
  maxBytes: 512 * 1024,
  async act({ site, viewer, input, context }) {
    const saved = await site.library.saveQueue(viewer.id, versionsOf(context.req.header('if-match')), input);
    context.header('etag', `"${saved.ok ? saved.version : saved.newest.version}"`);
    if (saved.ok) return saved;
    const code = 'queue/newer-version';
    return context.json({ error: { code, message: say(errorTexts[code]) }, newest: saved.newest }, 412);
  },
});

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
