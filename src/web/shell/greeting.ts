import { t } from '@lingui/core/macro';
import { browserHour } from '#formats/times.ts';
import { useClientValue } from '../ui/use-client-value.ts';

/** @param hour 0 to 23, in the listener’s time zone */
export function greetingAt(hour: number): string {
  if (hour >= 5 && hour < 12) return t`Good morning`;
  return hour >= 12 && hour < 18 ? t`Good afternoon` : t`Good evening`;
}

/** The server does not know the listener’s time zone and assumes evening, when most people listen. */
export function useGreeting(): string {
  return useClientValue(() => greetingAt(browserHour()), t`Good evening`);
}
