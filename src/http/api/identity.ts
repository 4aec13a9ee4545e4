import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { zipSync, strToU8 } from 'fflate';
import { DomainError, errorSentences } from '#domain/errors.ts';
import type { ErrorCode } from '#domain/errors.ts';
import type { AttemptKind } from '#domain/identity/attempts.ts';
import { SignUpForm } from '#domain/identity/forms.ts';
import { avatarColors, normalizeEmail, passwordLength } from '#domain/identity/rules.ts';
import type { Site } from '#domain/site.ts';
import { deviceOf } from '../device.ts';
import { errorResponse, errorStatus } from '../errors.ts';
import { limitBody } from '../limit-body.ts';
import { clientAddress } from '../rate-limit.ts';
import type { ViewerEnv } from '../viewer.ts';
import { expireSessionCookie, personal, requireLoggedIn, sessionTokenOf, setSessionCookie } from '../viewer.ts';
import { refuseInvalid } from './invalid.ts';
import { ErrorAnswer, failures, FavoriteIdsAnswer, idOrSlug, json } from './schemas.ts';

export const MeAnswer = z
  .object({
    id: z.uuid(),
    email: z.string().nullable(),
    username: z.string().nullable().describe('Null until a new social account has chosen one'),
    icon: z.string().nullable(),
    color: z.number().describe('Index into the avatar colours, 0–5'),
    isSubscribed: z.boolean(),
    subIsWeb: z.boolean(),
    isAdmin: z.boolean(),
    hasBlockedUsers: z.boolean(),
    blockedUsers: z.array(z.uuid()),
  })
  .openapi('Me');

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

const ProfileFields = z.object({
  username: z.string().max(2000).optional(),
  icon: z
    .string()
    .trim()
    .max(8)
    // Nothing that cannot be seen or turns the text around it; emoji are joined by U+200D.
    .regex(/^(?:\P{C}|\u200D)*$/u)
    .transform((icon) => (icon === '' ? null : icon))
    .nullable()
    .optional()
    .describe('Its first letter stands in the avatar'),
  color: z
    .number()
    .int()
    .min(0)
    .max(avatarColors - 1)
    .optional(),
  tac: z.boolean().optional(),
  legal: z.boolean().optional(),
});
/** "profile fields or user with new username" (spec §7). */
const ProfileBody = z.union([z.object({ user: ProfileFields }).transform(({ user }) => user), ProfileFields]);

const Password = z.string().min(1).max(4000);
const IdToken = z.string().min(1).max(8000);

const unauthorized = json(ErrorAnswer, 'Log in first');
const refused = json(ErrorAnswer, 'The password is wrong');
const tooMany = json(ErrorAnswer, 'Too many tries');

/** Too many of them close the account for a while; of the others there are just too many. */
const guessing: ReadonlySet<AttemptKind> = new Set(['log-in', 'password']);

export type IdentityRoutesOptions = { site: Site; trustProxy: number; secure: boolean };

