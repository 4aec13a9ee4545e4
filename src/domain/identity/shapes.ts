import { z } from 'zod';
import { Id } from '../kernel/shapes.ts';
import { avatarColors } from './rules.ts';

/** A user as everybody sees them: in a list, or as author of a comment or playlist. */
export const UserShape = z.object({
  id: Id,
  username: z.string(),
  icon: z.string().nullable(),
  color: z.enum(avatarColors).describe('The pink default, or another colour of the palette'),
});
export type UserShape = z.infer<typeof UserShape>;
