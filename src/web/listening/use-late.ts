import { useEffect, useState } from 'react';

/** True once `isSo` has been true for 200 ms, so that fast operations show no indicator. */
export function useLate(isSo: boolean): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isSo) return;
    const timer = setTimeout(() => setIsLate(true), 200);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isSo]);
  return isSo && isLate;
}
