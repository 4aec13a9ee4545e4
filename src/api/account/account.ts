import { z } from '@hono/zod-openapi';
import { i18n } from '#i18n';
import { longPassword, SignUpForm } from '#domain/identity/forms.ts';
import { languageCodes } from '#formats/languages.ts';
import { forPreferences } from '#domain/identity/preference-rules.ts';
import { normalizeEmail, passwordLength } from '#domain/identity/rules.ts';
import { PreferencesShape } from '#domain/identity/shapes.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { Instant } from '#domain/kernel/shapes.ts';
import type { User } from '#domain/kernel/viewer.ts';
import type { Site } from '#domain/site.ts';
import { attachment } from '../attachment.ts';
import { takeAttempt } from './attempts.ts';
import { call, userCall } from '../call.ts';
import { zipOf } from './export-zip.ts';
import { findMe, IdToken, MeResponse, ofAccount, SignUpFrom } from './me.ts';
import { AvatarColor, FavoriteIdsResponse, idOrSlug, UserResponse } from '../schemas.ts';

/** Spec §7: the user's own account, and the public profile. */

const Password = z.string().min(1).max(4000);

const ProfileFields = z.object({
  username: z.string().max(2000).optional(),
  icon: z
    .string()
    .trim()
    .max(8)
    // Rejects invisible and bidirectional control characters; emoji are joined by U+200D.
    .regex(/^(?:\P{C}|\u200D)*$/u)
    .transform((icon) => (icon === '' ? null : icon))
    .nullable()
    .optional()
    .describe('Its first letter is shown in the avatar'),
  color: z.string().toUpperCase().pipe(AvatarColor).optional(),
  tac: z.boolean().optional(),
  legal: z.boolean().optional(),
  source: SignUpFrom,
});

const DiscreetMode = z.strictObject({ isDiscreet: z.boolean() }).openapi('DiscreetMode');

const ChosenLanguage = z.strictObject({ language: z.enum(languageCodes) }).openapi('ChosenLanguage');

const saveProfile = {
  about: 'Changes username and avatar; completes a new social account',
  /** "profile fields or user with new username" (spec §7). */
  input: z.union([z.object({ user: ProfileFields }).transform(({ user }) => user), ProfileFields]),
  output: z.object({ user: MeResponse }),
  errors: ['auth/username-already-in-use', 'auth/invalid-username', 'auth/under-age', 'auth/terms-not-accepted'],
  sameSite: true,
  attempt: 'profile',
} as const;

/** Changes that require the password again count each try before it is checked. */
async function withPassword<Outcome extends { ok: boolean }>(
  given: { site: Site; address: string; viewer: User },
  act: () => Promise<Outcome>,
): Promise<Outcome> {
  const { site, address, viewer } = given;
  await takeAttempt(given, 'password', viewer.id);
  const outcome = await act();
  if (outcome.ok) await site.identity.attempts.succeeded('password', { account: viewer.id, address });
  return outcome;
}

const passwordErrors = [
  'auth/wrong-password',
  'auth/weak-password',
  'auth/common-password',
  'auth/too-many-requests',
  'auth/invalid-id-token',
] as const;

export const findOwnUser = userCall({
  get: '/user/me',
  about: 'The user of the token',
  output: MeResponse.extend({ favorites: FavoriteIdsResponse }).openapi('MeWithFavorites'),
  async act({ site, viewer }) {
    const favorites = await site.library.findFavoriteIds(viewer.id);
    return { ...(await findMe(site, viewer.id)), favorites };
  },
});

export const findProfile = userCall({
  get: '/profile',
  about: 'The user, with more data for the account page',
  output: MeResponse.extend({
    createdAt: Instant,
    passwordChangedAt: Instant.nullable(),
    hasPassword: z
      .boolean()
      .nullable()
      .describe('Accounts created with Google or Facebook may have none; null when the provider does not report it'),
    deletionDueAt: Instant.nullable().describe('Set when an operator deletes the account'),
  }).openapi('Profile'),
  act: async ({ site, viewer }) => ofAccount(await site.identity.findProfile(viewer.id)),
});

export const postProfile = userCall({
  post: '/user/profile',
  ...saveProfile,
  act: ({ site, viewer, input }) => site.identity.updateProfile(viewer.id, input),
});

export const putProfile = userCall({
  put: '/user/profile',
  ...saveProfile,
  act: ({ site, viewer, input }) => site.identity.updateProfile(viewer.id, input),
});

export const editOwnUser = userCall({
  patch: '/user/me',
  about: 'Changes preferences, on every device of this user',
  input: z.object({ preferences: z.object(forPreferences(() => z.boolean().optional())) }).openapi('MeChange'),
  output: z.object({ preferences: PreferencesShape }),
  sameSite: true,
  attempt: 'profile',
  act: async ({ site, viewer, input }) => ({
    preferences: ofAccount(await site.identity.savePreferences(viewer.id, input.preferences)),
  }),
});

