import { t } from '@lingui/core/macro';
import CircleAlert from 'lucide-react/icons/circle-alert';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { isComposing } from '../../ui/fields/is-composing.ts';

/** Content of the bar: the actions, a question, the running act, or a refusal. */
export type BulkStep =
  | { name: 'choose' }
  | { name: 'ask'; question: string; consequence: string; verb: string; onConfirm: () => void }
  | { name: 'run'; text: string; percent?: number; onStop?: (() => void) | undefined }
  | { name: 'refused'; text: string; reasons: string; undo?: { label: string; onUndo: () => void } };

type BulkBarProps = {
  count: number;
  /** Such as `over 5,000`; default: the count. */
  countText?: string | undefined;
  step: BulkStep;
  /** Closes a question or a result. */
  onBack: () => void;
  onClear: () => void;
  /** Buttons of the acts. */
  children: ReactNode;
};

/** Sticks to the bottom edge while rows are selected. Asks in place, then shows the result. Escape goes one step back. */
export function BulkBar({ count, countText = String(count), step, onBack, onClear, children }: BulkBarProps) {
  const answer = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (step.name === 'ask') answer.current?.focus();
  }, [step.name]);
  const bar = useRef<HTMLElement>(null);
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    // A menu, a dialog or a list of suggestions closes first, and a field empties.
    const isElsewhere = event.target instanceof Element && event.target.closest('dialog, [role=menu], [role=combobox]');
    if (event.key !== 'Escape' || event.defaultPrevented || isElsewhere || step.name === 'run') return;
    if (isComposing(event)) return;
    if (bar.current?.contains(document.activeElement))
      document.querySelector<HTMLElement>('[data-pick]:checked')?.focus();
    if (step.name === 'choose') onClear();
    else onBack();
  });
  useEffect(() => {
    document.addEventListener('keydown', onEscape);
    return () => document.removeEventListener('keydown', onEscape);
  }, []);
  if (step.name === 'ask')
    return (
      <section ref={bar} className="bulk" aria-label={step.question}>
        <b className="tabular-nums">{step.question}</b>
        <span className="text-13 text-muted">{step.consequence}</span>
        <button ref={answer} type="button" className="btn btn--destructive btn--small end" onClick={step.onConfirm}>
          {step.verb}
        </button>
        <Button variant="ghost" onClick={onBack}>
          {t`Cancel`}
        </Button>
      </section>
    );
  if (step.name === 'run')
    return (
      <output className="bulk">
        <Icon of={LoaderCircle} size={18} />
        <b className="tabular-nums">{step.text}</b>
        {step.percent !== undefined && (
          <span
            className="bar h-1.5 min-w-[100px] flex-1"
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- browsers draw <progress> each in its own way
            role="progressbar"
            aria-label={step.text}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={step.percent}
          >
            <i style={{ width: `${step.percent}%` }} />
          </span>
        )}
        {step.onStop && (
          <Button variant="ghost" className="end" onClick={step.onStop}>
            {t`Stop`}
          </Button>
        )}
      </output>
    );
  if (step.name === 'refused')
    return (
      <output ref={(element) => void (bar.current = element)} className="bulk">
        <span className="up-bad">
          <Icon of={CircleAlert} size={18} />
        </span>
        <b className="tabular-nums">{step.text}</b>
        <span className="text-13 text-muted">{step.reasons}</span>
        <span className="end flex gap-1.5">
          {step.undo && (
            <Button variant="ghost" onClick={step.undo.onUndo}>
              {step.undo.label}
            </Button>
          )}
          <Button variant="ghost" onClick={onBack}>
            {t`Close`}
          </Button>
        </span>
      </output>
    );
  const selected = t`${countText} selected`;
  return (
    <section ref={bar} className="bulk" aria-label={selected}>
      <b className="tabular-nums">{selected}</b>
      {children}
      <Button
        variant="ghost"
        className="end"
        onClick={() => {
          // The bar goes, and the focus with it.
          document.querySelector<HTMLElement>('[data-pick]')?.focus();
          onClear();
        }}
      >
        {t`Clear`}
      </Button>
    </section>
  );
}
