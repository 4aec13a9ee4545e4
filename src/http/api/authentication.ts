import { OpenAPIHono } from '@hono/zod-openapi';
import { DomainError, errorStatus, TooManyTries } from '#domain/kernel/errors.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { longPassword, SignUpForm, usernameFault } from '#domain/identity/forms.ts';
import { passwordLength } from '#domain/identity/rules.ts';
import { deviceOf } from '../device.ts';
import { errorBody } from '../errors.ts';
import { clientAddress } from '../limits/rate-limit.ts';
import { expireSessionCookie, sessionTokenOf, setSessionCookie } from '../viewer.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { takeAttempt } from './attempts.ts';
import * as contract from './authentication-contract.ts';
import { findMe } from './me.ts';
import { isFromOwnPage } from './same-site.ts';

/** Spec §7: registering, logging in and out. */
export function authenticationRoutes(parts: ApiParts) {
  const { site, trustProxy, secure } = parts;
  const { identity } = site;
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.logIn, async (context) => {
      const outcome = await identity.logIn({
        idToken: context.req.valid('json').firebaseIdtoken,
        device: deviceOf(context.req.header('user-agent')),
      });
      if (!outcome.ok) throw new DomainError(outcome.reason);
      const { session, user, isNewAccount } = outcome;
      setSessionCookie(context, session.token, secure);
      return context.json({ token: session.token, user, isNewAccount }, 200);
    })
    .openapi(contract.register, async (context) => {
      const body = context.req.valid('json');
      const refuse = (code: ErrorCode, message?: string) => {
        const status = errorStatus[code] as 400 | 403 | 409 | 429;
        return context.json({ error: { ...errorBody(code, message).error, statusCode: status } }, status);
      };
      const form = SignUpForm.safeParse({ tac: false, legal: false, ...body });
      if (!form.success) {
        const code = codeOfField(form.error.issues.map(({ path }) => path[0]));
        return refuse(code, reasonOf(code, body));
      }
      const of = { account: form.data.email, address: clientAddress(context, trustProxy) };
      const limited = await identity.attempts.take('register', of);
      if (limited !== undefined) {
        context.header('retry-after', String(limited.retryAfter));
        return refuse('request/too-many', new TooManyTries(limited.retryAfter).message);
      }
      const outcome = await identity.register({ ...form.data, source: body.source });
      return outcome.ok ? context.json({ user: outcome.user }, 201) : refuse(outcome.reason);
    })
    .openapi(contract.checkUsername, async (context) => {
      await takeAttempt(parts, context, 'username', undefined);
      const answer = await identity.checkUsername(
        context.req.valid('param').username,
        context.get('loggedIn')?.viewer.id,
      );
      if (answer === 'free') return context.json({ available: true as const }, 202);
      if (answer === 'taken') throw new DomainError('auth/username-already-in-use');
      throw new DomainError('auth/invalid-username', usernameFault(context.req.valid('param').username));
    })
    .openapi(contract.openCookieSession, async (context) => {
      const loggedIn = context.get('loggedIn');
      if (loggedIn === undefined) {
        expireSessionCookie(context, secure);
        return context.json(errorBody('auth/login-required'), 401);
      }
      const user = await findMe(parts, loggedIn.viewer.id);
      setSessionCookie(context, loggedIn.token, secure);
      return context.json({ user, isNewAccount: user.username === null }, 200);
    })
    .openapi(contract.findSessionToken, async (context) => {
      if (!isFromOwnPage(context, site.facts.url))
        throw new DomainError('request/invalid', 'This call has to come from the site itself.');
      const token = sessionTokenOf(context.req.raw);
      const session = token === undefined ? undefined : await identity.findSession(token);
      if (token === undefined || session === undefined) {
        expireSessionCookie(context, secure);
        return context.json(errorBody('auth/login-required'), 401);
      }
      setSessionCookie(context, token, secure);
      return context.json({ token, user: await findMe(parts, session.viewer.id) }, 200);
    })
    .openapi(contract.logOut, async (context) => {
      for (const token of [context.get('loggedIn')?.token, sessionTokenOf(context.req.raw)])
        if (token !== undefined) await identity.endSessionOf(token);
      expireSessionCookie(context, secure);
      return context.body(null, 204);
    })
    .openapi(contract.confirmEmail, async (context) => {
      await takeAttempt(parts, context, 'link', undefined);
      const email = await identity.confirmEmailChange(context.req.valid('json').token);
      if (email === undefined) throw new DomainError('auth/invalid-link');
      return context.json({ email }, 200);
    });
}

/** @returns undefined where the code's own sentence says it */
function reasonOf(code: ErrorCode, { username, password }: { username?: unknown; password?: unknown }) {
  if (code === 'auth/invalid-username') return usernameFault(String(username ?? ''));
  const isLong = typeof password === 'string' && password.length > passwordLength.max;
  return code === 'auth/weak-password' && isLong ? longPassword : undefined;
}

/** The first invalid field, in the order of the form. */
function codeOfField(fields: unknown[]): ErrorCode {
  if (fields.includes('email')) return 'auth/invalid-email';
  if (fields.includes('username')) return 'auth/invalid-username';
  if (fields.includes('password')) return 'auth/weak-password';
  return fields.includes('tac') ? 'auth/under-age' : 'auth/terms-not-accepted';
}
