import { isSiteRefusal } from '../api.ts';
import { browserStore, clearStores } from '../browser-store.ts';
import { pushOwnerKey } from '../push-owner.ts';
import type { Me } from '#domain/identity/accounts.ts';
import { createListeners } from '#player/listeners.ts';
import { withResolvers } from '#player/with-resolvers.ts';
import { keepCookie } from './preference-cookie.ts';

/** Stored under `sotto.session` as JSON. */
type KeptSession = {
  token: string;
  /** Milliseconds since 1970. */
  lastUpdated: number;
  /** User of the token, to detect a page rendered for another user. */
  userId: string;
};

/** Error response of the API; `status` is 0 without a response. */
type Failed = { ok: false; code: string; message: string; status: number };
export type LogInResponse = { ok: true; user: Me; isNewAccount: boolean } | Failed;

export type SessionCalls = {
  logIn(idToken: string): Promise<{ ok: true; data: { token: string; user: Me; isNewAccount: boolean } } | Failed>;
  /** Exchanges the token for the cookie that pages and media need. */
  exchange(): Promise<{ ok: true; data: { user: Me } } | Failed>;
  /** Exchanges the cookie for its token. */
  restore(): Promise<{ ok: true; data: { token: string; user: Me } } | Failed>;
  /** Ends the session of the token or, without one, of the cookie. */
  logOut(): Promise<{ ok: boolean }>;
  signOutOfProvider(): Promise<unknown>;
};

/** `in`: a user, or another user, is logged in; `out`: nobody is. Pages have to reload their data. */
type SessionChange = 'in' | 'out';

const prefix = 'sotto';
export const sessionKey = `${prefix}.session`;

/** Set until the site has confirmed a log-out: its cookie, which no script can delete, must not restore the token. */
const leftCookie = `${prefix}_left`;

/** Longest wait for the calls before a log-out, in milliseconds. */
const farewellWait = 2000;

/** Keys of the device, not the user: they survive the end of a session. */
const deviceKeys = ['sotto_player', 'sotto_keys', 'sotto_standalone', pushOwnerKey];

/**
 * The browser’s session: the token in local storage, shared by all tabs. When storage is blocked, the token lives in
 * this page only and is fetched from the cookie. The user’s data comes from the pages’ loaders.
 * @param pageUserId user that the first page was rendered for
 */
