import { createRoute, z } from '@hono/zod-openapi';
import { SavedQueue } from '#domain/library/forms.ts';
import { limitBody } from '../limits/limit-body.ts';
import { inOrder, limitAccount, loggedInOnly, personal } from './guards.ts';
import { AudioResponse, ErrorResponse, failures, json, jsonBody, unauthorized } from '#api/schemas.ts';

const QueueResponse = z
  .object({
    version: z.number().describe('0: nothing was saved yet'),
    queue: SavedQueue,
    audios: z.array(AudioResponse).describe('Each audio of the queue once'),
    dropped: z.number().describe('Number of audios skipped because they no longer exist'),
  })
  .openapi('Queue');

/** The player saves at most once a second (spec §9). */
const own = inOrder(personal, loggedInOnly, limitAccount('queue', 240));
/** Two thousand items, plus the rest of the body. */
const maxBytes = 512 * 1024;

export const findQueue = createRoute({
  method: 'get',
  path: '/user/queue',
  middleware: own,
  tags: ['Listening'],
  summary: 'The saved queue and its audios; the ETag is its version',
  responses: { 200: json(QueueResponse, 'Queue'), 401: unauthorized },
});

export const saveQueue = createRoute({
  method: 'put',
  path: '/user/queue',
  middleware: inOrder(...own, limitBody(maxBytes)),
  tags: ['Listening'],
  summary: 'Saves the queue in the place of the version that was seen',
  request: {
    headers: z.object({
      'if-match': z
        .string()
        .optional()
        .openapi({ description: '`"<version>"`; `"0"` when nothing was saved yet, `*` for any version' }),
    }),
    body: jsonBody(SavedQueue),
  },
  responses: {
    200: json(
      z.object({ version: z.number(), dropped: z.number().describe('Audios that are not there') }),
      'Saved; the ETag is the new version',
    ),
    401: unauthorized,
    412: json(ErrorResponse.extend({ newest: QueueResponse }), 'Another device was first'),
    413: json(ErrorResponse, 'Too large'),
    428: json(ErrorResponse, 'If-Match is missing'),
    429: json(ErrorResponse, 'Too many'),
    400: failures[400],
  },
});
