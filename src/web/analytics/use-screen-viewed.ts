import { useEffect, useEffectEvent } from 'react';
import { useLocation, useMatches } from 'react-router';
import { sharedSourceOf } from './shared-link.ts';
import { flushOnLeave, logEvent } from './log-event.ts';

/** Tracks the kind of page, once per navigation; never which audio or search term. */
export function useScreenViewed(): void {
  const { pathname, search } = useLocation();
  const source = sharedSourceOf({ pathname, search });
  const route = useMatches().at(-1)?.id ?? 'unknown';
  const screen = route.replace(/^routes\/(?:listener\/)?/, '').replaceAll('/', '-');
  // A changed query is the same screen.
  const logView = useEffectEvent(() =>
    logEvent('screen_viewed', { ...(source && { source }), properties: { screen } }),
  );
  useEffect(() => logView(), [pathname, screen]);
  useEffect(() => flushOnLeave(), []);
}
