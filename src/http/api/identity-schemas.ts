import { z } from '@hono/zod-openapi';
import { signUpSources } from '#domain/identity/rules.ts';
import { AvatarColor } from '#api/schemas.ts';

export const MeResponse = z
  .object({
    id: z.uuid(),
    email: z.string().nullable(),
    username: z.string().nullable().describe('Null until a new social account has chosen one'),
    icon: z.string().nullable(),
    color: AvatarColor,
    isSubscribed: z.boolean(),
    subIsWeb: z.boolean(),
    isAdmin: z.boolean(),
    isDiscreet: z.boolean().nullable().describe('Discreet mode; null until this user has chosen'),
    hasBlockedUsers: z.boolean(),
    blockedUsers: z.array(z.uuid()),
  })
  .openapi('Me');

export const Password = z.string().min(1).max(4000);
export const IdToken = z.string().min(1).max(8000);

/** An unknown source counts as absent, so that it never blocks a sign-up. */
export const SignUpFrom = z
  .string()
  .max(100)
  .optional()
  .transform((from) => signUpSources.find((source) => source === from))
  .openapi({ type: 'string', description: `Where they signed up, which is counted only: ${signUpSources.join(', ')}` });
