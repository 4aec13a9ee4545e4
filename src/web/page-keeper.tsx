import { t } from '@lingui/core/macro';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useLocation, useMatches, useRevalidator } from 'react-router';
import { isStarted } from '#player/playback.ts';
import { onApiAnswer } from './api.ts';
import { loggedOutEvent } from './logged-out.ts';
import { usePlayerState } from './listening/player-provider.tsx';
import { refreshFailedEvent } from './refresh-failed.ts';
import { hasRootRefreshFailed, noteSessionEnd, returnToPage, setPageKeeper } from './shell/page-loads.ts';
import { savesData } from '#player/network.ts';
import { useToast } from './ui/layers/toast.tsx';

/** Keeps the current page, and its sound, when another page or newer data fails to load. */
export function PageKeeper() {
  const location = useLocation();
  const matches = useMatches();
  const { revalidate, state } = useRevalidator();
  const showToast = useToast();
  const isSounding = usePlayerState(({ status }) => isStarted(status));
  const isHeard = usePlayerState(({ status }) => status === 'playing');
  const entry = useRef(0);

  const onRefreshFailed = useEffectEvent(() => {
    if (!window.dispatchEvent(new Event(refreshFailedEvent, { cancelable: true }))) return;
    showToast({
      text: navigator.onLine
        ? t`This page could not be refreshed. It may be out of date.`
        : t`No internet connection. This page may be out of date.`,
    });
  });
  const onPageFailed = useEffectEvent((url: string, failed: 'script' | 'data') => {
    // After a deployment the server may lack the old script; reloading the document loads the new build.
    if (failed === 'script' && navigator.onLine && !isSounding) return window.location.assign(url);
    showToast({
      text: navigator.onLine ? t`This page could not be loaded. Please try again.` : t`No internet connection`,
    });
    returnToPage();
    const steps = entry.current - historyState().idx;
    if (steps !== 0) window.history.go(steps);
    // The address has not changed yet. A navigation to the current entry cancels the router’s navigation.
    else window.dispatchEvent(new PopStateEvent('popstate', { state: window.history.state }));
  });
  useLayoutEffect(() => {
    // The browser may already be at another entry, on the way to the next page.
    if (historyState().key === location.key) entry.current = historyState().idx;
    const loaded = new Set(matches.filter(({ loaderData }) => loaderData !== undefined).map(({ id }) => id));
    return setPageKeeper({ location, loaded, onRefreshFailed, onPageFailed });
  }, [location, matches]);

  const refresh = useEffectEvent(() => {
    if (hasRootRefreshFailed() && state === 'idle') void revalidate();
  });
  useEffect(() => {
    const onOnline = () => refresh();
    window.addEventListener('online', onOnline);
    // The site answers again.
    const stop = onApiAnswer(() => refresh());
    window.addEventListener(loggedOutEvent, noteSessionEnd);
    return () => {
      window.removeEventListener('online', onOnline);
      stop();
      window.removeEventListener(loggedOutEvent, noteSessionEnd);
    };
  }, []);

  useEffect(() => {
    // From the first playback on, so that mere browsing loads nothing extra and audio loads first.
    if (!isHeard || savesData()) return;
    const preload = () =>
      void import('./shell/preload-pages.ts').then(({ preloadPages }) => preloadPages()).catch(() => undefined);
    preload();
    window.addEventListener('online', preload);
    return () => window.removeEventListener('online', preload);
  }, [isHeard]);
  return null;
}

/** React Router’s state of the current history entry: its index and its location’s key. */
function historyState(): { idx: number; key: string } {
  return { idx: 0, key: 'default', ...(window.history.state as { idx?: number; key?: string } | null) };
}
