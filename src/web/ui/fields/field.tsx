import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatCount } from '#formats/numbers.ts';
import CircleAlert from 'lucide-react/icons/circle-alert';
import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import { type ComponentProps, type ReactElement, type ReactNode, useId, useState } from 'react';
import { afterFieldLeft } from '../after-press.ts';
import { classNames } from '../class-names.ts';
import { IconButton } from '../icon-button.tsx';
import { Icon } from '../images/icon.tsx';

type FieldProps = ComponentProps<'input'> & {
  label: string;
  /** Replaces the hint. */
  error?: string | undefined;
  hint?: ReactNode;
  /** Adds “optional” to the label. */
  isOptional?: boolean;
  /** Length of the text, when `value` does not contain it; with `maxLength`, a counter is shown (spec §5). */
  length?: number | undefined;
};

/** Labeled one-line text field. Type `password` has a reveal button. */
export function Field({
  label,
  error,
  hint,
  isOptional = false,
  length,
  type = 'text',
  maxLength,
  onBlur,
  className,
  ...input
}: FieldProps) {
  const id = useId();
  const [isRevealed, setIsRevealed] = useState(false);
  const note = fieldNote(id, { error, hint, counter: counterOf(length ?? input.value, maxLength) });

  return (
    <div className={classNames('field', className)}>
      <label htmlFor={id}>{label}</label>
      {isOptional && (
        <span className="field__optional">
          <Trans>Optional</Trans>
        </span>
      )}
      <div className={classNames('input', error !== undefined && 'input--error')}>
        <input
          {...input}
          id={id}
          className="input__field"
          type={type === 'password' && isRevealed ? 'text' : type}
          maxLength={maxLength}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={note && `${id}-note`}
          onBlur={(event) => afterFieldLeft(event.nativeEvent, () => onBlur?.(event))}
        />
        {type === 'password' && (
          <IconButton
            label={isRevealed ? t`Hide password` : t`Show password`}
            icon={isRevealed ? EyeOff : Eye}
            onClick={() => setIsRevealed(!isRevealed)}
          />
        )}
      </div>
      {note}
    </div>
  );
}

type FieldNote = { error: string | undefined; hint?: ReactNode; counter: string | undefined };

/** Below a field, which it describes by its id `<id>-note`: the error, or the hint, and the counter. */
export function fieldNote(id: string, { error, hint, counter }: FieldNote): ReactElement | undefined {
  if (error === undefined && hint === undefined && counter === undefined) return undefined;
  return (
    <div id={`${id}-note`} className="field__note">
      {error === undefined ? (
        <p className="hint">
          <span>{hint}</span>
        </p>
      ) : (
        <FieldError>{error}</FieldError>
      )}
      {counter !== undefined && <span className="hint field__counter flex-none tabular-nums">{counter}</span>}
    </div>
  );
}

/** `3 / 100` below a field with a limit. @param typed the text, or its length */
export function counterOf(typed: unknown, max: number | undefined): string | undefined {
  if (max === undefined) return undefined;
  const length = typeof typed === 'string' ? [...typed].length : typed;
  return typeof length === 'number' ? `${formatCount(length)} / ${formatCount(max)}` : undefined;
}

/** Announced as soon as it appears. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="err" role="alert">
      <Icon of={CircleAlert} size={16} />
      {children}
    </p>
  );
}
