import type { z } from '@hono/zod-openapi';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { DomainError } from '#domain/kernel/errors.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { longPassword, SignUpForm, usernameFault } from '#domain/identity/forms.ts';
import { normalizeEmail, passwordLength } from '#domain/identity/rules.ts';
import { deviceOf } from '../device.ts';
import { clientAddress } from '../limits/rate-limit.ts';
import { expireSessionCookie, setSessionCookie } from '../viewer.ts';
import * as contract from './account-contract.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { takeAttempt } from './attempts.ts';
import { zipOf } from '../files/export-zip.ts';
import { found } from '#api/found.ts';
import { findMe } from './me.ts';

/** Spec §7: the user's own account, and the public profile. */
export function accountRoutes(parts: ApiParts) {
  const { site, trustProxy, secure } = parts;
  const { identity, library } = site;

  /** For changes that require the password again. @throws DomainError with the reason of the refusal */
  async function withPassword<Outcome extends { ok: boolean }>(
    context: Context,
    account: string,
    act: () => Promise<Outcome>,
  ): Promise<Extract<Outcome, { ok: true }>> {
    await takeAttempt(parts, context, 'password', account);
    const outcome = await act();
    if (!outcome.ok) throw new DomainError((outcome as unknown as { reason: ErrorCode }).reason);
    await identity.attempts.succeeded('password', { account, address: clientAddress(context, trustProxy) });
    return outcome as Extract<Outcome, { ok: true }>;
  }

  async function saveProfile(userId: string, change: z.infer<typeof contract.ProfileBody>) {
    const outcome = await identity.updateProfile(userId, change);
    const reason = !outcome.ok && outcome.reason === 'auth/invalid-username' && usernameFault(change.username ?? '');
    if (!outcome.ok) throw new DomainError(outcome.reason, reason || undefined);
    return { user: outcome.user };
  }

  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.findMe, async (context) => {
      const { viewer } = context.get('loggedIn');
      const favorites = await library.findFavoriteIds(viewer.id);
      return context.json({ ...(await findMe(parts, viewer.id)), favorites }, 200);
    })
    .openapi(contract.findProfile, async (context) => {
      const profile = await identity.findProfile(context.get('loggedIn').viewer.id);
      if (profile === undefined) throw new DomainError('auth/login-required');
      return context.json(
        {
          ...profile,
          createdAt: profile.createdAt.toISOString(),
          passwordChangedAt: profile.passwordChangedAt?.toISOString() ?? null,
          deletionDueAt: profile.deletionDueAt?.toISOString() ?? null,
        },
        200,
      );
    })
    .openapi(contract.postProfile, async (context) => {
      const { viewer } = context.get('loggedIn');
      await takeAttempt(parts, context, 'profile', viewer.id);
      return context.json(await saveProfile(viewer.id, context.req.valid('json')), 200);
    })
    .openapi(contract.putProfile, async (context) => {
      const { viewer } = context.get('loggedIn');
      await takeAttempt(parts, context, 'profile', viewer.id);
      return context.json(await saveProfile(viewer.id, context.req.valid('json')), 200);
    })
    .openapi(contract.setDiscreet, async (context) => {
      const { viewer } = context.get('loggedIn');
      await takeAttempt(parts, context, 'profile', viewer.id);
      const { isDiscreet } = context.req.valid('json');
      await identity.setDiscreet(viewer.id, isDiscreet);
      return context.json({ isDiscreet }, 200);
    })
    .openapi(contract.changePassword, async (context) => {
      const { viewer } = context.get('loggedIn');
      const body = context.req.valid('json');
      if (body.newPassword.length < passwordLength.min) throw new DomainError('auth/weak-password');
      if (body.newPassword.length > passwordLength.max) throw new DomainError('auth/weak-password', longPassword);
      const device = deviceOf(context.req.header('user-agent'));
      const { session } = await withPassword(context, viewer.id, async () => {
        await takeAttempt(parts, context, 'new-password', viewer.id);
        return identity.changePassword(viewer.id, { ...body, device });
      });
      setSessionCookie(context, session.token, secure);
      return context.json({ token: session.token, user: await findMe(parts, viewer.id) }, 200);
    })
    .openapi(contract.requestEmailChange, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { password, ...body } = context.req.valid('json');
      const newEmail = normalizeEmail(body.email);
      if (!SignUpForm.shape.email.safeParse(newEmail).success) throw new DomainError('auth/invalid-email');
      await withPassword(context, viewer.id, () =>
        identity.requestEmailChange(viewer.id, { password, newEmail }, () =>
          takeAttempt(parts, context, 'new-email', viewer.id),
        ),
      );
      // Firebase confirms it on its own page, so that the site learns of it by the next log-in.
      const next = site.facts.identity.provider === 'firebase' ? ' Then log out, and log in with the new address.' : '';
      return context.json({ message: `Follow the link that was sent to ${newEmail} to make the change.${next}` }, 202);
    })
    .openapi(contract.exportUser, async (context) => {
      const { viewer } = context.get('loggedIn');
      await takeAttempt(parts, context, 'export', viewer.id);
      const files = await identity.exportUser(viewer.id);
      const failed = (error: unknown) => parts.failures.report(error, 'An export broke off');
      return new Response(zipOf(files, failed), {
        headers: {
          'content-type': 'application/zip',
          'content-disposition': 'attachment; filename="my-data.zip"',
        },
      }) as never;
    })
    .openapi(contract.deleteAccount, async (context) => {
      const { viewer } = context.get('loggedIn');
      const body = context.req.valid('json');
      const proof = 'password' in body ? { password: body.password } : { idToken: body.firebaseIdtoken };
      await withPassword(context, viewer.id, () => identity.deleteAccount(viewer.id, proof));
      expireSessionCookie(context, secure);
      return context.body(null, 204);
    })
    .openapi(contract.findPublicProfile, async (context) => {
      const profile = found(await identity.findPublicProfile(context.req.valid('param').id));
      return context.json({ ...profile, createdAt: profile.createdAt.toISOString() }, 200);
    });
}
