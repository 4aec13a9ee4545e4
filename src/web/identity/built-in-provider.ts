import type { BrowserIdentitySettings } from '#domain/identity/rules.ts';
import { isSignInFailure } from './provider.ts';
import type { BrowserIdentityProvider, SignInFailure, SignInOutcome } from './provider.ts';

const windowLook = 'popup,width=500,height=680';
const watchEveryMs = 500;
/** The word of a window that reports and closes at once may come after its end. */
const lastWordMs = 1500;
const giveUpAfterMs = 5 * 60_000;

type Told = { ok: true } | { ok: false; code: SignInFailure };

/** The provider that the site brings along, at `/identity` of its own address. */
export function builtInProvider(
  settings: Extract<BrowserIdentitySettings, { provider: 'built-in' }>,
): BrowserIdentityProvider {
  let giveUp = () => {};

  async function takeIdToken(): Promise<SignInOutcome> {
    const answer = await ask('GET', '/identity/token');
    if (!answer.ok) return failed(answer);
    const { token } = (answer.body ?? {}) as { token?: string };
    await ask('POST', '/identity/sign-out', {});
    return token === undefined ? { ok: false, code: 'auth/internal-error' } : { ok: true, idToken: token };
  }

  return {
    async signInWithPassword(email, password) {
      const answer = await ask('POST', '/identity/sign-in/email', { email, password });
      if (answer.ok) return takeIdToken();
      return answer.status === 400 || answer.status === 401 ? failed({ code: 'auth/wrong-password' }) : failed(answer);
    },

    async signInWith(provider) {
      if (!settings[provider]) return { ok: false, code: 'auth/not-configured' };
      giveUp();
      const opened = window.open(`/identity/start?provider=${provider}`, 'sotto-identity', windowLook);
      if (opened === null) return { ok: false, code: 'auth/popup-blocked' };
      const told = await new Promise<Told>((resolve) => {
        const end = (outcome: Told) => {
          stopListening();
          stopWatching();
          resolve(outcome);
        };
        giveUp = () => end(failed({ code: 'auth/popup-closed-by-user' }));
        const stopListening = listenFor(end);
        const stopWatching = watchWindow(opened, giveUp);
      });
      return told.ok ? takeIdToken() : told;
    },

    async sendPasswordReset(email) {
      const answer = await ask('POST', '/identity/request-password-reset', { email });
      if (answer.ok) return { ok: true };
      return answer.status === 400 ? failed({ code: 'auth/user-not-found' }) : failed(answer);
    },

    async signOut() {
      const answer = await ask('POST', '/identity/sign-out', {});
      return answer.ok ? { ok: true } : failed(answer);
    },
  };
}

/** Hears what `/identity/done` says, whichever window it stands in. @returns what ends it */
function listenFor(onTold: (told: Told) => void): () => void {
  const channel = new BroadcastChannel('sotto-identity');
  channel.addEventListener('message', ({ data }) => onTold(readTold(data)));
  return () => channel.close();
}

/**
 * Calls once it is sure that nothing will be heard any more. A provider's page may cut itself off from ours, and then
 * looks closed while someone types in it; so it counts only when the listener is back on this page.
 * @returns what ends it
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

function failed({ code }: { code: SignInFailure }): { ok: false; code: SignInFailure } {
  return { ok: false, code };
}

function readTold(data: unknown): Told {
  const { ok, code } = (data ?? {}) as { ok?: unknown; code?: unknown };
  if (ok === true) return { ok: true };
  return { ok: false, code: isSignInFailure(code) ? code : 'auth/internal-error' };
}

type Asked = { ok: true; body: unknown } | { ok: false; code: SignInFailure; status: number };

async function ask(method: 'GET' | 'POST', path: string, body?: object): Promise<Asked> {
  try {
    const response = await fetch(path, {
      method,
      credentials: 'same-origin',
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const { status } = response;
    if (response.ok) return { ok: true, body: await response.json() };
    const { error } = ((await response.json().catch(() => undefined)) ?? {}) as { error?: { code?: unknown } };
    if (isSignInFailure(error?.code)) return { ok: false, status, code: error.code };
    return { ok: false, status, code: status === 429 ? 'auth/too-many-requests' : 'auth/internal-error' };
  } catch {
    return { ok: false, status: 0, code: 'auth/network-request-failed' };
  }
}
