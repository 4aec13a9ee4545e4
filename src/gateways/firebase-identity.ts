import { randomBytes } from 'node:crypto';
import { DomainError } from '#domain/kernel/errors.ts';
import { refuseInTransaction } from '#domain/kernel/open-transaction.ts';
import type { IdentityProvider, PasswordOutcome } from '#domain/identity/provider.ts';
import { callLimits } from './call-limits.ts';
import { openTokenVerifier } from './firebase-identity-tokens.ts';
import { timedFetch } from './timed-fetch.ts';

const toolkitPath = 'identitytoolkit.googleapis.com/v1';

type Options = {
  projectId: string;
  /** API key of the project's web app; it identifies the project and is not secret. */
  apiKey: string;
  /** `host:port` of Google's Auth emulator. Anyone can make its tokens; the settings allow it on loopback only. */
  emulatorHost?: string | undefined;
  fetch?: typeof timedFetch;
};

/**
 * Firebase Authentication through the Identity Toolkit's REST API, with only the web app's API key. So each change of
 * an account is proven by its password or an ID token, and operators use Firebase's console.
 */
export function openFirebaseIdentity(options: Options): IdentityProvider {
  const { projectId, apiKey, emulatorHost, fetch = timedFetch } = options;
  const toolkit = emulatorHost === undefined ? `https://${toolkitPath}` : `http://${emulatorHost}/${toolkitPath}`;

  async function ask(address: string, init?: Omit<RequestInit, 'signal'>): Promise<Response> {
    refuseInTransaction('Firebase');
    try {
      return await fetch(address, { ...init, redirect: 'error', limitMs: callLimits.firebase.answerMs });
    } catch (error) {
      throw new DomainError('server/unavailable', undefined, { cause: error });
    }
  }

  async function call(method: string, body: Record<string, unknown>): Promise<Answer> {
    const response = await ask(`${toolkit}/accounts:${method}?key=${encodeURIComponent(apiKey)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json().catch(() => undefined)) as
      | (Account & { error?: { message?: string } })
      | undefined;
    if (response.ok && answer !== undefined) return { ok: true, account: answer };
    // For example `WEAK_PASSWORD : Password should be at least 6 characters`.
    const reason = /^[A-Z_]+/.exec(answer?.error?.message ?? '')?.[0];
    if (reason === undefined && (response.status >= 500 || answer === undefined))
      throw new DomainError('server/unavailable');
    if (reason === 'USER_DISABLED') throw new DomainError('auth/user-disabled');
    return { ok: false, reason: reason ?? '', message: answer?.error?.message ?? `status ${response.status}` };
  }

  /** @returns a fresh ID token of the account, or why there is none */
  async function signIn(
    account: { subject: string; email: string },
    password: string,
  ): Promise<{ ok: true; idToken: string } | Extract<PasswordOutcome, { ok: false }>> {
    const answer = await call('signInWithPassword', { email: account.email, password, returnSecureToken: true });
    if (answer.ok) {
      const { localId, idToken } = answer.account;
      // The address may belong to another account by now.
      if (localId !== account.subject || idToken === undefined) return { ok: false, reason: 'wrong-password' };
      return { ok: true, idToken };
    }
    if (wrongPassword.has(answer.reason)) return { ok: false, reason: 'wrong-password' };
    if (tooMany.has(answer.reason)) return { ok: false, reason: 'too-many' };
    throw unexpected('signInWithPassword', answer);
  }

  return {
    name: 'firebase',

    verifyIdToken: openTokenVerifier({ projectId, ask, emulated: emulatorHost !== undefined }),

    async createAccount({ email, password }) {
      const answer = await call('signUp', { email, password, returnSecureToken: true });
      if (answer.ok && answer.account.localId !== undefined) return { ok: true, subject: answer.account.localId };
      if (answer.ok) throw new DomainError('server/unavailable');
      if (answer.reason === 'EMAIL_EXISTS') return { ok: false, reason: 'email-in-use' };
      if (weakPassword.has(answer.reason)) return { ok: false, reason: 'weak-password' };
      if (invalidEmail.has(answer.reason)) return { ok: false, reason: 'invalid-email' };
      if (tooMany.has(answer.reason)) throw new DomainError('auth/too-many-requests');
      throw unexpected('signUp', answer);
    },

    /** Without an administrator's key there is no account without a password. */
    async createInvited(email) {
      const password = randomBytes(24).toString('base64url');
      return this.createAccount({ email, password });
    },

    /** Firebase's own mail has the only link. */
    async invite() {
      return undefined;
    },

    async hasPassword({ email }) {
      // A password needs an email address; some Facebook accounts have none.
      if (email === '') return false;
      const answer = await call('createAuthUri', { identifier: email, continueUri: 'http://localhost' });
      if (!answer.ok) throw unexpected('createAuthUri', answer);
      // A project with email enumeration protection names no method.
      const { signinMethods = [] } = answer.account;
      return signinMethods.length === 0 ? undefined : signinMethods.includes('password');
    },

    async checkPassword(account, password) {
      const signedIn = await signIn(account, password);
      return signedIn.ok ? { ok: true } : signedIn;
    },

    async changePassword(account, { currentPassword, newPassword }) {
      const signedIn = await signIn(account, currentPassword);
      if (!signedIn.ok) return signedIn;
      const answer = await call('update', { idToken: signedIn.idToken, password: newPassword });
      if (answer.ok) return { ok: true };
      if (weakPassword.has(answer.reason)) return { ok: false, reason: 'weak-password' };
      if (tooMany.has(answer.reason)) return { ok: false, reason: 'too-many' };
      throw unexpected('update', answer);
    },

    async requestEmailChange(account, { password, newEmail }) {
      const signedIn = await signIn(account, password);
      if (!signedIn.ok) return signedIn;
      const answer = await call('sendOobCode', {
        requestType: 'VERIFY_AND_CHANGE_EMAIL',
        idToken: signedIn.idToken,
        newEmail,
      });
      // The answer must not reveal whether the new address is taken.
      if (answer.ok || answer.reason === 'EMAIL_EXISTS') return { ok: true };
      if (invalidEmail.has(answer.reason)) throw new DomainError('auth/invalid-email');
      if (tooMany.has(answer.reason)) return { ok: false, reason: 'too-many' };
      throw unexpected('sendOobCode', answer);
    },

    async confirmEmailChange(token) {
      const answer = await call('update', { oobCode: token });
      if (!answer.ok) {
        if (usedLinkReasons.has(answer.reason)) return undefined;
        throw unexpected('update', answer);
      }
      const { localId, email } = answer.account;
      return localId === undefined || email === undefined
        ? undefined
        : { subject: localId, email: email.toLowerCase() };
    },

    async setPassword() {
      return false;
    },

    async findPasswordChange(idToken) {
      const answer = await call('lookup', { idToken });
      // Milliseconds; absent without a password.
      const changedAt = answer.ok ? answer.account.users?.[0]?.passwordUpdatedAt : undefined;
      return changedAt === undefined ? undefined : new Date(changedAt);
    },

    /** Only an administrator's key can end Firebase's sessions; none remains, because the browser signs out at once. */
    async endSessions() {},

    async requestPasswordReset(email) {
      const answer = await call('sendOobCode', { requestType: 'PASSWORD_RESET', email });
      if (answer.ok || answer.reason === 'EMAIL_NOT_FOUND') return;
      if (tooMany.has(answer.reason)) throw new DomainError('request/too-many');
      throw unexpected('sendOobCode', answer);
    },

    async deleteAccount(account, proof) {
      // Only an administrator's key could: the operator deletes it in the project's console.
      if (proof.password === undefined && proof.idToken === undefined) return;
      const signedIn =
        proof.password === undefined
          ? { ok: true as const, idToken: proof.idToken }
          : await signIn(account, proof.password);
      if (!signedIn.ok) throw new DomainError('auth/wrong-password');
      const answer = await call('delete', { idToken: signedIn.idToken });
      if (answer.ok || answer.reason === 'USER_NOT_FOUND') return;
      if (staleToken.has(answer.reason)) throw new DomainError('auth/invalid-id-token');
      throw unexpected('delete', answer);
    },

    /** Firebase stores all of it; this site stores none. */
    async exportOf() {
      return {};
    },
  };
}

type Account = {
  localId?: string;
  idToken?: string;
  email?: string;
  signinMethods?: string[];
  users?: { passwordUpdatedAt?: number }[];
};
type Refusal = { ok: false; reason: string; message: string };
type Answer = { ok: true; account: Account } | Refusal;

const wrongPassword = new Set([
  'EMAIL_NOT_FOUND',
  'INVALID_EMAIL',
  'INVALID_LOGIN_CREDENTIALS',
  'INVALID_PASSWORD',
  'MISSING_PASSWORD',
  'USER_NOT_FOUND',
]);
const weakPassword = new Set(['WEAK_PASSWORD', 'PASSWORD_DOES_NOT_MEET_REQUIREMENTS', 'MISSING_PASSWORD']);
const invalidEmail = new Set(['INVALID_EMAIL', 'INVALID_NEW_EMAIL', 'MISSING_EMAIL', 'MISSING_NEW_EMAIL']);
const tooMany = new Set(['TOO_MANY_ATTEMPTS_TRY_LATER', 'QUOTA_EXCEEDED', 'RESET_PASSWORD_EXCEED_LIMIT']);
const usedLinkReasons = new Set(['EXPIRED_OOB_CODE', 'INVALID_OOB_CODE', 'USER_NOT_FOUND', 'EMAIL_EXISTS']);
const staleToken = new Set(['CREDENTIAL_TOO_OLD_LOGIN_AGAIN', 'INVALID_ID_TOKEN', 'TOKEN_EXPIRED']);

/** The project's settings differ from what the site needs; logged in Google's words. */
function unexpected(call: string, { message }: Refusal): Error {
  return new Error(`Firebase refused accounts:${call}: ${message}`);
}
