import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { classNames } from '../class-names.ts';

type SliderProps = {
  label: string;
  /** From 0 to `max`. */
  value: number;
  max: number;
  /** Step of an arrow key. */
  step: number;
  /** Step of Page Up, Page Down and Shift with an arrow; defaults to ten steps. */
  largeStep?: number;
  /** Text for screen readers, such as `2:08 of 5:56`. */
  valueText: (value: number) => string;
  onScrubStart?: () => void;
  /** Preview during a drag; not final. */
  onScrub?: (value: number) => void;
  /** Final value: the pointer was released, or a key was pressed. */
  onScrubEnd: (value: number) => void;
  /** The drag was canceled: by the browser, by unmounting, or because `subject` changed. */
  onScrubCancel?: () => void;
  /** Identity of the value; a drag ends when it changes. */
  subject?: string;
  disabled?: boolean;
  /** `quiet` shows its thumb only while in use; `overlay` too, above a picture that shows the value. */
  variant?: 'line' | 'quiet' | 'overlay';
  className?: string;
};

const variants = { line: '', quiet: 'slider--quiet', overlay: 'slider--quiet slider--overlay' };

/**
 * During a drag it shows the pointer’s position and ignores `value`. A visually hidden native range input handles keys
 * and screen readers.
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
  onScrubCancel,
  subject,
  disabled,
  variant = 'line',
  className,
}: SliderProps) {
  const [scrubbed, setScrubbed] = useState<number>();
  const field = useRef<HTMLInputElement>(null);
  const dragged = useRef<number>(undefined);
  const shown = within(scrubbed ?? value);
  const share = `${(shown / max) * 100}%`;

  function within(target: number): number {
    return Math.min(max, Math.max(0, target));
  }

  function moveTo(target: number): void {
    if (disabled) return;
    if (dragged.current === undefined) onScrubStart?.();
    dragged.current = within(target);
    setScrubbed(dragged.current);
    onScrub?.(dragged.current);
  }

  function endDrag(): void {
    const target = dragged.current;
    if (target === undefined) return;
    dragged.current = undefined;
    setScrubbed(undefined);
    onScrubEnd(target);
  }

  function breakOff(): void {
    if (dragged.current === undefined) return;
    dragged.current = undefined;
    setScrubbed(undefined);
    onScrubCancel?.();
  }
  const onGone = useEffectEvent(breakOff);
  useEffect(() => () => onGone(), [subject]);

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
    const target = keyTarget(event, { value: shown, max, step, largeStep });
    if (target === undefined) return;
    event.preventDefault();
    moveTo(target);
    endDrag();
  }

  return (
    <div
      className={classNames('slider', variants[variant], className)}
      {...(disabled && { 'data-disabled': '' })}
      {...(scrubbed !== undefined && { 'data-dragging': '' })}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => dragged.current !== undefined && moveToPointer(event)}
      onPointerUp={endDrag}
      onPointerCancel={breakOff}
      onLostPointerCapture={breakOff}
    >
      <span className="slider__track">
        <span className="slider__filled" style={{ width: share }} />
        <span className="slider__thumb" style={{ left: share }}>
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
            // From screen-reader gestures only; keys and pointer are handled above.
            onChange={(event) => {
              moveTo(Number(event.target.value));
              endDrag();
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
