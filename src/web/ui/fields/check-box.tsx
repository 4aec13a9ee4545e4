import Check from 'lucide-react/icons/check';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { afterFieldLeft } from '../after-press.ts';
import { FieldError } from './field.tsx';
import { Icon } from '../images/icon.tsx';

type CheckBoxProps = Omit<ComponentProps<'input'>, 'type' | 'children'> & {
  error?: string | undefined;
  /** Text of the consent; may contain links. */
  children: ReactNode;
};

export function CheckBox({ error, onBlur, children, ...input }: CheckBoxProps) {
  const id = useId();
  return (
    <div>
      <label className="check-box">
        <input
          {...input}
          type="checkbox"
          className="sr-only"
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : id}
          onBlur={(event) => afterFieldLeft(event.nativeEvent, () => onBlur?.(event))}
        />
        <i>
          <Icon of={Check} size={16} />
        </i>
        <span>{children}</span>
      </label>
      {error !== undefined && <FieldError id={id}>{error}</FieldError>}
    </div>
  );
}