/** Spec §7: registering, logging in and out, and the user's own account. */
export function identityRoutes({ site, trustProxy, secure }: IdentityRoutesOptions) {
  const { identity, library } = site;
  const app = new OpenAPIHono<ViewerEnv>({ defaultHook: refuseInvalid });
  const limit = limitBody(16 * 1024);
  for (const path of ['/auth/*', '/user/*', '/user', '/profile']) app.use(path, sameSiteOnly, limit, personal);

  async function take(context: Context, kind: AttemptKind, account: string | undefined): Promise<void> {
    const scope = await identity.attempts.take(kind, { account, address: clientAddress(context, trustProxy) });
    if (scope !== undefined) throw new DomainError(guessing.has(kind) ? 'auth/too-many-requests' : 'request/too-many');
  }

  /** For what asks for the password once more. @throws DomainError with what was refused */
  async function withPassword<Outcome extends { ok: boolean }>(
    context: Context<ViewerEnv>,
    act: () => Promise<Outcome>,
  ): Promise<Extract<Outcome, { ok: true }>> {
    const { viewer } = requireLoggedIn(context);
    await take(context, 'password', viewer.id);
    const outcome = await act();
    if (!outcome.ok) throw new DomainError((outcome as unknown as { reason: ErrorCode }).reason);
    await identity.attempts.succeeded('password', { account: viewer.id, address: clientAddress(context, trustProxy) });
    return outcome as Extract<Outcome, { ok: true }>;
  }

  async function me(userId: string) {
    const user = await identity.findMe(userId);
    if (user === undefined) throw new DomainError('auth/login-required');
    return user;
  }

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
        await take(context, 'username', undefined);
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
        const user = await me(loggedIn.viewer.id);
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
        await take(context, 'link', undefined);
        const email = await identity.confirmEmailChange(context.req.valid('json').token);
        if (email === undefined) throw new DomainError('auth/invalid-link');
        return context.json({ email }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/user/me',
        tags: ['Accounts'],
        summary: 'Who the token belongs to',
        responses: {
          200: json(MeAnswer.extend({ favorites: FavoriteIdsAnswer }).openapi('MeWithFavorites'), 'Me'),
          401: unauthorized,
        },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        const favorites = await library.findFavoriteIds(viewer.id);
        return context.json({ ...(await me(viewer.id)), favorites }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/profile',
        tags: ['Accounts'],
        summary: 'Me, and what the account page shows beside',
        responses: {
          200: json(
            MeAnswer.extend({
              createdAt: z.iso.datetime(),
              passwordChangedAt: z.iso.datetime().nullable(),
              hasPassword: z
                .boolean()
                .nullable()
                .describe('An account made by Google or Facebook may have none; null where the provider does not tell'),
            }).openapi('Profile'),
            'Profile',
          ),
          401: unauthorized,
        },
      }),
      async (context) => {
        const profile = await identity.findProfile(requireLoggedIn(context).viewer.id);
        if (profile === undefined) throw new DomainError('auth/login-required');
        return context.json(
          {
            ...profile,
            createdAt: profile.createdAt.toISOString(),
            passwordChangedAt: profile.passwordChangedAt?.toISOString() ?? null,
          },
          200,
        );
      },
    )
    .openapi(profileRoute('post'), async (context) =>
      context.json(await saveProfile(context, context.req.valid('json')), 200),
    )
    .openapi(profileRoute('put'), async (context) =>
      context.json(await saveProfile(context, context.req.valid('json')), 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/user/password',
        tags: ['Accounts'],
        summary: 'Changes the password; ends every session and opens a new one here',
        request: {
          body: {
            required: true,
            content: {
              'application/json': {
                schema: z.object({ currentPassword: Password, newPassword: z.string().max(4000) }),
              },
            },
          },
        },
        responses: {
          200: json(z.object({ token: z.string(), user: MeAnswer }), 'Changed'),
          400: failures[400],
          401: unauthorized,
          403: refused,
          429: tooMany,
        },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        const body = context.req.valid('json');
        if (body.newPassword.length < passwordLength.min || body.newPassword.length > passwordLength.max)
          throw new DomainError('auth/weak-password');
        const device = deviceOf(context.req.header('user-agent'));
        const { session } = await withPassword(context, async () => {
          await take(context, 'new-password', viewer.id);
          return identity.changePassword(viewer.id, { ...body, device });
        });
        setSessionCookie(context, session.token, secure);
        return context.json({ token: session.token, user: await me(viewer.id) }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/user/email',
        tags: ['Accounts'],
        summary: 'Sends the new address a link; nothing changes until it is followed',
        request: {
          body: {
            required: true,
            content: {
              'application/json': { schema: z.object({ email: z.string().max(2000), password: Password }) },
            },
          },
        },
        responses: {
          202: json(z.object({ message: z.string() }), 'On its way'),
          400: failures[400],
          401: unauthorized,
          403: refused,
          429: tooMany,
        },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        const { password, ...body } = context.req.valid('json');
        const newEmail = normalizeEmail(body.email);
        if (!SignUpForm.shape.email.safeParse(newEmail).success) throw new DomainError('auth/invalid-email');
        await withPassword(context, async () => {
          await take(context, 'new-email', viewer.id);
          return identity.requestEmailChange(viewer.id, { password, newEmail });
        });
        return context.json({ message: `Follow the link that was sent to ${newEmail} to make the change.` }, 202);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/user/sessions',
        tags: ['Accounts'],
        summary: 'Where this user is logged in, last used first',
        responses: {
          200: json(
            z.object({
              items: z.array(
                z
                  .object({
                    id: z.uuid(),
                    device: z.string(),
                    createdAt: z.iso.datetime(),
                    lastUsedAt: z.iso.datetime(),
                    isCurrent: z.boolean(),
                  })
                  .openapi('Session'),
              ),
            }),
            'Sessions',
          ),
          401: unauthorized,
        },
      }),
      async (context) => {
        const { viewer, sessionId } = requireLoggedIn(context);
        const items = await identity.listSessions(viewer.id, sessionId);
        return context.json(
          {
            items: items.map((session) => ({
              ...session,
              createdAt: session.createdAt.toISOString(),
              lastUsedAt: session.lastUsedAt.toISOString(),
            })),
          },
          200,
        );
      },
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/user/sessions',
        tags: ['Accounts'],
        summary: 'Logs out everywhere, here too',
        responses: { 204: { description: 'Logged out' }, 401: unauthorized },
      }),
      async (context) => {
        await identity.endAllSessions(requireLoggedIn(context).viewer.id);
        expireSessionCookie(context, secure);
        return context.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/user/sessions/{id}',
        tags: ['Accounts'],
        summary: 'Logs out one device',
        request: { params: z.object({ id: z.uuid() }) },
        responses: { 204: { description: 'Logged out' }, 401: unauthorized, ...failures },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        if (!(await identity.endSession(viewer.id, context.req.valid('param').id)))
          throw new DomainError('request/not-found');
        return context.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/user/export',
        tags: ['Accounts'],
        summary: 'All that the site knows of this user, as a ZIP of JSON files',
        responses: {
          200: {
            description: 'ZIP',
            content: { 'application/zip': { schema: z.string().openapi({ format: 'binary' }) } },
          },
          401: unauthorized,
          429: tooMany,
        },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        await take(context, 'export', viewer.id);
        const files = await identity.exportUser(viewer.id);
        const zip = zipSync(
          Object.fromEntries(
            Object.entries(files).map(([name, content]) => [`${name}.json`, strToU8(JSON.stringify(content, null, 2))]),
          ),
        );
        return new Response(new Uint8Array(zip), {
          headers: {
            'content-type': 'application/zip',
            'content-disposition': 'attachment; filename="my-data.zip"',
            'cache-control': 'private, no-store',
          },
        }) as never;
      },
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/user',
        tags: ['Accounts'],
        summary: 'Deletes the account and all that belongs to it',
        request: {
          body: {
            required: true,
            content: {
              'application/json': {
                schema: z.union([z.object({ password: Password }), z.object({ firebaseIdtoken: IdToken })]),
              },
            },
          },
        },
        responses: {
          204: { description: 'Deleted' },
          400: failures[400],
          401: unauthorized,
          403: refused,
          429: tooMany,
        },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        const body = context.req.valid('json');
        const proof = 'password' in body ? { password: body.password } : { idToken: body.firebaseIdtoken };
        await withPassword(context, () => identity.deleteAccount(viewer.id, proof));
        expireSessionCookie(context, secure);
        return context.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/users/{id}',
        tags: ['Accounts'],
        summary: 'What anyone may see of a user',
        request: { params: idOrSlug },
        responses: {
          200: json(
            z
              .object({
                id: z.uuid(),
                username: z.string(),
                icon: z.string().nullable(),
                color: z.number(),
                createdAt: z.iso.datetime(),
              })
              .openapi('PublicProfile'),
            'Public profile',
          ),
          ...failures,
        },
      }),
      async (context) => {
        const profile = await identity.findPublicProfile(context.req.valid('param').id);
        if (profile === undefined) throw new DomainError('request/not-found');
        return context.json({ ...profile, createdAt: profile.createdAt.toISOString() }, 200);
      },
    );

  async function saveProfile(context: Context<ViewerEnv>, change: z.infer<typeof ProfileBody>) {
    const { viewer } = requireLoggedIn(context);
    await take(context, 'profile', viewer.id);
    const outcome = await identity.updateProfile(viewer.id, change);
    if (!outcome.ok) throw new DomainError(outcome.reason);
    return { user: outcome.user };
  }
}

