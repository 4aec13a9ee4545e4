import { useEffect, useState } from 'react';
import { useLocation, useNavigation } from 'react-router';

/** Milliseconds before a page that is on its way is announced by its shape. */
const patience = 200;

/** @returns the path of another page that has been loading for a while */
export function useSlowNavigation(): string | undefined {
  const { pathname } = useLocation();
  const next = useNavigation().location?.pathname;
  const [slow, setSlow] = useState<string>();
  useEffect(() => {
    if (next === undefined) return undefined;
    const timer = setTimeout(() => setSlow(next), patience);
    return () => {
      clearTimeout(timer);
      setSlow(undefined);
    };
  }, [next]);
  return slow !== undefined && slow === next && next !== pathname ? slow : undefined;
}
