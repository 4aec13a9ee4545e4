import { OpenAPIHono, createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { strToU8, zipSync } from 'fflate';
import { DomainError } from '#domain/errors.ts';
import type { ErrorCode } from '#domain/errors.ts';
import { SignUpForm } from '#domain/identity/forms.ts';
import { avatarColors, normalizeEmail, passwordLength } from '#domain/identity/rules.ts';
import { deviceOf } from '../device.ts';
import { limitBody } from '../limit-body.ts';
import { clientAddress } from '../rate-limit.ts';
import type { ViewerEnv } from '../viewer.ts';
import { expireSessionCookie, personal, requireLoggedIn, setSessionCookie } from '../viewer.ts';
import { IdToken, MeAnswer, Password, findMe, sameSiteOnly, takeAttempt, tooMany, unauthorized } from './identity.ts';
import type { IdentityParts } from './identity.ts';
import { refuseInvalid } from './invalid.ts';
import { ErrorAnswer, FavoriteIdsAnswer, failures, idOrSlug, json } from './schemas.ts';

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

const refused = json(ErrorAnswer, 'The password is wrong');

/** Spec §7: the user's own account, and what others see of it. */
export function accountRoutes(parts: IdentityParts) {
  const { site, trustProxy, secure } = parts;
  const { identity, library } = site;
  const app = new OpenAPIHono<ViewerEnv>({ defaultHook: refuseInvalid });
  const limit = limitBody(16 * 1024);
  for (const path of ['/user/*', '/user', '/profile']) app.use(path, sameSiteOnly, limit, personal);

  /** For what asks for the password once more. @throws DomainError with what was refused */
  async function withPassword<Outcome extends { ok: boolean }>(
    context: Context<ViewerEnv>,
    act: () => Promise<Outcome>,
  ): Promise<Extract<Outcome, { ok: true }>> {
    const { viewer } = requireLoggedIn(context);
    await takeAttempt(parts, context, 'password', viewer.id);
    const outcome = await act();
    if (!outcome.ok) throw new DomainError((outcome as unknown as { reason: ErrorCode }).reason);
    await identity.attempts.succeeded('password', { account: viewer.id, address: clientAddress(context, trustProxy) });
    return outcome as Extract<Outcome, { ok: true }>;
  }

  return app
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
        return context.json({ ...(await findMe(parts, viewer.id)), favorites }, 200);
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
          await takeAttempt(parts, context, 'new-password', viewer.id);
          return identity.changePassword(viewer.id, { ...body, device });
        });
        setSessionCookie(context, session.token, secure);
        return context.json({ token: session.token, user: await findMe(parts, viewer.id) }, 200);
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
          await takeAttempt(parts, context, 'new-email', viewer.id);
          return identity.requestEmailChange(viewer.id, { password, newEmail });
        });
        return context.json({ message: `Follow the link that was sent to ${newEmail} to make the change.` }, 202);
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
        await takeAttempt(parts, context, 'export', viewer.id);
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
    await takeAttempt(parts, context, 'profile', viewer.id);
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
