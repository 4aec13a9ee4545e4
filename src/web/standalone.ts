import { useSyncExternalStore } from 'react';
import { useRootData } from './root-data.ts';

const key = 'sotto_standalone';

/** Whether the page is shown alone (spec §2, `standalone`). Once asked for it stays so for the tab. */
export function useStandalone(): boolean {
  const asked = useRootData()?.standalone ?? false;
  return useSyncExternalStore(
    nothingToHear,
    () => asked || isKept(),
    () => asked,
  );
}

export function keepStandalone(): void {
  try {
    sessionStorage.setItem(key, '1');
  } catch {
    // Storage is blocked; then it stays for as long as no page is loaded anew.
  }
}

function isKept(): boolean {
  try {
    return sessionStorage.getItem(key) === '1';
  } catch {
    return false;
  }
}

function nothingToHear(): () => void {
  return () => undefined;
}
