import { useEffect, useSyncExternalStore } from 'react';
import { createListeners } from '#player/listeners.ts';
import { answerOf, api, hasToken } from '../api.ts';
import { browserStore } from '../browser-store.ts';
import { pushOwnerKey } from '../push-owner.ts';

/** Number of unread news, shared by the bell and the pages; requested once a minute at most. */

const minMs = 60_000;
/** The page's own requests go first; after leaving or logging out, no request is made. */
const settledMs = 1000;

type State = { userId: string | undefined; unread: number; askedAt: number };

let state: State = { userId: undefined, unread: 0, askedAt: Number.NEGATIVE_INFINITY };
const changed = createListeners();

function set(changes: Partial<State>): void {
  state = { ...state, ...changes };
  changed.emit();
}

export function setUnread(unread: number): void {
  set({ unread });
}

const ignore = () => {};

async function ask(userId: string): Promise<void> {
  const now = performance.now();
  if (!hasToken() || (state.userId === userId && now - state.askedAt < minMs)) return;
  set({ userId, askedAt: now, ...(state.userId !== userId && { unread: 0 }) });
  // After a log-in or a change of password the site has no subscription of this browser any more.
  if (browserStore.get(pushOwnerKey)) void import('./push-browser.ts').then((push) => push.registerAgain(), ignore);
  const answer = await answerOf(api.user.notifications.unread.$get());
  if (answer.ok && state.userId === userId) set({ unread: answer.data.unread });
}

/** @param navigationKey a new value requests the number again */
export function useUnreadNews(userId: string, navigationKey: string): number {
  useEffect(() => {
    const timer = setTimeout(() => void ask(userId), settledMs);
    return () => clearTimeout(timer);
  }, [userId, navigationKey]);
  useEffect(() => {
    const onSeen = () => void (document.visibilityState === 'visible' && ask(userId));
    document.addEventListener('visibilitychange', onSeen);
    window.addEventListener('focus', onSeen);
    return () => {
      document.removeEventListener('visibilitychange', onSeen);
      window.removeEventListener('focus', onSeen);
    };
  }, [userId]);
  return useSyncExternalStore(
    changed.subscribe,
    () => state.unread,
    () => 0,
  );
}

/** @param ids undefined: all. @returns the error message, if any */
export async function markRead(ids?: string[]): Promise<string | undefined> {
  const answer = await answerOf(api.user.notifications.read.$post({ json: ids === undefined ? {} : { ids } }));
  if (!answer.ok) return answer.message;
  setUnread(answer.data.unread);
  return undefined;
}
