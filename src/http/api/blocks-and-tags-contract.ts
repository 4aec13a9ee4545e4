import { createRoute, z } from '@hono/zod-openapi';
import { limitBody } from '../limits/limit-body.ts';
import { inOrder, limitAccount, loggedInOnly, personal } from './guards.ts';
import {
  ErrorResponse,
  failures,
  json,
  jsonBody,
  ownId,
  pageOf,
  PageQuery,
  refusals,
  UserResponse,
} from '#api/schemas.ts';

const TagName = z.object({ slug: z.string(), label: z.string() });

const own = inOrder(personal, loggedInOnly, limitAccount('blocks-and-tags', 120));
const ownWrite = inOrder(...own, limitBody(8 * 1024));

const full = json(ErrorResponse, 'There is no room for more');

export const setBlocked = createRoute({
  method: 'post',
  path: '/user/block/{id}',
  middleware: ownWrite,
  tags: ['Blocking'],
  summary: 'Blocks a user, or lets them be seen again; twice is the same as once',
  request: {
    params: ownId,
    body: jsonBody(z.object({ isBlocked: z.boolean() })),
  },
  responses: {
    200: json(z.object({ id: z.uuid(), isBlocked: z.boolean() }), 'Done'),
    ...refusals,
    409: full,
    ...failures,
  },
});

export const listBlockedUsers = createRoute({
  method: 'get',
  path: '/user/blocks',
  middleware: own,
  tags: ['Blocking'],
  summary: 'Users blocked by this user, most recent first',
  request: { query: PageQuery },
  responses: {
    200: json(pageOf(UserResponse.extend({ blockedAt: z.iso.datetime() }).openapi('BlockedUser')), 'A page'),
    ...refusals,
    400: failures[400],
  },
});

export const listHiddenTags = createRoute({
  method: 'get',
  path: '/user/hidden-tags',
  middleware: own,
  tags: ['Library'],
  summary: 'Tags whose audios are hidden from this user, A–Z',
  responses: { 200: json(z.object({ items: z.array(TagName) }), 'Tags'), ...refusals },
});

export const setTagHidden = createRoute({
  method: 'post',
  path: '/user/hidden-tags/{slug}',
  middleware: ownWrite,
  tags: ['Library'],
  summary: 'Leaves the audios of a tag out of every list, or shows them again; twice is the same as once',
  request: {
    params: z.object({ slug: z.string().min(1).max(120) }),
    body: jsonBody(z.object({ isHidden: z.boolean() })),
  },
  responses: {
    200: json(z.object({ slug: z.string(), isHidden: z.boolean() }), 'Done'),
    ...refusals,
    409: full,
    ...failures,
  },
});