export function createSession(calls: SessionCalls, pageUserId?: string) {
  const changes = createListeners<[SessionChange]>();
  const farewells = new Set<() => Promise<unknown>>();
  let kept: KeptSession | undefined;
  let isRead = false;
  // Storage that is blocked, or cleared at once, says nothing about other tabs.
  let isStored = true;
  let shownTo = pageUserId;
  let restoring: Promise<void> | undefined;

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
    browserStore.set(sessionKey, JSON.stringify(kept));
    isStored = readKept()?.token === token;
    if (hasLeft()) attempt(() => keepCookie(leftCookie, undefined));
  }

  function clear() {
    isRead = true;
    kept = undefined;
    clearStores(prefix, deviceKeys);
  }

  function end() {
    // Until its data is reloaded, the page shows the user, but the cookie brings no token any more.
    if (!hasLeft()) shownTo = undefined;
    clear();
    changes.emit('out');
  }

  /** Handles changes made in another tab, or while this page was in the back/forward cache. */
  function follow() {
    const before = current();
    if (before !== undefined && !isStored) return;
    kept = readKept();
    if (kept?.token !== before?.token) changes.emit(kept === undefined ? 'out' : 'in');
  }

  async function logOutAtSite(): Promise<boolean> {
    const { ok } = await calls.logOut();
    if (ok === hasLeft()) attempt(() => keepCookie(leftCookie, ok ? undefined : '1'));
    return ok;
  }

  /** The page was rendered with the cookie, but storage has no token: it was deleted or is blocked. */
  function restore(): Promise<void> {
    restoring ??= restoreOnce().finally(() => (restoring = undefined));
    return restoring;
  }

  async function restoreOnce(): Promise<void> {
    const answer = hasLeft() ? undefined : await calls.restore();
    if (current() !== undefined) return;
    if (answer?.ok === true) {
      keep(answer.data.token, answer.data.user);
      if (answer.data.user.id !== shownTo) changes.emit('in');
      return;
    }
    // Not reached, answered by a proxy, or rate limited: the next call retries.
    if (answer !== undefined && !isRefused(answer, [400, 401, 403])) return;
    shownTo = undefined;
    if (answer?.status !== 401) await logOutAtSite();
    clear();
    changes.emit('out');
  }

  return {
    getToken: (): string | undefined => current()?.token,

    /** @returns a promise to wait for while the cookie may bring the token; undefined when there is no need to wait */
    untilToken: (): Promise<void> | undefined =>
      current() === undefined && shownTo !== undefined ? restore() : undefined,

    /** Whether nobody is logged in, even if the page still shows a user until its data is reloaded. */
    isOver: (): boolean => current() === undefined && shownTo === undefined,

    subscribe: changes.subscribe,

    /** Adds a call to send before a log-out drops the token. @returns removes it */
    beforeLogOut(farewell: () => Promise<unknown>): () => void {
      farewells.add(farewell);
      return () => void farewells.delete(farewell);
    },

    /** Follows log-ins and log-outs in other tabs. @returns stops following */
    followTabs(): () => void {
      // Reads the current state, to compare later changes with it.
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
     * Brings page and session in line: when the token or the cookie is missing, the other one restores it.
     * @param pageUserId user that the page was rendered for
     */
    async agreeWith(pageUserId: string | undefined): Promise<void> {
      const session = current();
      shownTo = pageUserId;
      // The tab was closed during a log-out.
      if (session !== undefined && hasLeft()) {
        await logOutAtSite();
        return end();
      }
      if (session === undefined) return pageUserId === undefined ? undefined : restore();
      if (session.userId === pageUserId) return;
      const answer = await calls.exchange();
      if (current()?.token !== session.token) return;
      if (answer.ok) {
        keep(session.token, answer.data.user);
        changes.emit('in');
      } else if (isRefused(answer, [401, 403])) {
        clear();
        changes.emit('out');
      }
    },

    /** Exchanges an ID token for a session. The provider’s own session ended when it issued the token. */
    async logIn(idToken: string): Promise<LogInResponse> {
      const answer = await calls.logIn(idToken);
      if (!answer.ok) return answer;
      const { token, user, isNewAccount } = answer.data;
      keep(token, user);
      changes.emit('in');
      return { ok: true, user, isNewAccount };
    },

    /** Adopts a token that a call returned to replace the old one, as after a change of password. */
    adopt({ token, user }: { token: string; user: Me }): void {
      keep(token, user);
      changes.emit('in');
    },

    /**
     * Also works when the site cannot be reached, or the tab is closed meanwhile; the next page then ends the session.
     * @returns whether the site confirmed it
     */
    async logOut(): Promise<boolean> {
      attempt(() => keepCookie(leftCookie, '1'));
      if (current() !== undefined)
        await within(
          farewellWait,
          [...farewells].map((farewell) => farewell()),
        );
      const isConfirmed = await logOutAtSite();
      end();
      void calls.signOutOfProvider();
      return isConfirmed;
    },

    /** The session has already ended: by the site, or by the action just taken. */
    ended(): void {
      if (current() !== undefined) end();
    },
  };
}

/** A log-out clears this device, so an error page of a proxy must not cause one. */
function isRefused(answer: Failed | { ok: true }, statuses: readonly number[]): boolean {
  return !answer.ok && isSiteRefusal(answer) && statuses.includes(answer.status);
}

/** Resolves when all promises have settled, or after the timeout; ignores failures. */
async function within(milliseconds: number, waited: readonly Promise<unknown>[]): Promise<void> {
  const timeout = withResolvers<void>();
  const timer = setTimeout(() => timeout.resolve(), milliseconds);
  await Promise.race([Promise.allSettled(waited), timeout.promise]);
  clearTimeout(timer);
}

function readKept(): KeptSession | undefined {
  try {
    const value = JSON.parse(browserStore.get(sessionKey) ?? 'null') as Partial<KeptSession> | null;
    if (typeof value?.token !== 'string' || value.token === '') return undefined;
    return { token: value.token, lastUpdated: Number(value.lastUpdated) || 0, userId: String(value.userId ?? '') };
  } catch {
    return undefined;
  }
}

function hasLeft(): boolean {
  return typeof document !== 'undefined' && document.cookie?.includes(`${leftCookie}=1`) === true;
}

/** For cookies that may be blocked: the state then lasts for this page only. */
function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // Blocked cookies are ignored.
  }
}
