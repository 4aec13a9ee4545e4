import type { Me } from '#domain/identity/accounts.ts';

/** Kept under `sotto.session` as JSON. */
type KeptSession = {
  token: string;
  /** Milliseconds since 1970. */
  lastUpdated: number;
  /** Whose it is, so that a page of another one is noticed. */
  userId: string;
};

/** Answers as the API gives them; `status` is 0 where none came. */
type Failed = { ok: false; code: string; message: string; status: number };
export type LogInAnswer = { ok: true; user: Me; isNewAccount: boolean } | Failed;

export type SessionCalls = {
  logIn(idToken: string): Promise<{ ok: true; data: { token: string; user: Me; isNewAccount: boolean } } | Failed>;
  /** Changes the token for the cookie that pages and media need. */
  exchange(): Promise<{ ok: true; data: { user: Me } } | Failed>;
  /** Ends the session that the token, or the cookie alone, stands for. */
  logOut(): Promise<unknown>;
  signOutOfProvider(): Promise<unknown>;
};

/** `in`: somebody is logged in, or somebody else; `out`: nobody is. Pages are to be asked for again. */
type SessionChange = 'in' | 'out';

const prefix = 'sotto';
const sessionKey = `${prefix}.session`;

/** Milliseconds; nobody who wants to leave is kept longer. */
const farewellWait = 2000;

/** Of the device, not of the user: they outlast a log-out. */
const deviceKeys = ['sotto_player', 'sotto_keys', 'sotto_standalone'];

/**
 * Who is logged in, as the browser knows it: the token in local storage, which all tabs share. The user's own data is in
 * what the pages' loaders answer.
 */
export function createSession(calls: SessionCalls) {
  const listeners = new Set<(change: SessionChange) => void>();
  const farewells = new Set<() => Promise<unknown>>();
  let kept: KeptSession | undefined;
  let isRead = false;

  function current(): KeptSession | undefined {
    if (!isRead && typeof document !== 'undefined') {
      isRead = true;
      kept = readKept();
    }
    return kept;
  }

  function keep(token: string, user: Me) {
    isRead = true;
    kept = { token, lastUpdated: Date.now(), userId: user.id };
    attempt(() => localStorage.setItem(sessionKey, JSON.stringify(kept)));
  }

  function forget() {
    isRead = true;
    kept = undefined;
    attempt(() => clearOwn(localStorage));
    attempt(() => clearOwn(sessionStorage));
  }

  function tell(change: SessionChange) {
    for (const listener of listeners) listener(change);
  }

  /** What another tab did, or what was done while this page was put aside. */
  function follow() {
    const before = current();
    kept = readKept();
    if (kept?.token !== before?.token) tell(kept === undefined ? 'out' : 'in');
  }

  return {
    getToken: (): string | undefined => current()?.token,

    subscribe(listener: (change: SessionChange) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    /** Adds what has to be sent before a log-out takes the token away. @returns takes it out again */
    beforeLogOut(farewell: () => Promise<unknown>): () => void {
      farewells.add(farewell);
      return () => void farewells.delete(farewell);
    },

    /** Follows other tabs. @returns ends that */
    followTabs(): () => void {
      // What is compared with from now on.
      current();
      const onStorage = ({ key }: StorageEvent) => {
        if (key === sessionKey || key === null) follow();
      };
      const onShow = ({ persisted }: PageTransitionEvent) => {
        if (persisted) follow();
      };
      window.addEventListener('storage', onStorage);
      window.addEventListener('pageshow', onShow);
      return () => {
        window.removeEventListener('storage', onStorage);
        window.removeEventListener('pageshow', onShow);
      };
    },

    /**
     * Makes page and token agree: the cookie that made the page ends with the browser, the token does not.
     * @param pageUserId of the user whom the page was made for
     */
    async agreeWith(pageUserId: string | undefined): Promise<void> {
      const known = current();
      if (known === undefined) {
        if (pageUserId === undefined) return;
        await calls.logOut();
        return tell('out');
      }
      if (known.userId === pageUserId) return;
      const answer = await calls.exchange();
      if (current()?.token !== known.token) return;
      if (answer.ok) {
        keep(known.token, answer.data.user);
        tell('in');
      } else if (answer.status === 401 || answer.status === 403) {
        forget();
        tell('out');
      }
    },

    /** Changes an ID token for a session. The provider has ended its own when it gave the token. */
    async logIn(idToken: string): Promise<LogInAnswer> {
      const answer = await calls.logIn(idToken);
      if (!answer.ok) return answer;
      const { token, user, isNewAccount } = answer.data;
      keep(token, user);
      tell('in');
      return { ok: true, user, isNewAccount };
    },

    /** Takes over a token that a call answered in place of the old one, as after a change of password. */
    adopt({ token, user }: { token: string; user: Me }): void {
      keep(token, user);
      tell('in');
    },

    /** Also when the site cannot be reached; then the next page ends the cookie. */
    async logOut(): Promise<void> {
      if (current() !== undefined)
        await within(
          farewellWait,
          [...farewells].map((farewell) => farewell()),
        );
      await calls.logOut();
      forget();
      tell('out');
      await calls.signOutOfProvider();
    },

    /** The session has been ended already: by the site, or by what was just done. */
    ended(): void {
      if (current() === undefined) return;
      forget();
      tell('out');
    },
  };
}

/** Settled with the last of them, or after so many milliseconds; a failure is theirs. */
async function within(milliseconds: number, waited: readonly Promise<unknown>[]): Promise<void> {
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(timeout.resolve, milliseconds);
  await Promise.race([Promise.allSettled(waited), timeout.promise]);
  clearTimeout(timer);
}

function readKept(): KeptSession | undefined {
  try {
    const value = JSON.parse(localStorage.getItem(sessionKey) ?? 'null') as Partial<KeptSession> | null;
    if (typeof value?.token !== 'string' || value.token === '') return undefined;
    return { token: value.token, lastUpdated: Number(value.lastUpdated) || 0, userId: String(value.userId ?? '') };
  } catch {
    return undefined;
  }
}

function clearOwn(storage: Storage): void {
  for (const key of Object.keys(storage))
    if (key.startsWith(prefix) && !deviceKeys.includes(key)) storage.removeItem(key);
}

/** Storage may be blocked; then it holds for this page only. */
function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // Nothing to do about it.
  }
}
