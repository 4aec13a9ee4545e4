import { z } from '@hono/zod-openapi';
import { signUpSources } from '#domain/identity/rules.ts';
import { MeShape } from '#domain/identity/shapes.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Site } from '#domain/site.ts';

export const MeResponse = z.object(MeShape.shape).openapi('Me');

/** The user as their own calls return them. @throws DomainError `auth/login-required` */
export const findMe = async (site: Site, userId: string) => ofAccount(await site.identity.findMe(userId));

/** @throws DomainError `auth/login-required` when the account no longer exists */
export function ofAccount<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new DomainError('auth/login-required');
  return value;
}

export const IdToken = z.string().min(1).max(8000);

/** An unknown source counts as absent, so that it never blocks a sign-up. */
export const SignUpFrom = z
  .string()
  .max(100)
  .optional()
  .transform((from) => signUpSources.find((source) => source === from))
  .openapi({ type: 'string', description: `Where they signed up, which is counted only: ${signUpSources.join(', ')}` });
