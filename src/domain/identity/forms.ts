import { z } from 'zod';
import { noWords, primaryLanguage } from '#formats/content-languages.ts';
import { i18n } from '#i18n';
import { ContentLanguage, notLanguage } from '../kernel/forms.ts';
import {
  emailPattern,
  isUsername,
  normalizeEmail,
  normalizeUsername,
  passwordLength,
  usernameLength,
} from './rules.ts';

/** The forms of spec §3 with the texts of spec §5, verbatim. */

/** In the language of the request. */
type Text = () => string;

const emailEmpty: Text = () => i18n._(/*i18n*/ { id: 'identity.email-empty', message: 'enter email' });
const emailInvalid: Text = () => i18n._(/*i18n*/ { id: 'identity.email-invalid', message: 'enter valid email' });
const usernameEmpty: Text = () => i18n._(/*i18n*/ { id: 'identity.username-empty', message: 'enter username' });
const usernameMissing: Text = () =>
  i18n._(/*i18n*/ { id: 'identity.username-missing', message: 'Please enter username' });
const usernameLetters: Text = () =>
  i18n._(
    /*i18n*/ { id: 'identity.username-letters', message: 'Use Latin letters, digits, dots, hyphens and underscores' },
  );
const passwordEmpty: Text = () => i18n._(/*i18n*/ { id: 'identity.password-empty', message: 'enter password' });
const passwordMissing: Text = () =>
  i18n._(/*i18n*/ { id: 'identity.password-missing', message: 'Please enter a password' });
const tooLong =
  (max: number): Text =>
  () =>
    i18n._(/*i18n*/ { id: 'identity.too-long', message: 'At most {max} characters', values: { max } });
export const longPassword = tooLong(passwordLength.max);

/** Zod's own pattern takes only letters, digits and five marks before the @. */
export function emailField(texts: { empty: Text; invalid: Text }) {
  return z
    .string({ error: texts.empty })
    .transform(normalizeEmail)
    .pipe(
      z
        .string()
        .min(1, { error: texts.empty })
        .max(254, { error: texts.invalid })
        .pipe(z.email({ pattern: emailPattern, error: texts.invalid })),
    );
}

const email = emailField({ empty: emailEmpty, invalid: emailInvalid });

/** @returns why it is no username; undefined for an empty one, for which each form has its own text */
export function usernameFault(text: string): string | undefined {
  if (normalizeUsername(text) === '') return undefined;
  const read = usernameField(() => '').safeParse(text);
  return read.success ? undefined : read.error.issues[0]?.message;
}

function usernameField(empty: Text) {
  return z
    .string({ error: empty })
    .transform(normalizeUsername)
    .pipe(
      z
        .string()
        .min(1, { error: empty })
        .max(usernameLength, { error: tooLong(usernameLength) })
        .refine((name) => name === '' || isUsername(name), { error: usernameLetters }),
    );
}

/** @param texts messages for an empty and for a short password */
function newPasswordField(texts: { empty: Text; short: Text }) {
  return z
    .string({ error: texts.empty })
    .min(1, { error: texts.empty })
    .min(passwordLength.min, { error: texts.short })
    .max(passwordLength.max, { error: longPassword });
}

function givenPassword(empty: Text) {
  return z.string({ error: empty }).min(1, { error: empty });
}

function consent(error: Text) {
  return z.boolean({ error }).refine((accepted) => accepted, { error });
}

const tac = consent(() => i18n._(/*i18n*/ { id: 'identity.under-age', message: 'You must be at least 18 years old' }));
const legal = consent(() =>
  i18n._(/*i18n*/ { id: 'identity.terms', message: 'You must accept the terms and conditions' }),
);

export const SignUpForm = z.object({
  email,
  username: usernameField(usernameEmpty),
  password: newPasswordField({
    empty: passwordEmpty,
    short: () => i18n._(/*i18n*/ { id: 'identity.password-short', message: 'password too short' }),
  }),
  /** Age confirmation. */
  tac,
  /** Terms agreement. */
  legal,
});
export type SignUpForm = z.infer<typeof SignUpForm>;

export const LogInForm = z.object({ email, password: givenPassword(passwordEmpty) });
export type LogInForm = z.infer<typeof LogInForm>;

export const ResetForm = z.object({
  email: emailField({ empty: emailInvalid, invalid: emailInvalid }),
});
export type ResetForm = z.infer<typeof ResetForm>;

/** Completes a new social account. */
export const UsernameForm = z.object({ username: usernameField(usernameMissing), tac, legal });
export type UsernameForm = z.infer<typeof UsernameForm>;

/** The profile in the account. */
export const ProfileForm = z.object({ username: usernameField(usernameMissing) });
export type ProfileForm = z.infer<typeof ProfileForm>;

const newPassword = newPasswordField({
  empty: passwordMissing,
  short: () => i18n._(/*i18n*/ { id: 'identity.new-password-short', message: 'Password is too short' }),
});

export const NewPasswordForm = z.object({ newPassword });
export type NewPasswordForm = z.infer<typeof NewPasswordForm>;

export const ChangePasswordForm = z.object({
  currentPassword: givenPassword(passwordMissing),
  newPassword,
});
export type ChangePasswordForm = z.infer<typeof ChangePasswordForm>;

/** An address that mails will go to. */
export const newEmail = emailField({
  empty: () => i18n._(/*i18n*/ { id: 'identity.new-email-empty', message: 'Please enter email' }),
  invalid: () => i18n._(/*i18n*/ { id: 'identity.new-email-invalid', message: 'Enter a valid email address' }),
});

export const ChangeEmailForm = z.object({
  email: newEmail,
  password: givenPassword(passwordMissing),
});
export type ChangeEmailForm = z.infer<typeof ChangeEmailForm>;

const mostLanguages = 50;

/** The languages that someone listens to; `ListeningChoice`. */
export const ListeningInput = z.strictObject({
  listensTo: z
    .array(ContentLanguage.transform(primaryLanguage).refine((language) => language !== noWords, notLanguage))
    .min(1)
    .max(mostLanguages)
    .transform((languages) => [...new Set(languages)].toSorted())
    .nullable()
    .describe('Lists show audios in these languages, and those without words; `pt` is `pt-BR`, too. Null: all'),
  hidesOtherComments: z.boolean().default(false).describe('Comments in other languages are not shown'),
});
