import { t } from '@lingui/core/macro';
import { type KeyboardEvent, useState } from 'react';
import { formatCueTime, parseCueTime } from '#domain/catalogue/rules.ts';
import { isComposing } from '#web/ui/fields/is-composing.ts';
import { classNames } from '../ui/class-names.ts';

/** Seconds that an arrow key moves a time. */
export const nudgeSeconds = 0.05;

type TimeFieldProps = {
  label: string;
  seconds: number;
  /** The time as text, which `parseCueTime` reads. */
  format?: (seconds: number) => string;
  duration: number;
  isBad: boolean;
  describedBy: string | undefined;
  onChange: (seconds: number) => void;
  /** Called with an invalid text, and with undefined once the text is valid. */
  onFault: (text: string | undefined) => void;
};

/** A time in a recording. Saves a typed one on blur or Enter, and moves it with Alt and an arrow key. */
export function TimeField({
  label,
  seconds,
  format = formatCueTime,
  duration,
  isBad,
  describedBy,
  onChange,
  onFault,
}: TimeFieldProps) {
  const [typed, setTyped] = useState<string>();
  const read = typed === undefined ? seconds : parseCueTime(typed);

  function commit(): void {
    if (typed === undefined) return;
    if (read === undefined) return onFault(t`“${typed}” is not a time. Enter a time like 0:19.40`);
    setTyped(undefined);
    onFault(undefined);
    if (format(read) !== format(seconds)) onChange(read);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (event.key === 'Enter') {
      // Otherwise the line would be confirmed.
      if (typed !== undefined) event.preventDefault();
      return commit();
    }
    if (event.key === 'Escape' && typed !== undefined) {
      event.stopPropagation();
      setTyped(undefined);
      return onFault(undefined);
    }
    const direction = directions[event.key];
    if (direction === undefined || !event.altKey || event.ctrlKey || event.metaKey) return;
    // Otherwise the browser would navigate back.
    event.preventDefault();
    if (read === undefined) return;
    setTyped(undefined);
    onFault(undefined);
    const moved = Math.round((read + direction * nudgeSeconds) * 1000) / 1000;
    onChange(Math.min(Math.max(0, moved), Math.max(duration, read)));
  }
  return (
    <input
      className={classNames('time-field', (isBad || read === undefined) && 'time-field--bad')}
      inputMode="decimal"
      aria-label={label}
      aria-invalid={isBad || read === undefined || undefined}
      aria-describedby={describedBy}
      value={typed ?? format(seconds)}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={commit}
      onKeyDown={onKeyDown}
    />
  );
}

const directions: Partial<Record<string, number>> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };
