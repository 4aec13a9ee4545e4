import type { Db } from '#domain/kernel/db.ts';
import type { MailMessage } from '#domain/gateways.ts';
import type { IdentityProvider } from '#domain/identity/provider.ts';
import { passwordWasReset } from '#domain/identity/account-changes.ts';
import { countAttempts } from '#domain/identity/attempts.ts';
import type { Site } from '#domain/site.ts';
import { openBuiltInIdentity } from '#gateways/built-in-identity/built-in-identity.ts';
import { pino } from 'pino';
import { mailInto } from './servers/mail-box.ts';

/** The built-in provider with the site's settings; the test receives its mails. */
export type TestIdentity = {
  provider: IdentityProvider;
  handle(request: Request): Promise<Response>;
  mails: MailMessage[];
};

export const testOrigin = 'http://127.0.0.1:3000';
export const testSecret = 'a secret that is only for tests, and long enough';

/** The recommended cost takes 40 ms of a processor for each hash and each check. */
export const lowHashCost = { memory: 8, passes: 1, parallelism: 1 };

export async function openTestIdentity(
  { db }: { db: Db },
  options: Partial<Parameters<typeof openBuiltInIdentity>[0]> = {},
): Promise<TestIdentity> {
  const mails: MailMessage[] = [];
  const { provider, handle } = await openBuiltInIdentity({
    db,
    secret: testSecret,
    siteUrl: testOrigin,
    siteName: () => 'Sotto',
    takesAnswers: false,
    mail: mailInto(mails),
    social: {},
    hashCost: lowHashCost,
    log: pino({ level: 'silent' }),
    onPasswordChanged: (account) => passwordWasReset(db, countAttempts(db, testSecret), { name: 'built-in' }, account),
    ...options,
  });
  return { provider, handle, mails };
}

/** Signs in at the provider, as the browser does. @returns the ID token */
export async function signIn(identity: Pick<TestIdentity, 'handle'>, email: string, password: string): Promise<string> {
  const signedIn = await identity.handle(
    new Request(`${testOrigin}/identity/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: testOrigin },
      body: JSON.stringify({ email, password }),
    }),
  );
  if (!signedIn.ok) throw new Error(`Signing in was answered with ${signedIn.status}`);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const answer = await identity.handle(new Request(`${testOrigin}/identity/token`, { headers: { cookie } }));
  const { token } = (await answer.json()) as { token: string };
  return token;
}

let count = 0;

/** Registers and logs in a user. */
export async function registerUser(
  site: Pick<Site, 'identity'>,
  identity: TestIdentity,
  overrides: { email?: string; username?: string; password?: string } = {},
) {
  count += 1;
  const form = {
    email: `user-${count}@example.org`,
    username: `user-${count}`,
    password: `password ${count}`,
    ...overrides,
  };
  const registered = await site.identity.signUp(form);
  if (!registered.ok) throw new Error(registered.reason);
  const idToken = await signIn(identity, form.email, form.password);
  const loggedIn = await site.identity.logIn({ idToken, device: 'Chrome on Linux' });
  if (!loggedIn.ok) throw new Error(loggedIn.reason);
  return { ...form, id: registered.user.id, token: loggedIn.session.token };
}
