import { tabStore } from './browser-store.ts';
import { useRootData } from './root-data.ts';
import { useClientValue } from './ui/use-client-value.ts';

const key = 'sotto_standalone';

/** `?standalone`, `=true` or `=1`; other values mean no. */
export function asksForStandalone(query: URLSearchParams): boolean {
  return ['', 'true', '1'].includes(query.get('standalone')?.toLowerCase() ?? 'absent');
}

/** Whether the page is shown alone (spec §2, `standalone`). Once requested, it applies to the whole tab. */
export function useStandalone(): boolean {
  const asked = useRootData()?.standalone ?? false;
  return useClientValue(() => asked || tabStore.get(key) === '1', asked);
}

export function keepStandalone(): void {
  // With blocked storage it lasts until the next document load.
  tabStore.set(key, '1');
}
