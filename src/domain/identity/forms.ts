import { z } from 'zod';
import {
  emailPattern,
  isUsername,
  normalizeEmail,
  normalizeUsername,
  passwordLength,
  usernameLength,
} from './rules.ts';

export const longPassword = `At most ${passwordLength.max} characters`;

/** The forms of spec §3 with the texts of spec §5, verbatim. */

/** Zod's own pattern takes only letters, digits and five marks before the @. */
export function emailField(texts: { empty: string; invalid: string }) {
  return z
    .string(texts.empty)
    .transform(normalizeEmail)
    .pipe(
      z
        .string()
        .min(1, texts.empty)
        .max(254, texts.invalid)
        .pipe(z.email({ pattern: emailPattern, error: texts.invalid })),
    );
}

const email = emailField({ empty: 'enter email', invalid: 'enter valid email' });

/** @returns why it is no username; undefined for an empty one, for which each form has its own text */
export function usernameFault(text: string): string | undefined {
  if (normalizeUsername(text) === '') return undefined;
  const read = usernameField('').safeParse(text);
  return read.success ? undefined : read.error.issues[0]?.message;
}

function usernameField(empty: string) {
  return z
    .string(empty)
    .transform(normalizeUsername)
    .pipe(
      z
        .string()
        .min(1, empty)
        .max(usernameLength, `At most ${usernameLength} characters`)
        .refine((name) => name === '' || isUsername(name), 'Use Latin letters, digits, dots, hyphens and underscores'),
    );
}

/** @param texts messages for an empty and for a short password */
function newPasswordField(texts: { empty: string; short: string }) {
  return z
    .string(texts.empty)
    .min(1, texts.empty)
    .min(passwordLength.min, texts.short)
    .max(passwordLength.max, longPassword);
}

function consent(text: string) {
  return z.boolean(text).refine((accepted) => accepted, text);
}

const tac = consent('You must be at least 18 years old');
const legal = consent('You must accept the terms and conditions');

export const SignUpForm = z.object({
  email,
  username: usernameField('enter username'),
  password: newPasswordField({ empty: 'enter password', short: 'password too short' }),
  /** Age confirmation. */
  tac,
  /** Terms agreement. */
  legal,
});
export type SignUpForm = z.infer<typeof SignUpForm>;

export const LogInForm = z.object({ email, password: z.string('enter password').min(1, 'enter password') });
export type LogInForm = z.infer<typeof LogInForm>;

export const ResetForm = z.object({
  email: emailField({ empty: 'enter valid email', invalid: 'enter valid email' }),
});
export type ResetForm = z.infer<typeof ResetForm>;

/** Completes a new social account. */
export const UsernameForm = z.object({ username: usernameField('Please enter username'), tac, legal });
export type UsernameForm = z.infer<typeof UsernameForm>;

/** The profile in the account. */
export const ProfileForm = z.object({ username: usernameField('Please enter username') });
export type ProfileForm = z.infer<typeof ProfileForm>;

const newPassword = newPasswordField({ empty: 'Please enter a password', short: 'Password is too short' });

export const NewPasswordForm = z.object({ newPassword });
export type NewPasswordForm = z.infer<typeof NewPasswordForm>;

export const ChangePasswordForm = z.object({
  currentPassword: z.string('Please enter a password').min(1, 'Please enter a password'),
  newPassword,
});
export type ChangePasswordForm = z.infer<typeof ChangePasswordForm>;

export const ChangeEmailForm = z.object({
  email: emailField({ empty: 'Please enter email', invalid: 'Enter a valid email address' }),
  password: z.string('Please enter a password').min(1, 'Please enter a password'),
});
export type ChangeEmailForm = z.infer<typeof ChangeEmailForm>;
