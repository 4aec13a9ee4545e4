import { useSyncExternalStore } from 'react';

/** @param hour 0 to 23, of the listener's own clock */
export function greetingAt(hour: number): string {
  if (hour >= 5 && hour < 12) return 'Good morning';
  return hour >= 12 && hour < 18 ? 'Good afternoon' : 'Good evening';
}

/** The server does not know what time it is where the listener is; most listen in the evening. */
export function useGreeting(): string {
  return useSyncExternalStore(
    subscribe,
    () => greetingAt(new Date().getHours()),
    () => 'Good evening',
  );
}

function subscribe(): () => void {
  return () => {};
}
