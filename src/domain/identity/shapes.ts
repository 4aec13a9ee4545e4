import { z } from 'zod';
import { languageCodes } from '#formats/languages.ts';
import { Id } from '../kernel/shapes.ts';
import { type PreferenceName, forPreferences } from './preference-rules.ts';
import { avatarColors } from './rules.ts';

/** A user as everybody sees them: in a list, or as author of a comment or playlist. */
export const UserShape = z.object({
  id: Id,
  username: z.string(),
  icon: z.string().nullable(),
  color: z.enum(avatarColors).describe('The pink default, or another colour of the palette'),
});
export type UserShape = z.infer<typeof UserShape>;

/** Not with the switches, which all pages load. */
const preferenceLabels: Record<PreferenceName, string> = {
  isDiscreet: 'Discreet mode',
  hasNoSuggestions: 'No suggestions from what was heard',
};

/** Settings of an account; null until its user has chosen: the setting of the browser applies. */
export const PreferencesShape = z.object(
  forPreferences((name) =>
    z.boolean().nullable().describe(`${preferenceLabels[name]}; null until this user has chosen`),
  ),
);

/** A user as that user sees it (spec §3, "User"). */
export const MeShape = UserShape.extend({
  email: z.string().nullable(),
  username: z.string().nullable().describe('Null until a new social account has chosen one'),
  isSubscribed: z.boolean(),
  subIsWeb: z.boolean().describe('Whether the subscription was made here and not in an app'),
  isAdmin: z.boolean(),
  isModerator: z.boolean(),
  preferences: PreferencesShape,
  isDiscreet: z.boolean().nullable().describe('The same as in `preferences`'),
  language: z.enum(languageCodes).nullable().describe('Of pages and mails; null until this user has chosen'),
  hasBlockedUsers: z.boolean(),
  blockedUsers: z.array(Id),
});
