import { batch } from '../kernel/batch.ts';
import * as accountChanges from './account-changes.ts';
import * as accounts from './accounts.ts';
import { countAttempts, purgeOldAttempts } from './attempts.ts';
import { purgeDeletedIdentities } from './deleted-identities.ts';
import { openKnownDevices } from './known-devices.ts';
import { logIn } from './log-in.ts';
import type { IdentityParts } from './parts.ts';
import type { ProfileChange } from './profile.ts';
import { setDiscreet, updateProfile } from './profile.ts';
import { signUp } from './registration.ts';
import { openRepeatedCalls, purgeOldCalls } from './repeated-calls.ts';
import * as secondFactor from './second-factor/second-factor.ts';
import type { AdminSession } from './second-factor/second-factor.ts';
import * as sessions from './sessions.ts';
import { checkUsername } from './usernames.ts';

export function openIdentity(parts: IdentityParts) {
  const { db, provider, secret, privacy } = parts;
  const attempts = countAttempts(db, secret);
  const findOwnAccount = (userId: string) => accountChanges.findOwnAccount(db, provider, userId);
  return {
    attempts,
    beginCall: openRepeatedCalls({ db, secret }).begin,
    knownDevices: openKnownDevices(secret),
    checkUsername: (username: string, userId?: string) => checkUsername(parts, username, userId),
    register: (form: Parameters<typeof signUp>[1]) => signUp(parts, form),
    logIn: (input: Parameters<typeof logIn>[1]) => logIn(parts, input),
    findMe: (userId: string) => accounts.findMe(parts, userId),
    findProfile: (userId: string) => accounts.findProfile(parts, userId),
    findPublicProfile: (id: string) => accounts.findPublicProfile(db, id),
    setDiscreet: (userId: string, isDiscreet: boolean) => setDiscreet(db, userId, isDiscreet),
    updateProfile: (userId: string, change: ProfileChange) => updateProfile(parts, userId, change),
    findSession: batch({ run: sessions.prepareFindSessions(parts), max: 200, atOnce: 2 }),
    listSessions: (userId: string, currentId: string) => sessions.listSessions(db, userId, currentId),
    endSession: (userId: string, id: string) => sessions.endSession(db, userId, id),
    endSessionOf: (token: string) => sessions.endSessionOf(db, token),
    endAllSessions: (userId: string) => accountChanges.logOutEverywhere(db, provider, userId),
    async purgeEndedSessions(signal?: AbortSignal) {
      await sessions.purgeEndedSessions(db, signal);
      await purgeDeletedIdentities(db, signal);
      await purgeOldCalls(db, signal);
    },
    purgeOldAttempts: (signal?: AbortSignal) => purgeOldAttempts(db, signal),
    async changePassword(userId: string, change: Parameters<typeof accountChanges.changePassword>[3]) {
      return accountChanges.changePassword(db, provider, await findOwnAccount(userId), change);
    },
    async requestEmailChange(
      userId: string,
      change: { password: string; newEmail: string },
      limit?: () => Promise<void>,
    ) {
      return accountChanges.requestEmailChange(attempts, provider, await findOwnAccount(userId), change, limit);
    },
    confirmEmailChange: (token: string) => accountChanges.confirmEmailChange(db, provider, token),
    async deleteAccount(userId: string, proof: accountChanges.Proof) {
      return accountChanges.deleteAccount(parts, await findOwnAccount(userId), proof);
    },
    secondFactor: {
      find: (userId: string) => secondFactor.findSecondFactor(parts, userId),
      startApp: (session: AdminSession) => secondFactor.startApp(parts, session),
      confirmApp: (session: AdminSession, code: string) => secondFactor.confirmApp(parts, session, code),
      startPasskey: (session: AdminSession) => secondFactor.startPasskey(parts, session),
      addPasskey: (session: AdminSession, given: Parameters<typeof secondFactor.addPasskey>[2]) =>
        secondFactor.addPasskey(parts, session, given),
      remove: (session: AdminSession, what: string) => secondFactor.removeFactor(parts, session, what),
      renewRecoveryCodes: (session: AdminSession) => secondFactor.renewRecoveryCodes(parts, session),
      askForPasskey: (session: AdminSession) => secondFactor.askForPasskey(parts, session),
      prove: (session: AdminSession, proof: secondFactor.SessionProof) =>
        secondFactor.proveSession(parts, session, proof),
      recordTry: (session: AdminSession, tried: Parameters<typeof secondFactor.recordTry>[2]) =>
        secondFactor.recordTry(db, session, tried),
    },
    /** Files by name, from every area of the domain and from the provider: plain JSON, with `LazyRows` for lists. */
    async exportUser(userId: string): Promise<Record<string, unknown>> {
      const { subject } = await findOwnAccount(userId);
      return { ...(await privacy.exportOf(userId)), 'sign-in': await provider.exportOf(subject) };
    },
  };
}
