import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ReactNode, useId } from 'react';
import { FieldError } from '../../ui/fields/field.tsx';

type ChoiceFieldProps = {
  label: string;
  /** '' for `none`. */
  value: string;
  options: readonly { value: string; label: string }[];
  /** The first option, which selects nothing; null omits it. */
  none?: string | null;
  isOptional?: boolean;
  disabled?: boolean;
  /** A lower field. */
  isDense?: boolean;
  error?: string | undefined;
  onChoose: (value: string) => void;
  /** A hint under the field. */
  children?: ReactNode;
};

/**
 * A choice among few options, such as the creator of new recordings; nothing is selected at first, unless `none` says
 * otherwise.
 */
export function ChoiceField({
  label,
  value,
  options,
  none = t`Please choose`,
  isOptional = false,
  disabled = false,
  isDense = false,
  error,
  onChoose,
  children,
}: ChoiceFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {isOptional && (
        <span className="field__optional">
          <Trans>Optional</Trans>
        </span>
      )}
      <select
        id={id}
        className={isDense ? 'input input--dense' : 'input'}
        value={value}
        disabled={disabled}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={error === undefined ? undefined : `${id}-note`}
        onChange={({ target }) => onChoose(target.value)}
      >
        {none !== null && <option value="">{none}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {children}
      {error !== undefined && (
        <div className="field__note">
          <FieldError id={`${id}-note`}>{error}</FieldError>
        </div>
      )}
    </div>
  );
}
