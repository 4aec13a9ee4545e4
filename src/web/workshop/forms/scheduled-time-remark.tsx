import { FieldError } from '../../ui/fields/field.tsx';
import type { ScheduledTime } from './scheduled-time.ts';

/** Below the field: why the typed time cannot be scheduled, or a note on it. */
export function ScheduledTimeRemark({ time, isFuture }: { time: ScheduledTime; isFuture: boolean }) {
  if (time.at === undefined) return <FieldError>{time.fault}</FieldError>;
  if (!isFuture) return <p className="hint mt-2">Choose a time in the future.</p>;
  return time.note !== undefined && <p className="hint mt-2">{time.note}</p>;
}
