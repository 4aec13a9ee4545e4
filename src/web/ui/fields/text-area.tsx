import { Trans } from '@lingui/react/macro';
import { type ComponentProps, useId } from 'react';
import { afterFieldLeft } from '../after-press.ts';
import { classNames } from '../class-names.ts';
import { counterOf, fieldNote } from './field.tsx';
import './text-area.css';

type TextAreaProps = ComponentProps<'textarea'> & {
  label: string;
  error?: string | undefined;
  isOptional?: boolean;
  /** Length of the text, when `value` does not contain it; with `maxLength`, a counter is shown (spec §5). */
  length?: number | undefined;
};

export function TextArea({ label, error, isOptional = false, length, maxLength, onBlur, ...input }: TextAreaProps) {
  const id = useId();
  const note = fieldNote(id, { error, counter: counterOf(length ?? input.value, maxLength) });
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {isOptional && (
        <span className="field__optional">
          <Trans>Optional</Trans>
        </span>
      )}
      <div className={classNames('input input--area', error !== undefined && 'input--error')}>
        <textarea
          {...input}
          id={id}
          className="input__field"
          maxLength={maxLength}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={note && `${id}-note`}
          onBlur={(event) => afterFieldLeft(event.nativeEvent, () => onBlur?.(event))}
        />
      </div>
      {note}
    </div>
  );
}
