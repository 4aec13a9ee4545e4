import { useEffect, useEffectEvent } from 'react';
import { useLocation, useMatches } from 'react-router';
import { sharedSourceOf } from './shared-link.ts';
import { flushOnLeave, track } from './track.ts';

/** Tells which kind of page is looked at, once for each change of page; never which audio or what was searched for. */
export function useScreenViewed(): void {
  const { pathname, search } = useLocation();
  const source = sharedSourceOf({ pathname, search });
  const screen =
    useMatches()
      .at(-1)
      ?.id.replace(/^routes\//, '') ?? 'unknown';
  // A query that changes is the same screen.
  const tell = useEffectEvent(() => track('screen_viewed', { ...(source && { source }), properties: { screen } }));
  useEffect(() => tell(), [pathname, screen]);
  useEffect(() => flushOnLeave(), []);
}
