import { OpenAPIHono, createRoute, z } from '@hono/zod-openapi';
import { DomainError, errorSentences } from '#domain/errors.ts';
import type { ErrorCode } from '#domain/errors.ts';
import { SignUpForm } from '#domain/identity/forms.ts';
import { deviceOf } from '../device.ts';
import { errorStatus } from '../errors.ts';
import { limitBody } from '../limit-body.ts';
import { clientAddress } from '../rate-limit.ts';
import type { ViewerEnv } from '../viewer.ts';
import { expireSessionCookie, personal, sessionTokenOf, setSessionCookie } from '../viewer.ts';
import { IdToken, MeAnswer, findMe, sameSiteOnly, takeAttempt, tooMany, unauthorized } from './identity.ts';
import type { IdentityParts } from './identity.ts';
import { refuseInvalid } from './invalid.ts';
import { ErrorAnswer, failures, json } from './schemas.ts';

const RegisterErrorAnswer = z
  .object({ error: ErrorAnswer.shape.error.extend({ statusCode: z.number() }) })
  .openapi('RegisterError');

/** Looser than the form: what is wrong is answered by the code that spec §5 names. */
const RegisterBody = z.object({
  email: z.string().max(2000),
  username: z.string().max(2000),
  password: z.string().max(4000),
  tac: z.boolean().optional().describe('At least 18 years old'),
  legal: z.boolean().optional().describe('Accepts terms and privacy policy'),
});

/** Spec §7: registering, logging in and out. */
export function authenticationRoutes(parts: IdentityParts) {
  const { site, trustProxy, secure } = parts;
  const { identity } = site;
  const app = new OpenAPIHono<ViewerEnv>({ defaultHook: refuseInvalid });
  app.use('/auth/*', sameSiteOnly, limitBody(16 * 1024), personal);
  return app
    .openapi(
      createRoute({
        method: 'post',
        path: '/auth/login',
        tags: ['Accounts'],
        summary: 'Changes an ID token of the identity provider for a session',
        request: {
          body: {
            required: true,
            content: { 'application/json': { schema: z.object({ firebaseIdtoken: IdToken }) } },
          },
        },
        responses: {
          200: json(z.object({ token: z.string(), user: MeAnswer, isNewAccount: z.boolean() }), 'Logged in'),
          401: json(ErrorAnswer, 'The ID token is not to be believed, or was used before'),
          403: json(ErrorAnswer, 'Suspended'),
          409: json(ErrorAnswer, 'The e-mail belongs to an account of another kind'),
          400: failures[400],
        },
      }),
      async (context) => {
        const outcome = await identity.logIn({
          idToken: context.req.valid('json').firebaseIdtoken,
          device: deviceOf(context.req.header('user-agent')),
        });
        if (!outcome.ok) throw new DomainError(outcome.reason);
        const { session, user, isNewAccount } = outcome;
        setSessionCookie(context, session.token, secure);
        return context.json({ token: session.token, user, isNewAccount }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/auth/register',
        tags: ['Accounts'],
        summary: 'Makes an account; the browser then signs in with it',
        request: { body: { required: true, content: { 'application/json': { schema: RegisterBody } } } },
        responses: {
          201: json(
            z.object({ user: z.object({ id: z.uuid(), username: z.string(), email: z.string() }) }),
            'The account is there',
          ),
          400: json(RegisterErrorAnswer, 'Bad input'),
          409: json(RegisterErrorAnswer, 'E-mail or username is in use'),
          429: json(RegisterErrorAnswer, 'Too many registrations'),
        },
      }),
      async (context) => {
        const body = context.req.valid('json');
        const refuse = (code: ErrorCode) => {
          const status = errorStatus[code] as 400 | 409 | 429;
          return context.json({ error: { code, message: errorSentences[code], statusCode: status } }, status);
        };
        const form = SignUpForm.safeParse({ tac: false, legal: false, ...body });
        if (!form.success) return refuse(codeOfField(form.error.issues.map(({ path }) => path[0])));
        const of = { account: form.data.email, address: clientAddress(context, trustProxy) };
        if ((await identity.attempts.take('register', of)) !== undefined) return refuse('request/too-many');
        const outcome = await identity.register(form.data);
        return outcome.ok ? context.json({ user: outcome.user }, 201) : refuse(outcome.reason);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/auth/username/{username}',
        tags: ['Accounts'],
        summary: 'Whether a username is free: 202 means it is',
        request: { params: z.object({ username: z.string().min(1).max(400) }) },
        responses: {
          202: json(z.object({ available: z.literal(true) }), 'Free'),
          409: json(ErrorAnswer, 'Taken'),
          400: failures[400],
          429: tooMany,
        },
      }),
      async (context) => {
        await takeAttempt(parts, context, 'username', undefined);
        const answer = await identity.checkUsername(context.req.valid('param').username);
        if (answer === 'free') return context.json({ available: true as const }, 202);
        throw new DomainError(answer === 'taken' ? 'auth/username-already-in-use' : 'auth/invalid-username');
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/auth/session',
        tags: ['Accounts'],
        summary: 'Changes the token for the cookie that pages and media are asked for with',
        responses: {
          200: json(z.object({ user: MeAnswer, isNewAccount: z.boolean() }), 'The cookie is set'),
          401: unauthorized,
        },
      }),
      async (context) => {
        const loggedIn = context.get('loggedIn');
        if (loggedIn === undefined) {
          expireSessionCookie(context, secure);
          return context.json(
            { error: { code: 'auth/login-required' as const, message: errorSentences['auth/login-required'] } },
            401,
          );
        }
        const user = await findMe(parts, loggedIn.viewer.id);
        setSessionCookie(context, loggedIn.token, secure);
        return context.json({ user, isNewAccount: user.username === null }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/auth/logout',
        tags: ['Accounts'],
        summary: 'Ends this session; takes the cookie too, since all it does is to end it',
        responses: { 204: { description: 'Logged out' } },
      }),
      async (context) => {
        for (const token of [context.get('loggedIn')?.token, sessionTokenOf(context.req.raw)])
          if (token !== undefined) await identity.endSessionOf(token);
        expireSessionCookie(context, secure);
        return context.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/auth/email/confirm',
        tags: ['Accounts'],
        summary: 'Follows the link that a new e-mail address was sent',
        request: {
          body: {
            required: true,
            content: { 'application/json': { schema: z.object({ token: z.string().min(1).max(200) }) } },
          },
        },
        responses: {
          200: json(z.object({ email: z.string() }), 'The address is changed'),
          400: failures[400],
          429: tooMany,
        },
      }),
      async (context) => {
        await takeAttempt(parts, context, 'link', undefined);
        const email = await identity.confirmEmailChange(context.req.valid('json').token);
        if (email === undefined) throw new DomainError('auth/invalid-link');
        return context.json({ email }, 200);
      },
    );
}

/** The first field that is wrong, in the order of the form. */
function codeOfField(fields: unknown[]): ErrorCode {
  if (fields.includes('email')) return 'auth/invalid-email';
  if (fields.includes('username')) return 'auth/invalid-username';
  if (fields.includes('password')) return 'auth/weak-password';
  return fields.includes('tac') ? 'auth/under-age' : 'auth/terms-not-accepted';
}
