import { z } from '@hono/zod-openapi';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { isAppCode } from '#domain/identity/rules.ts';
import type { AdminSession } from '#domain/identity/second-factor/second-factor.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import type { Site } from '#domain/site.ts';
import { tooManyTries } from '../account/attempts.ts';
import { callBy } from '../call.ts';
import { Instant } from '#domain/kernel/shapes.ts';

/** The second factor of operators (decision 029). The domain checks the rights. */

const Base64Url = z
  .string()
  .max(4000)
  .regex(/^[\w-]*$/);

/** https://www.w3.org/TR/webauthn-3/#dictdef-authenticationresponsejson; browsers add fields of later versions. */
const credential = {
  id: Base64Url.max(1400),
  rawId: Base64Url.max(1400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['cross-platform', 'platform']).optional(),
  clientExtensionResults: z.record(z.string().max(60), z.unknown()).default({}),
};

const PasskeyAnswer = z.looseObject({
  ...credential,
  response: z.looseObject({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Base64Url.optional(),
  }),
}) as unknown as z.ZodType<AuthenticationResponseJSON>;

const NewPasskey = z.looseObject({
  ...credential,
  response: z.looseObject({
    clientDataJSON: Base64Url,
    attestationObject: z
      .string()
      .max(24_000)
      .regex(/^[\w-]*$/),
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
}) as unknown as z.ZodType<RegistrationResponseJSON>;

const Code = z.string().trim().min(1).max(40);
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
const Options = z.object({ options: z.record(z.string(), z.unknown()) });

/** Counts the try at a code or password before it is checked. */
async function limited<Outcome extends { ok: true } | { ok: false; reason: ErrorCode }>(
  { site, address, session }: { site: Site; address: string; session: AdminSession },
  kind: 'second-factor' | 'recovery-code' | 'password',
  act: () => Promise<Outcome>,
): Promise<Outcome> {
  const { attempts, secondFactor } = site.identity;
  const of = { account: session.viewer.id, address };
  const { refusal, atAccount } = await attempts.takeCounted(kind, of);
  const note = async (outcome: 'right' | 'wrong' | 'locked') => {
    if (kind !== 'password') await secondFactor.recordTry(session, { outcome, atAccount });
  };
  if (refusal !== undefined) {
    await note('locked');
    throw tooManyTries(kind, refusal);
  }
  const outcome = await act();
  if (outcome.ok) await attempts.succeeded(kind, of);
  if (outcome.ok || outcome.reason === 'auth/wrong-code') await note(outcome.ok ? 'right' : 'wrong');
  return outcome;
}
const operatorCall = callBy('any-operator', {
  sameSite: true,
  limit: { kind: 'second-factor', perMinute: 60 },
  maxBytes: 32 * 1024,
  command: { none: 'a second factor is set up and shown on one’s own device' },
});

export const findSecondFactor = operatorCall({
  get: '/admin/second-factor',
  about: 'Which second factors this operator has',
  output: z.object({
    appSince: Instant.nullable(),
    passkeys: z.array(z.object({ id: z.uuid(), name: z.string(), createdAt: Instant, lastUsedAt: Instant.nullable() })),
    recoveryCodesLeft: z.number(),
    isRequired: z.boolean(),
    passkeyHost: z.string(),
    hasPassword: z.boolean().nullable(),
  }),
  act: ({ site, viewer }) => site.identity.secondFactor.findSecondFactor(viewer.id),
});

export const startApp = operatorCall({
  post: '/admin/second-factor/app',
  about: 'A new secret for an authenticator app; it counts once it is confirmed',
  output: z.object({ key: z.string(), uri: z.string() }),
  errors: ['auth/fresh-login-required', 'auth/second-factor-exists'],
  act: ({ site, session }) => site.identity.secondFactor.startApp(session),
});

export const confirmApp = operatorCall({
  put: '/admin/second-factor/app',
  about: 'Confirms the app by a first code; with the first factor come recovery codes, which are shown once',
  input: z.object({ code: Code }),
  output: RecoveryCodes,
  errors: ['auth/fresh-login-required', 'auth/wrong-code'],
  act: (given) =>
    limited(given, 'second-factor', () => given.site.identity.secondFactor.confirmApp(given.session, given.input.code)),
});

export const startPasskey = operatorCall({
  post: '/admin/second-factor/passkeys/options',
  about: 'Options for `navigator.credentials.create`',
  output: Options,
  errors: ['auth/fresh-login-required'],
  async act({ site, session }) {
    const started = await site.identity.secondFactor.startPasskey(session);
    return started.ok ? { options: { ...started.options } } : started;
  },
});

export const addPasskey = operatorCall({
  post: '/admin/second-factor/passkeys',
  about: 'Adds a passkey; with the first factor come recovery codes, which are shown once',
  input: z.object({ name: z.string().trim().min(1).max(60), passkey: NewPasskey }),
  output: RecoveryCodes,
  errors: ['auth/fresh-login-required', 'auth/wrong-code'],
  act: ({ site, session, input: { name, passkey } }) =>
    site.identity.secondFactor.addPasskey(session, { name, response: passkey }),
});

export const removeFactor = operatorCall({
  delete: '/admin/second-factor/{factor}',
  about: 'Removes the app, or a passkey by its id',
  params: z.object({ factor: z.union([z.literal('app'), z.uuid()]) }),
  errors: ['auth/fresh-login-required', 'auth/last-second-factor', 'request/not-found'],
  act: ({ site, session, factor }) => site.identity.secondFactor.removeFactor(session, factor),
});

export const renewRecoveryCodes = operatorCall({
  post: '/admin/second-factor/recovery-codes',
  about: 'New recovery codes; the ones before count no longer',
  output: RecoveryCodes,
  errors: ['auth/fresh-login-required', 'request/not-found'],
  act: ({ site, session }) => site.identity.secondFactor.renewRecoveryCodes(session),
});

export const askForPasskey = operatorCall({
  post: '/admin/second-factor/challenge',
  about: 'Options for `navigator.credentials.get`',
  output: Options,
  act: async ({ site, session }) => ({ options: { ...(await site.identity.secondFactor.askForPasskey(session)) } }),
});

export const proveSession = operatorCall({
  post: '/admin/second-factor/proof',
  about: 'Confirms the user of this session: by a code, a passkey or, without a second factor, the password',
  input: z.union([
    z.object({ code: Code }),
    z.object({ passkey: PasskeyAnswer }),
    z.object({ password: z.string().min(1).max(256) }),
  ]),
  output: z.object({ recoveryCodesLeft: z.number() }),
  errors: ['auth/wrong-code', 'auth/wrong-password', 'auth/second-factor-required', 'auth/too-many-requests'],
  act(given) {
    const { site, session, input } = given;
    const isRecovery = 'code' in input && !isAppCode(input.code);
    const kind = 'password' in input ? 'password' : isRecovery ? 'recovery-code' : 'second-factor';
    return limited(given, kind, () => site.identity.secondFactor.proveSession(session, input));
  },
});
