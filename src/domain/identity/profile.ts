import { eq, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { type Refusal, DomainError } from '../kernel/errors.ts';
import { type Me, allPreferences, findMe } from './accounts.ts';
import { usernameFault } from './forms.ts';
import type { IdentityParts } from './parts.ts';
import type { Language } from '#formats/languages.ts';
import type { ListeningChoice } from './listening-rules.ts';
import type { OwnPreferences, PreferencesChange } from './preference-rules.ts';
import { type AvatarColor, type SignUpSource, isUsername, normalizeUsername } from './rules.ts';
import { findListedInName, refuseWords } from '../settings/word-lists.ts';
import { isUsernameReserved } from './reserved-usernames.ts';
import { countSignUp } from './sign-up-sources.ts';
import { users } from './tables.ts';
import { takenBy } from './unique-fields.ts';
import { isUsernameFree } from './usernames.ts';

/** Fields that a profile may change; a new account also sends the two consents. */
export type ProfileChange = {
  username?: string | undefined;
  icon?: string | null | undefined;
  color?: AvatarColor | undefined;
  tac?: boolean | undefined;
  legal?: boolean | undefined;
  source?: SignUpSource | undefined;
};

export type ProfileOutcome =
  | { ok: true; user: Me }
  | (Refusal<
      'auth/username-already-in-use' | 'auth/invalid-username' | 'auth/under-age' | 'auth/terms-not-accepted'
    > & {
      /** Default: the sentence of the reason. */
      message?: string | undefined;
    });

/** Username, avatar; and for a new account its completion, which needs both consents (spec §5). */
export async function updateProfile(
  parts: IdentityParts,
  userId: string,
  change: ProfileChange,
): Promise<ProfileOutcome> {
  const { db } = parts;
  const me = await findMe(parts, userId);
  if (me === undefined) throw new DomainError('auth/login-required');
  const isCompletion = me.username === null;
  const username = change.username === undefined ? undefined : normalizeUsername(change.username);
  if (isCompletion || username !== undefined) {
    if (username === undefined || username === '' || !isUsername(username))
      return { ok: false, reason: 'auth/invalid-username', message: usernameFault(username ?? '') };
  }
  if (isCompletion && change.tac !== true) return { ok: false, reason: 'auth/under-age' };
  if (isCompletion && change.legal !== true) return { ok: false, reason: 'auth/terms-not-accepted' };
  if (username !== undefined && username !== me.username) {
    const isOwn = username.toLowerCase() === me.username?.toLowerCase();
    if (!isOwn) await refuseWords(db, [username], findListedInName);
    const isReserved = !isOwn && (await isUsernameReserved(parts, username, userId));
    if (isReserved || !(await isUsernameFree(db, username, userId)))
      return { ok: false, reason: 'auth/username-already-in-use' };
  }
  const { icon, color } = change;
  // Unchanged values are not written: every change of a user invalidates caches.
  const written = {
    ...(username === undefined || username === me.username ? {} : { username }),
    ...(icon === undefined || icon === me.icon ? {} : { icon }),
    ...(color === undefined || color === me.color ? {} : { color }),
    ...(isCompletion ? { termsAcceptedAt: new Date() } : {}),
  };
  try {
    if (Object.keys(written).length > 0) await db.update(users).set(written).where(eq(users.id, userId));
  } catch (error) {
    if (takenBy(error) === 'auth/username-already-in-use') return { ok: false, reason: 'auth/username-already-in-use' };
    throw error;
  }
  if (isCompletion) await countSignUp(db, change.source);
  return { ok: true, user: { ...me, ...written } };
}

/** Changes only these, on every device of this user. @returns all; undefined for a deleted account */
export async function savePreferences(
  db: Db,
  userId: string,
  change: PreferencesChange & { language?: Language } & Partial<ListeningChoice>,
): Promise<OwnPreferences | undefined> {
  const [row] = await db
    .update(users)
    .set({ preferences: sql`${users.preferences} || ${JSON.stringify(change)}::jsonb` })
    .where(eq(users.id, userId))
    .returning({ preferences: users.preferences });
  return row && allPreferences(row.preferences);
}
