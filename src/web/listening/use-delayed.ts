import { useEffect, useState } from 'react';

/** True once `isActive` has been true for 200 ms, so that fast operations show no indicator. */
export function useDelayed(isActive: boolean): boolean {
  const [isDelayed, setIsDelayed] = useState(false);
  useEffect(() => {
    if (!isActive) return;
    const timer = setTimeout(() => setIsDelayed(true), 200);
    return () => {
      clearTimeout(timer);
      setIsDelayed(false);
    };
  }, [isActive]);
  return isActive && isDelayed;
}
