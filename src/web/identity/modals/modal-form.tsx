import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import type { CheckedFormState } from '../../ui/fields/use-checked-form.ts';
import { Note } from '../../ui/note.tsx';

type ModalFormProps = {
  /** Accessible name of the form. */
  label: string;
  state: CheckedFormState;
  button: string;
  /** Label of the button while the form is sent. */
  busy: string;
  /** The form cannot be sent, although its fields are valid. */
  isBlocked?: boolean;
  /** Content above the error message. */
  intro?: ReactNode;
  children: ReactNode;
};

/** A form that fills a modal, with one wide button at its end. */
export function ModalForm({ label, state, button, busy, isBlocked = false, intro, children }: ModalFormProps) {
  const { failure, isReady, isBusy, onSubmit, onChange } = state;
  return (
    <form className="form" noValidate aria-label={label} onSubmit={onSubmit} onChange={onChange}>
      {intro}
      {failure !== undefined && <Note tone="error">{failure}</Note>}
      {children}
      <Button
        type="submit"
        variant="primary"
        size="lg"
        width="full"
        disabled={!isReady || isBlocked}
        busy={isBusy ? busy : undefined}
      >
        {button}
      </Button>
    </form>
  );
}
