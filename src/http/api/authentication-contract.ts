import { createRoute, z } from '@hono/zod-openapi';
import { limitBody } from '../limits/limit-body.ts';
import { inOrder, limitClient, personal } from './guards.ts';
import { IdToken, MeResponse, SignUpFrom } from './identity-schemas.ts';
import { sameSiteOnly } from './same-site.ts';
import { ErrorResponse, failures, json, jsonBody, tooManyTries, unauthorized } from '#api/schemas.ts';

const RegisterErrorResponse = z
  .object({ error: ErrorResponse.shape.error.extend({ statusCode: z.number() }) })
  .openapi('RegisterError');

/** Looser than the form, so that errors get the codes of spec §5. */
const RegisterBody = z.object({
  email: z.string().max(2000),
  username: z.string().max(2000),
  password: z.string().max(4000),
  tac: z.boolean().optional().describe('At least 18 years old'),
  legal: z.boolean().optional().describe('Accepts terms and privacy policy'),
  source: SignUpFrom,
});

const bodyLimit = limitBody(16 * 1024);
const open = inOrder(personal, sameSiteOnly, bodyLimit);

export const logIn = createRoute({
  method: 'post',
  path: '/auth/login',
  security: [{}],
  middleware: open,
  tags: ['Accounts'],
  summary: 'Changes an ID token of the identity provider for a session',
  request: {
    body: jsonBody(z.object({ firebaseIdtoken: IdToken })),
  },
  responses: {
    200: json(z.object({ token: z.string(), user: MeResponse, isNewAccount: z.boolean() }), 'Logged in'),
    401: json(ErrorResponse, 'The ID token is not to be believed, or was used before'),
    403: json(ErrorResponse, 'Suspended'),
    409: json(ErrorResponse, 'The e-mail belongs to an account of another kind'),
    400: failures[400],
  },
});

export const register = createRoute({
  method: 'post',
  path: '/auth/register',
  middleware: open,
  tags: ['Accounts'],
  summary: 'Makes an account; the browser then signs in with it',
  request: { body: jsonBody(RegisterBody) },
  responses: {
    201: json(
      z.object({ user: z.object({ id: z.uuid(), username: z.string(), email: z.string() }) }),
      'The account is there',
    ),
    400: json(RegisterErrorResponse, 'Bad input'),
    403: json(RegisterErrorResponse, 'New accounts are not accepted'),
    409: json(RegisterErrorResponse, 'E-mail or username is in use'),
    429: json(RegisterErrorResponse, 'Too many registrations'),
  },
});

export const checkUsername = createRoute({
  method: 'get',
  path: '/auth/username/{username}',
  middleware: open,
  tags: ['Accounts'],
  summary: 'Whether a username is free: 202 means it is',
  request: { params: z.object({ username: z.string().min(1).max(400) }) },
  responses: {
    202: json(z.object({ available: z.literal(true) }), 'Free'),
    409: json(ErrorResponse, 'Already in use'),
    400: failures[400],
    429: tooManyTries,
  },
});

export const openCookieSession = createRoute({
  method: 'post',
  path: '/auth/session',
  middleware: open,
  tags: ['Accounts'],
  summary: 'Changes the token for the cookie that pages and media are asked for with',
  responses: {
    200: json(z.object({ user: MeResponse, isNewAccount: z.boolean() }), 'The cookie is set'),
    401: unauthorized,
  },
});

export const findSessionToken = createRoute({
  method: 'post',
  path: '/auth/session/token',
  security: [{ cookie: [] }],
  middleware: inOrder(personal, sameSiteOnly, limitClient('session token', 60), bodyLimit),
  tags: ['Accounts'],
  summary: 'Exchanges the cookie for its token, for a page whose script storage is empty or blocked',
  responses: {
    200: json(z.object({ token: z.string(), user: MeResponse }), 'The token'),
    400: failures[400],
    401: unauthorized,
    429: tooManyTries,
  },
});

export const logOut = createRoute({
  method: 'post',
  path: '/auth/logout',
  middleware: open,
  tags: ['Accounts'],
  summary: 'Ends this session; takes the cookie too, since all it does is to end it',
  responses: { 204: { description: 'Logged out' } },
});

export const confirmEmail = createRoute({
  method: 'post',
  path: '/auth/email/confirm',
  middleware: open,
  tags: ['Accounts'],
  summary: 'Follows the link that a new e-mail address was sent',
  request: {
    body: jsonBody(z.object({ token: z.string().min(1).max(200) })),
  },
  responses: {
    200: json(z.object({ email: z.string() }), 'The address is changed'),
    400: failures[400],
    429: tooManyTries,
  },
});