function profileRoute<Method extends 'post' | 'put'>(method: Method) {
  return createRoute({
    method,
    path: '/user/profile',
    tags: ['Accounts'],
    summary: 'Changes username and avatar; completes a new social account',
    request: { body: { required: true, content: { 'application/json': { schema: ProfileBody } } } },
    responses: {
      200: json(z.object({ user: MeAnswer }), 'Saved'),
      400: failures[400],
      401: unauthorized,
      409: json(ErrorAnswer, 'The username is taken'),
      429: tooMany,
    },
  });
}

/** The first field that is wrong, in the order of the form. */
function codeOfField(fields: unknown[]): ErrorCode {
  if (fields.includes('email')) return 'auth/invalid-email';
  if (fields.includes('username')) return 'auth/invalid-username';
  if (fields.includes('password')) return 'auth/weak-password';
  return fields.includes('tac') ? 'auth/under-age' : 'auth/terms-not-accepted';
}

/**
 * What browsers say of where a call comes from; apps and servers say nothing. A foreign page cannot send JSON here
 * without asking first, which is refused: this holds should that ever be loosened, since logging in sets a cookie.
 */
async function sameSiteOnly(context: Context, next: () => Promise<void>): Promise<Response | void> {
  const from = context.req.header('sec-fetch-site');
  if (context.req.method !== 'GET' && from !== undefined && from !== 'same-origin')
    return errorResponse('request/invalid', 'This call has to come from the site itself.');
  return next();
}
