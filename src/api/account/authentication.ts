import { z } from '@hono/zod-openapi';
import { longPassword, SignUpForm, usernameFault } from '#domain/identity/forms.ts';
import { passwordLength } from '#domain/identity/rules.ts';
import {
  type ErrorCode,
  type Sentence,
  DomainError,
  errorStatus,
  errorTexts,
  say,
  TooManyTries,
} from '#domain/kernel/errors.ts';
import { takeAttempt } from './attempts.ts';
import { callBy } from '../call.ts';
import { findMe, IdToken, MeResponse, SignUpFrom } from './me.ts';
import { ErrorResponse } from '../schemas.ts';

/** Spec §7: registering, logging in and out. */

const call = callBy('anyone', { cache: 'private, no-store', sameSite: true });

/** Looser than the form, so that errors get the codes of spec §5. */
const RegisterBody = z.object({
  email: z.string().max(2000),
  username: z.string().max(2000),
  password: z.string().max(4000),
  tac: z.boolean().optional().describe('At least 18 years old'),
  legal: z.boolean().optional().describe('Accepts terms and privacy policy'),
  source: SignUpFrom,
});

export const logIn = call({
  post: '/auth/login',
  about: 'Changes an ID token of the identity provider for a session',
  input: z.object({ firebaseIdtoken: IdToken }),
  output: z.object({ token: z.string(), user: MeResponse, isNewAccount: z.boolean() }),
  errors: [
    'auth/invalid-id-token',
    'auth/user-disabled',
    'auth/account-exists-with-different-credential',
    'site/sign-up-closed',
  ],
  security: [{}],
  async act({ site, cookie, device, input }) {
    const outcome = await site.identity.logIn({ idToken: input.firebaseIdtoken, device });
    if (!outcome.ok) return outcome;
    const { session, user, isNewAccount } = outcome;
    cookie.set(session.token);
    return { token: session.token, user, isNewAccount };
  },
});

export const register = call({
  post: '/auth/register',
  about: 'Makes an account; the browser then signs in with it',
  input: RegisterBody,
  output: z.object({ user: z.object({ id: z.uuid(), username: z.string(), email: z.string() }) }),
  status: 201,
  refusal: z.object({ error: ErrorResponse.shape.error.extend({ statusCode: z.number() }) }).openapi('RegisterError'),
  errors: [
    'auth/invalid-email',
    'auth/invalid-username',
    'auth/weak-password',
    'auth/common-password',
    'auth/under-age',
    'auth/terms-not-accepted',
    'auth/email-already-in-use',
    'auth/username-already-in-use',
    'site/sign-up-closed',
    'request/too-many',
  ],
  async act({ site: { identity }, address, input }) {
    const form = SignUpForm.safeParse({ tac: false, legal: false, ...input });
    if (!form.success) {
      const code = codeOfField(form.error.issues.map(({ path }) => path[0]));
      return refusalOf(code, reasonOf(code, input));
    }
    const refusal = await identity.attempts.take('register', { account: form.data.email, address });
    if (refusal !== undefined) {
      const { retryAfter } = refusal;
      return refusalOf('request/too-many', new TooManyTries(retryAfter).sentence, {
        'retry-after': String(retryAfter),
      });
    }
    const outcome = await identity.signUp({ ...form.data, source: input.source });
    return outcome.ok ? outcome : refusalOf(outcome.reason);
  },
});

/** With the status in the body too, as spec §7 has it. */
function refusalOf(code: ErrorCode, sentence: Sentence | string = errorTexts[code], headers?: HeadersInit): Response {
  const statusCode = errorStatus[code];
  return Response.json(
    { error: { code, message: say(sentence), statusCode } },
    { status: statusCode, ...(headers && { headers }) },
  );
}

/** @returns undefined where the code's own sentence says it */
function reasonOf(code: ErrorCode, { username, password }: { username: string; password: string }) {
  if (code === 'auth/invalid-username') return usernameFault(username);
  return code === 'auth/weak-password' && password.length > passwordLength.max ? longPassword() : undefined;
}

/** The first invalid field, in the order of the form. */
function codeOfField(fields: unknown[]): ErrorCode {
  if (fields.includes('email')) return 'auth/invalid-email';
  if (fields.includes('username')) return 'auth/invalid-username';
  if (fields.includes('password')) return 'auth/weak-password';
  return fields.includes('tac') ? 'auth/under-age' : 'auth/terms-not-accepted';
}

export const checkUsername = call({
  get: '/auth/username/{username}',
  about: 'Whether a username is free: 202 means it is',
  params: z.object({ username: z.string().min(1).max(400) }),
  output: z.object({ available: z.literal(true) }),
  status: 202,
  errors: ['auth/username-already-in-use', 'auth/invalid-username', 'request/too-many'],
  async act(given) {
    const { site, username, session } = given;
    await takeAttempt(given, 'username', undefined);
    const answer = await site.identity.checkUsername(username, session?.viewer.id);
    if (answer === 'taken') throw new DomainError('auth/username-already-in-use');
    if (answer === 'invalid') throw new DomainError('auth/invalid-username', usernameFault(username));
    return { available: true as const };
  },
});

export const openCookieSession = call({
  post: '/auth/session',
  about: 'Changes the token for the cookie that pages and media are asked for with',
  output: z.object({ user: MeResponse, isNewAccount: z.boolean() }),
  errors: ['auth/login-required'],
  security: [{ session: [] }],
  async act({ site, cookie, session }) {
    if (session === undefined) {
      cookie.set(undefined);
      throw new DomainError('auth/login-required');
    }
    const user = await findMe(site, session.viewer.id);
    cookie.set(session.token);
    return { user, isNewAccount: user.username === null };
  },
});

export const findSessionToken = call({
  post: '/auth/session/token',
  about: 'Exchanges the cookie for its token, for a page whose script storage is empty or blocked',
  output: z.object({ token: z.string(), user: MeResponse }),
  errors: ['auth/login-required', 'request/invalid'],
  security: [{ cookie: [] }],
  limit: { kind: 'session token', perMinute: 60 },
  async act({ site, cookie }) {
    if (!cookie.isOfOwnPage) throw new DomainError('request/invalid', 'This call has to come from the site itself.');
    const token = cookie.token;
    const session = token === undefined ? undefined : await site.identity.findSession(token);
    if (token === undefined || session === undefined) {
      cookie.set(undefined);
      throw new DomainError('auth/login-required');
    }
    cookie.set(token);
    return { token, user: await findMe(site, session.viewer.id) };
  },
});

export const logOut = call({
  post: '/auth/logout',
  about: 'Ends this session; takes the cookie too, since all it does is to end it',
  async act({ site, cookie, session }) {
    for (const token of [session?.token, cookie.token])
      if (token !== undefined) await site.identity.endSessionOf(token);
    cookie.set(undefined);
  },
});

export const confirmEmail = call({
  post: '/auth/email/confirm',
  about: 'Follows the link that a new e-mail address was sent',
  input: z.object({ token: z.string().min(1).max(200) }),
  output: z.object({ email: z.string() }),
  errors: ['auth/invalid-link', 'request/too-many'],
  async act(given) {
    await takeAttempt(given, 'link', undefined);
    const email = await given.site.identity.confirmEmailChange(given.input.token);
    if (email === undefined) throw new DomainError('auth/invalid-link');
    return { email };
  },
});
