import { useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';
import { classNames } from './class-names.ts';

type SliderProps = {
  label: string;
  /** From 0 to `max`. */
  value: number;
  max: number;
  /** What an arrow key moves by. */
  step: number;
  /** What Page Up, Page Down and an arrow with Shift move by; ten steps when left out. */
  largeStep?: number;
  /** What is read out, such as `2:08 of 5:56`. */
  valueText: (value: number) => string;
  onScrubStart?: () => void;
  /** While it is dragged: shown here, not yet meant. */
  onScrub?: (value: number) => void;
  /** Let go, or a key was pressed: this is what is wanted. */
  onScrubEnd: (value: number) => void;
  disabled?: boolean;
  className?: string;
};

/**
 * While it is dragged it shows the finger's place, whatever `value` says meanwhile. The browser's own range field is inside, unseen, for
 * keys and for those who do not see it.
 */
export function Slider({
  label,
  value,
  max,
  step,
  largeStep = step * 10,
  valueText,
  onScrubStart,
  onScrub,
  onScrubEnd,
  disabled,
  className,
}: SliderProps) {
  const [scrubbed, setScrubbed] = useState<number>();
  const field = useRef<HTMLInputElement>(null);
  const held = useRef<number>(undefined);
  const shown = within(scrubbed ?? value);
  const share = `${(shown / max) * 100}%`;

  function within(wanted: number): number {
    return Math.min(max, Math.max(0, wanted));
  }

  function moveTo(wanted: number): void {
    if (disabled) return;
    if (held.current === undefined) onScrubStart?.();
    held.current = within(wanted);
    setScrubbed(held.current);
    onScrub?.(held.current);
  }

  function letGo(): void {
    const wanted = held.current;
    if (wanted === undefined) return;
    held.current = undefined;
    setScrubbed(undefined);
    onScrubEnd(wanted);
  }

  function moveToPointer(event: PointerEvent<HTMLDivElement>): void {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    moveTo(((event.clientX - left) / width) * max);
  }

  function onPointerDown(event: PointerEvent<HTMLDivElement>): void {
    if (disabled || event.button !== 0) return;
    event.preventDefault();
    field.current?.focus({ preventScroll: true });
    event.currentTarget.setPointerCapture(event.pointerId);
    moveToPointer(event);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const wanted = keyTarget(event, { value: shown, max, step, largeStep });
    if (wanted === undefined) return;
    event.preventDefault();
    moveTo(wanted);
    letGo();
  }

  return (
    <div
      className={classNames('sl', className)}
      {...(disabled && { 'data-disabled': '' })}
      {...(scrubbed !== undefined && { 'data-dragging': '' })}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => held.current !== undefined && moveToPointer(event)}
      onPointerUp={letGo}
      onLostPointerCapture={letGo}
    >
      <span className="sl__track">
        <span className="sl__on" style={{ width: share }} />
        <span className="sl__thumb" style={{ left: share }}>
          <input
            ref={field}
            type="range"
            aria-label={label}
            aria-valuetext={valueText(shown)}
            min={0}
            max={max}
            step="any"
            value={shown}
            disabled={disabled}
            onKeyDown={onKeyDown}
            // From a screen reader's own gestures; keys and pointer do not come this way.
            onChange={(event) => {
              moveTo(Number(event.target.value));
              letGo();
            }}
          />
        </span>
      </span>
    </div>
  );
}

type Range = { value: number; max: number; step: number; largeStep: number };

function keyTarget(
  { key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent,
  { value, max, step, largeStep }: Range,
): number | undefined {
  if (altKey || ctrlKey || metaKey) return undefined;
  const arrow = shiftKey ? largeStep : step;
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return value + arrow;
    case 'ArrowLeft':
    case 'ArrowDown':
      return value - arrow;
    case 'PageUp':
      return value + largeStep;
    case 'PageDown':
      return value - largeStep;
    case 'Home':
      return 0;
    case 'End':
      return max;
    default:
      return undefined;
  }
}
