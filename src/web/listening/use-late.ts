import { useEffect, useState } from 'react';

/** True once something has been so for 200 ms, so that what is quick shows nothing of it. */
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
