import { z } from '@hono/zod-openapi';
import { NewFeedForm } from '#domain/feeds/forms.ts';
import type { MadeFeed } from '#domain/feeds/feeds.ts';
import { feedKinds } from '#domain/feeds/rules.ts';
import type { Site } from '#domain/site.ts';
import { callBy } from '../call.ts';
import { Instant } from '#domain/kernel/shapes.ts';

/** A user's own feeds for podcast apps. */

const userCall = callBy('user', { sameSite: true, limit: { kind: 'private feeds', perMinute: 60 } });

const MadeFeedResponse = z
  .object({ id: z.uuid(), address: z.url().describe('For the podcast app. Returned only here: keep it secret') })
  .openapi('MadeFeed');

const refuses = { 'subscription-required': 'subscription/required' } as const;

function toResponse<More>({ facts }: Site, made: MadeFeed<More>) {
  return made.ok ? { id: made.id, address: `${facts.url}/feeds/${made.token}.xml` } : made;
}

export const listFeeds = userCall({
  get: '/user/feeds',
  about: 'This user’s feeds for podcast apps, newest first, without their addresses',
  output: z.object({
    items: z.array(
      z
        .object({
          id: z.uuid(),
          kind: z.enum(feedKinds),
          title: z.string().nullable().describe('Of the voice, series or playlist'),
          createdAt: Instant,
          lastUsedAt: Instant.nullable(),
          isStopped: z.boolean().describe('Too many networks used its address'),
        })
        .openapi('PrivateFeed'),
    ),
  }),
  act: async ({ site, viewer }) => ({ items: await site.feeds.listFeeds(viewer.id) }),
});

export const makeFeed = userCall({
  post: '/user/feeds',
  about: 'Makes a feed for a podcast app; needs a subscription',
  input: NewFeedForm,
  output: MadeFeedResponse,
  status: 201,
  refuses: { ...refuses, full: 'library/full' },
  errors: ['site/feature-off', 'request/not-found'],
  act: async ({ site, viewer, input }) => toResponse(site, await site.feeds.makeFeed(viewer, input)),
});

export const renewFeed = userCall({
  post: '/user/feeds/{id}/address',
  about: 'Gives a feed a new address and ends the old one; starts a stopped feed again',
  output: MadeFeedResponse,
  refuses,
  errors: ['site/feature-off'],
  act: async ({ site, viewer, id }) => toResponse(site, await site.feeds.renewFeed(viewer, id)),
});

export const revokeFeed = userCall({
  delete: '/user/feeds/{id}',
  about: 'Revokes a feed: its address then answers not-found',
  act: ({ site, viewer, id }) => site.feeds.revokeFeed(viewer.id, id),
});
