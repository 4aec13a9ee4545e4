import type { BrowserIdentitySettings } from '#domain/identity/rules.ts';
import { type IdentityResponse, callIdentity } from './identity-call.ts';
import { type BrowserIdentityProvider, type SignInFailure, type SignInOutcome, isSignInFailure } from './provider.ts';

const windowFeatures = 'popup,width=500,height=680';
const watchEveryMs = 500;
/** A window that reports and closes at once may deliver its message after it has closed. */
const lastWordMs = 1500;
const giveUpAfterMs = 5 * 60_000;

type WindowResult = { ok: true } | { ok: false; code: SignInFailure };

/** The site’s built-in identity provider, at `/identity` of the same origin. */
export function builtInProvider(
  settings: Extract<BrowserIdentitySettings, { provider: 'built-in' }>,
): BrowserIdentityProvider {
  let cancel = () => {};
  /** Its late answer would delete the cookie of a sign-in that was begun after it. */
  let leaving: Promise<unknown> | undefined;

  async function takeIdToken(): Promise<SignInOutcome> {
    const answer = await callIdentity('GET', '/identity/token');
    // Signed in a moment ago, but the browser did not keep the cookie.
    if (!answer.ok) return answer.status === 401 ? failed({ code: 'auth/cookies-blocked' }) : refusal(answer);
    const { token } = (answer.body ?? {}) as { token?: string };
    await callIdentity('POST', '/identity/sign-out', {});
    return token === undefined ? { ok: false, code: 'auth/internal-error' } : { ok: true, idToken: token };
  }

  return {
    async signInWithPassword(email, password) {
      await leaving;
      const answer = await callIdentity('POST', '/identity/sign-in/email', { email, password });
      if (answer.ok) return takeIdToken();
      return answer.status === 400 || answer.status === 401 ? failed({ code: 'auth/wrong-password' }) : refusal(answer);
    },

    async signInWith(provider) {
      if (!settings.social.includes(provider)) return { ok: false, code: 'auth/not-configured' };
      cancel();
      const start = `/identity/start?provider=${provider}`;
      // Within the click, or browsers block the window.
      const opened = window.open(leaving === undefined ? start : '', 'sotto-identity', windowFeatures);
      if (opened === null) return { ok: false, code: 'auth/popup-blocked' };
      void leaving?.then(() => opened.location.replace(new URL(start, location.origin)));
      const result = await new Promise<WindowResult>((resolve) => {
        const end = (outcome: WindowResult) => {
          stopListening();
          stopWatching();
          resolve(outcome);
        };
        cancel = () => end(failed({ code: 'auth/popup-closed-by-user' }));
        const stopListening = listenFor(end);
        const stopWatching = watchWindow(opened, cancel);
      });
      return result.ok ? takeIdToken() : result;
    },

    async sendPasswordReset(email) {
      const answer = await callIdentity('POST', '/identity/request-password-reset', { email });
      if (answer.ok) return { ok: true };
      return answer.status === 400 ? failed({ code: 'auth/user-not-found' }) : refusal(answer);
    },

    async signOut() {
      const signingOut = callIdentity('POST', '/identity/sign-out', {});
      const isOver = signingOut.then(() => {
        if (leaving === isOver) leaving = undefined;
      });
      leaving = isOver;
      const answer = await signingOut;
      return answer.ok ? { ok: true } : refusal(answer);
    },
  };
}

/** Listens for the message of `/identity/done`, from any window. @returns stops listening */
function listenFor(onResult: (result: WindowResult) => void): () => void {
  const channel = new BroadcastChannel('sotto-identity');
  channel.addEventListener('message', ({ data }) => onResult(readResult(data)));
  return () => channel.close();
}

/**
 * Calls back once the window can no longer report. A provider’s page may sever the link to its opener and then looks
 * closed while in use, so it counts only when the listener is back on this page.
 * @returns stops watching
 */
function watchWindow(opened: Window, onGone: () => void): () => void {
  const began = Date.now();
  let goneSince: number | undefined;
  const watch = setInterval(() => {
    const isGone = opened.closed && document.hasFocus();
    goneSince = isGone ? (goneSince ?? Date.now()) : undefined;
    if (goneSince !== undefined && Date.now() - goneSince >= lastWordMs) onGone();
    if (Date.now() - began < giveUpAfterMs) return;
    opened.close();
    onGone();
  }, watchEveryMs);
  return () => clearInterval(watch);
}

function refusal({ status, code }: Extract<IdentityResponse, { ok: false }>): { ok: false; code: SignInFailure } {
  if (status === 0) return failed({ code: 'auth/network-request-failed' });
  if (isSignInFailure(code)) return failed({ code });
  return failed({ code: status === 429 ? 'auth/too-many-requests' : 'auth/internal-error' });
}

function failed({ code }: { code: SignInFailure }): { ok: false; code: SignInFailure } {
  return { ok: false, code };
}

function readResult(data: unknown): WindowResult {
  const { ok, code } = (data ?? {}) as { ok?: unknown; code?: unknown };
  if (ok === true) return { ok: true };
  return { ok: false, code: isSignInFailure(code) ? code : 'auth/internal-error' };
}
