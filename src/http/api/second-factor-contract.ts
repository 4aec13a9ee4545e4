import { createRoute, z } from '@hono/zod-openapi';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { limitBody } from '../limits/limit-body.ts';
import { inOrder, limitAccount, operatorOnly, personal } from './guards.ts';
import { sameSiteOnly } from './same-site.ts';
import { failures, json, jsonBody, refusals } from '#api/schemas.ts';

/** The second factor of operators (decision 029). The domain checks the rights. */

const own = inOrder(personal, sameSiteOnly, operatorOnly, limitAccount('second-factor', 60), limitBody(32 * 1024));
const about = { middleware: own, tags: ['Admin'] };

const Base64Url = z
  .string()
  .max(4000)
  .regex(/^[\w-]*$/);

/** https://www.w3.org/TR/webauthn-3/#dictdef-authenticationresponsejson; browsers add fields of later versions. */
const credential = { id: Base64Url.max(1400), rawId: Base64Url.max(1400), type: z.literal('public-key') };
const attachment = z.enum(['cross-platform', 'platform']).optional();
const extensions = z.record(z.string().max(60), z.unknown()).default({});

const PasskeyAnswer = z.looseObject({
  ...credential,
  authenticatorAttachment: attachment,
  clientExtensionResults: extensions,
  response: z.looseObject({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Base64Url.optional(),
  }),
}) as unknown as z.ZodType<AuthenticationResponseJSON>;

const NewPasskey = z.looseObject({
  ...credential,
  authenticatorAttachment: attachment,
  clientExtensionResults: extensions,
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
const codes = z.object({ recoveryCodes: z.array(z.string()) });
const options = z.object({ options: z.record(z.string(), z.unknown()) });
const answers = { ...refusals, ...failures };

export const findSecondFactor = createRoute({
  ...about,
  method: 'get',
  path: '/admin/second-factor',
  summary: 'Which second factors this operator has',
  responses: {
    200: json(
      z.object({
        appSince: z.iso.datetime().nullable(),
        passkeys: z.array(
          z.object({
            id: z.uuid(),
            name: z.string(),
            createdAt: z.iso.datetime(),
            lastUsedAt: z.iso.datetime().nullable(),
          }),
        ),
        recoveryCodesLeft: z.number(),
        isRequired: z.boolean(),
        passkeyHost: z.string(),
        hasPassword: z.boolean().nullable(),
      }),
      'Second factors',
    ),
    ...answers,
  },
});

export const startApp = createRoute({
  ...about,
  method: 'post',
  path: '/admin/second-factor/app',
  summary: 'A new secret for an authenticator app; it counts once it is confirmed',
  responses: { 200: json(z.object({ key: z.string(), uri: z.string() }), 'For the app'), ...answers },
});

export const confirmApp = createRoute({
  ...about,
  method: 'put',
  path: '/admin/second-factor/app',
  summary: 'Confirms the app by a first code; with the first factor come recovery codes, which are shown once',
  request: { body: jsonBody(z.object({ code: Code })) },
  responses: { 200: json(codes, 'Confirmed'), ...answers },
});

export const startPasskey = createRoute({
  ...about,
  method: 'post',
  path: '/admin/second-factor/passkeys/options',
  summary: 'Options for `navigator.credentials.create`',
  responses: { 200: json(options, 'Options'), ...answers },
});

export const addPasskey = createRoute({
  ...about,
  method: 'post',
  path: '/admin/second-factor/passkeys',
  summary: 'Adds a passkey; with the first factor come recovery codes, which are shown once',
  request: { body: jsonBody(z.object({ name: z.string().trim().min(1).max(60), passkey: NewPasskey })) },
  responses: { 200: json(codes, 'Added'), ...answers },
});

export const removeFactor = createRoute({
  ...about,
  method: 'delete',
  path: '/admin/second-factor/{factor}',
  summary: 'Removes the app, or a passkey by its id',
  request: { params: z.object({ factor: z.union([z.literal('app'), z.uuid()]) }) },
  responses: { 204: { description: 'Removed' }, ...answers },
});

export const renewRecoveryCodes = createRoute({
  ...about,
  method: 'post',
  path: '/admin/second-factor/recovery-codes',
  summary: 'New recovery codes; the ones before count no longer',
  responses: { 200: json(codes, 'New codes'), ...answers },
});

export const askForPasskey = createRoute({
  ...about,
  method: 'post',
  path: '/admin/second-factor/challenge',
  summary: 'Options for `navigator.credentials.get`',
  responses: { 200: json(options, 'Options'), ...answers },
});

export const prove = createRoute({
  ...about,
  method: 'post',
  path: '/admin/second-factor/proof',
  summary: 'Confirms the user of this session: by a code, a passkey or, without a second factor, the password',
  request: {
    body: jsonBody(
      z.union([
        z.object({ code: Code }),
        z.object({ passkey: PasskeyAnswer }),
        z.object({ password: z.string().min(1).max(256) }),
      ]),
    ),
  },
  responses: { 200: json(z.object({ recoveryCodesLeft: z.number() }), 'Shown'), ...answers },
});
