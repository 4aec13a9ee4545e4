import { batch } from '../kernel/batch.ts';
import { bind } from '../kernel/bind.ts';
import {
  changePassword,
  confirmEmailChange,
  deleteAccount,
  findOwnAccount,
  logOutEverywhere,
  requestEmailChange,
} from './account-changes.ts';
import { findMe, findProfile, findPublicProfile } from './accounts.ts';
import { countAttempts, purgeOldAttempts } from './attempts.ts';
import { purgeDeletedIdentities } from './deleted-identities.ts';
import { openKnownDevices } from './known-devices.ts';
import { logIn } from './log-in.ts';
import type { IdentityParts } from './parts.ts';
import { savePreferences, updateProfile } from './profile.ts';
import { signUp } from './registration.ts';
import { openRepeatedCalls, purgeOldCalls } from './repeated-calls.ts';
import * as secondFactor from './second-factor/second-factor.ts';
import { endSession, endSessionOf, listSessions, prepareFindSessions, purgeEndedSessions } from './sessions.ts';
import { checkUsername } from './usernames.ts';

export function openIdentity(parts: IdentityParts) {
  const { db, provider, secret, privacy } = parts;
  return {
    attempts: countAttempts(db, secret),
    beginCall: openRepeatedCalls({ db, secret }).begin,
    knownDevices: openKnownDevices(secret),
    secondFactor: bind(parts, secondFactor),
    ...bind(parts, { findMe, findProfile, checkUsername, signUp, logIn, updateProfile, logOutEverywhere }),
    ...bind(parts, { changePassword, requestEmailChange, confirmEmailChange, deleteAccount }),
    ...bind(db, { findPublicProfile, savePreferences, listSessions, endSession, endSessionOf, purgeOldAttempts }),
    findSession: batch({ run: prepareFindSessions(parts), max: 200, atOnce: 2 }),
    async purgeEndedSessions(signal?: AbortSignal) {
      await purgeEndedSessions(db, signal);
      await purgeDeletedIdentities(db, signal);
      await purgeOldCalls(db, signal);
    },
    /** Files by name, from every area of the domain and from the provider: plain JSON, with `LazyRows` for lists. */
    async exportUser(userId: string): Promise<Record<string, unknown>> {
      const { subject } = await findOwnAccount(db, provider, userId);
      return { ...(await privacy.exportUser(userId)), 'sign-in': await provider.exportOf(subject) };
    },
  };
}
