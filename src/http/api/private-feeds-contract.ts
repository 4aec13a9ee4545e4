import { createRoute, z } from '@hono/zod-openapi';
import { NewFeedForm } from '#domain/feeds/forms.ts';
import { feedKinds } from '#domain/feeds/rules.ts';
import { limitBody } from '../limits/limit-body.ts';
import { inOrder, limitAccount, loggedInOnly, personal } from './guards.ts';
import { sameSiteOnly } from './same-site.ts';
import { ErrorResponse, failures, json, jsonBody, ownId, refusals } from '#api/schemas.ts';

const own = inOrder(personal, sameSiteOnly, loggedInOnly, limitAccount('private feeds', 60), limitBody(16 * 1024));
const answers = { ...refusals, ...failures } as const;

const MadeFeed = z
  .object({ id: z.uuid(), address: z.url().describe('For the podcast app. Returned only here: keep it secret') })
  .openapi('MadeFeed');

export const listFeeds = createRoute({
  method: 'get',
  path: '/user/feeds',
  middleware: own,
  tags: ['Podcast feeds'],
  summary: 'This user’s feeds for podcast apps, newest first, without their addresses',
  responses: {
    200: json(
      z.object({
        items: z.array(
          z
            .object({
              id: z.uuid(),
              kind: z.enum(feedKinds),
              title: z.string().nullable().describe('Of the voice, series or playlist'),
              createdAt: z.iso.datetime(),
              lastUsedAt: z.iso.datetime().nullable(),
              isStopped: z.boolean().describe('Too many networks used its address'),
            })
            .openapi('PrivateFeed'),
        ),
      }),
      'Feeds',
    ),
    ...answers,
  },
});

export const makeFeed = createRoute({
  method: 'post',
  path: '/user/feeds',
  middleware: own,
  tags: ['Podcast feeds'],
  summary: 'Makes a feed for a podcast app; needs a subscription',
  request: { body: jsonBody(NewFeedForm) },
  responses: {
    201: json(MadeFeed, 'The feed'),
    ...answers,
    402: json(ErrorResponse, 'A subscription is needed'),
    403: json(ErrorResponse, 'Turned off on this site'),
    409: json(ErrorResponse, 'There is no room for more'),
  },
});

export const renewFeed = createRoute({
  method: 'post',
  path: '/user/feeds/{id}/address',
  middleware: own,
  tags: ['Podcast feeds'],
  summary: 'Gives a feed a new address and ends the old one; starts a stopped feed again',
  request: { params: ownId },
  responses: {
    200: json(MadeFeed, 'The feed'),
    ...answers,
    402: json(ErrorResponse, 'A subscription is needed'),
    403: json(ErrorResponse, 'Turned off on this site'),
  },
});

export const revokeFeed = createRoute({
  method: 'delete',
  path: '/user/feeds/{id}',
  middleware: own,
  tags: ['Podcast feeds'],
  summary: 'Revokes a feed: its address then answers not-found',
  request: { params: ownId },
  responses: { 204: { description: 'Ended' }, ...answers },
});