export const setDiscreet = userCall({
  put: '/user/discreet',
  about: 'Turns discreet mode on or off, on every device of this user; PATCH /user/me does the same',
  input: DiscreetMode,
  output: DiscreetMode,
  sameSite: true,
  attempt: 'profile',
  async act({ site, viewer, input }) {
    await site.identity.savePreferences(viewer.id, input);
    return input;
  },
});

export const setLanguage = userCall({
  put: '/user/language',
  about: 'Chooses the language of pages and mails, on every device of this user',
  input: ChosenLanguage,
  output: ChosenLanguage,
  sameSite: true,
  attempt: 'profile',
  async act({ site, viewer, input }) {
    await site.identity.savePreferences(viewer.id, input);
    return input;
  },
});

export const changePassword = userCall({
  post: '/user/password',
  about: 'Changes the password; ends every session and opens a new one here',
  input: z.object({ currentPassword: Password, newPassword: z.string().max(4000) }),
  output: z.object({ token: z.string(), user: MeResponse }),
  errors: [...passwordErrors, 'request/too-many'],
  sameSite: true,
  async act(given) {
    const { site, cookie, device, viewer, input } = given;
    if (input.newPassword.length < passwordLength.min) throw new DomainError('auth/weak-password');
    if (input.newPassword.length > passwordLength.max) throw new DomainError('auth/weak-password', longPassword());
    const outcome = await withPassword(given, async () => {
      await takeAttempt(given, 'new-password', viewer.id);
      return site.identity.changePassword(viewer.id, { ...input, device });
    });
    if (!outcome.ok) return outcome;
    const { token } = outcome.session;
    cookie.set(token);
    return { token, user: await findMe(site, viewer.id) };
  },
});

export const requestEmailChange = userCall({
  post: '/user/email',
  about: 'Sends the new address a link; nothing changes until it is followed',
  input: z.object({ email: z.string().max(2000), password: Password }),
  output: z.object({ message: z.string() }),
  status: 202,
  errors: [...passwordErrors, 'auth/invalid-email', 'request/too-many'],
  sameSite: true,
  once: true,
  async act(given) {
    const { site, viewer, input } = given;
    const newEmail = normalizeEmail(input.email);
    if (!SignUpForm.shape.email.safeParse(newEmail).success) throw new DomainError('auth/invalid-email');
    const outcome = await withPassword(given, () =>
      site.identity.requestEmailChange(viewer.id, { password: input.password, newEmail }, () =>
        takeAttempt(given, 'new-email', viewer.id),
      ),
    );
    if (!outcome.ok) return outcome;
    const values = { newEmail };
    // Firebase confirms it on its own page, so that the site learns of it by the next log-in.
    const message =
      site.facts.identity.provider === 'firebase'
        ? i18n._(
            /*i18n*/ {
              id: 'identity.email-link-and-log-in',
              message:
                'Follow the link that was sent to {newEmail} to make the change. Then log out, and log in with the new address.',
              values,
            },
          )
        : i18n._(
            /*i18n*/ {
              id: 'identity.email-link',
              message: 'Follow the link that was sent to {newEmail} to make the change.',
              values,
            },
          );
    return { message };
  },
});

export const exportUser = userCall({
  get: '/user/export',
  about: 'All that the site knows of this user, as a ZIP of JSON files',
  file: 'application/zip',
  attempt: 'export',
  async act({ site, viewer, parts }) {
    const files = await site.identity.exportUser(viewer.id);
    const zip = zipOf(files, (error) => parts.failures.report(error, 'An export broke off'));
    return attachment(zip, 'application/zip', 'my-data.zip');
  },
});

export const deleteAccount = userCall({
  delete: '/user',
  about: 'Deletes the account and all that belongs to it',
  input: z.union([z.object({ password: Password }), z.object({ firebaseIdtoken: IdToken })]),
  errors: [...passwordErrors, 'admin/last-admin'],
  sameSite: true,
  async act(given) {
    const { site, cookie, viewer, input } = given;
    const proof = 'password' in input ? { password: input.password } : { idToken: input.firebaseIdtoken };
    const outcome = await withPassword(given, () => site.identity.deleteAccount(viewer.id, proof));
    if (outcome.ok) cookie.set(undefined);
    return outcome;
  },
});

export const findPublicProfile = call({
  get: '/users/{id}',
  about: 'The public profile of a user',
  params: idOrSlug,
  output: UserResponse.extend({ createdAt: Instant }).openapi('PublicProfile'),
  act: ({ site, id }) => site.identity.findPublicProfile(id),
});
