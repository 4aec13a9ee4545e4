import { useEffect } from 'react';
import { useLocation, useMatches } from 'react-router';
import { flushOnLeave, track } from './track.ts';

/** Tells which kind of page is looked at, once for each change of page; never which audio or what was searched for. */
export function useScreenViewed(): void {
  const { pathname } = useLocation();
  const screen =
    useMatches()
      .at(-1)
      ?.id.replace(/^routes\//, '') ?? 'unknown';
  useEffect(() => {
    track('screen_viewed', { properties: { screen } });
  }, [pathname, screen]);
  useEffect(() => flushOnLeave(), []);
}
