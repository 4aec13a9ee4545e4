import { createRoute, z } from '@hono/zod-openapi';
import { limitBody } from '../limits/limit-body.ts';
import { inOrder, loggedInOnly, personal } from './guards.ts';
import { IdToken, MeResponse, Password, SignUpFrom } from './identity-schemas.ts';
import { sameSiteOnly } from './same-site.ts';
import {
  AvatarColor,
  ErrorResponse,
  failures,
  FavoriteIdsResponse,
  idOrSlug,
  json,
  jsonBody,
  tooManyTries,
  unauthorized,
} from '#api/schemas.ts';

const ProfileFields = z.object({
  username: z.string().max(2000).optional(),
  icon: z
    .string()
    .trim()
    .max(8)
    // Rejects invisible and bidirectional control characters; emoji are joined by U+200D.
    .regex(/^(?:\P{C}|\u200D)*$/u)
    .transform((icon) => (icon === '' ? null : icon))
    .nullable()
    .optional()
    .describe('Its first letter is shown in the avatar'),
  color: z.string().toUpperCase().pipe(AvatarColor).optional(),
  tac: z.boolean().optional(),
  legal: z.boolean().optional(),
  source: SignUpFrom,
});
/** "profile fields or user with new username" (spec §7). */
export const ProfileBody = z.union([z.object({ user: ProfileFields }).transform(({ user }) => user), ProfileFields]);

const DiscreetMode = z.strictObject({ isDiscreet: z.boolean() }).openapi('DiscreetMode');

const refused = json(ErrorResponse, 'The password is wrong');

const own = inOrder(personal, sameSiteOnly, loggedInOnly, limitBody(16 * 1024));

function profileRoute<Method extends 'post' | 'put'>(method: Method) {
  return createRoute({
    method,
    path: '/user/profile',
    middleware: own,
    tags: ['Accounts'],
    summary: 'Changes username and avatar; completes a new social account',
    request: { body: jsonBody(ProfileBody) },
    responses: {
      200: json(z.object({ user: MeResponse }), 'Saved'),
      400: failures[400],
      401: unauthorized,
      409: json(ErrorResponse, 'The username is taken'),
      429: tooManyTries,
    },
  });
}

export const findMe = createRoute({
  method: 'get',
  path: '/user/me',
  middleware: own,
  tags: ['Accounts'],
  summary: 'The user of the token',
  responses: {
    200: json(MeResponse.extend({ favorites: FavoriteIdsResponse }).openapi('MeWithFavorites'), 'Me'),
    401: unauthorized,
  },
});

export const findProfile = createRoute({
  method: 'get',
  path: '/profile',
  middleware: own,
  tags: ['Accounts'],
  summary: 'The user, with more data for the account page',
  responses: {
    200: json(
      MeResponse.extend({
        createdAt: z.iso.datetime(),
        passwordChangedAt: z.iso.datetime().nullable(),
        hasPassword: z
          .boolean()
          .nullable()
          .describe(
            'Accounts created with Google or Facebook may have none; null when the provider does not report it',
          ),
        deletionDueAt: z.iso.datetime().nullable().describe('Set when an operator deletes the account'),
      }).openapi('Profile'),
      'Profile',
    ),
    401: unauthorized,
  },
});

export const postProfile = profileRoute('post');

export const putProfile = profileRoute('put');

export const setDiscreet = createRoute({
  method: 'put',
  path: '/user/discreet',
  middleware: own,
  tags: ['Accounts'],
  summary: 'Turns discreet mode on or off, on every device of this user',
  request: { body: jsonBody(DiscreetMode) },
  responses: { 200: json(DiscreetMode, 'The current value'), 400: failures[400], 401: unauthorized, 429: tooManyTries },
});

export const changePassword = createRoute({
  method: 'post',
  path: '/user/password',
  middleware: own,
  tags: ['Accounts'],
  summary: 'Changes the password; ends every session and opens a new one here',
  request: {
    body: jsonBody(z.object({ currentPassword: Password, newPassword: z.string().max(4000) })),
  },
  responses: {
    200: json(z.object({ token: z.string(), user: MeResponse }), 'Changed'),
    400: failures[400],
    401: unauthorized,
    403: refused,
    429: tooManyTries,
  },
});

export const requestEmailChange = createRoute({
  method: 'post',
  path: '/user/email',
  middleware: own,
  tags: ['Accounts'],
  summary: 'Sends the new address a link; nothing changes until it is followed',
  request: {
    body: jsonBody(z.object({ email: z.string().max(2000), password: Password })),
  },
  responses: {
    202: json(z.object({ message: z.string() }), 'On its way'),
    400: failures[400],
    401: unauthorized,
    403: refused,
    429: tooManyTries,
  },
});

export const exportUser = createRoute({
  method: 'get',
  path: '/user/export',
  middleware: own,
  tags: ['Accounts'],
  summary: 'All that the site knows of this user, as a ZIP of JSON files',
  responses: {
    200: {
      description: 'ZIP',
      content: { 'application/zip': { schema: z.string().openapi({ format: 'binary' }) } },
    },
    401: unauthorized,
    429: tooManyTries,
  },
});

export const deleteAccount = createRoute({
  method: 'delete',
  path: '/user',
  middleware: own,
  tags: ['Accounts'],
  summary: 'Deletes the account and all that belongs to it',
  request: {
    body: jsonBody(z.union([z.object({ password: Password }), z.object({ firebaseIdtoken: IdToken })])),
  },
  responses: {
    204: { description: 'Deleted' },
    400: failures[400],
    401: unauthorized,
    403: refused,
    409: json(ErrorResponse, 'The user is the only admin'),
    429: tooManyTries,
  },
});

export const findPublicProfile = createRoute({
  method: 'get',
  path: '/users/{id}',
  tags: ['Accounts'],
  summary: 'The public profile of a user',
  request: { params: idOrSlug },
  responses: {
    200: json(
      z
        .object({
          id: z.uuid(),
          username: z.string(),
          icon: z.string().nullable(),
          color: AvatarColor,
          createdAt: z.iso.datetime(),
        })
        .openapi('PublicProfile'),
      'Public profile',
    ),
    ...failures,
  },
});
