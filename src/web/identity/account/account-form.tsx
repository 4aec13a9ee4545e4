import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { isComposing } from '../../ui/fields/is-composing.ts';
import type { CheckedFormState } from '../../ui/fields/use-checked-form.ts';
import { Note } from '../../ui/note.tsx';

type AccountFormProps = {
  /** Accessible name of the form. */
  label: string;
  state: CheckedFormState;
  /** The form cannot be sent, although its fields are valid. */
  isBlocked?: boolean;
  onCancel: () => void;
  children: ReactNode;
};

/** Replaces one line of the profile by its fields; Escape cancels. */
export function AccountForm({ label, state, isBlocked = false, onCancel, children }: AccountFormProps) {
  const { failure, isReady, isBusy, onSubmit, onChange } = state;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape, from whichever field
    <form
      className="form"
      aria-label={label}
      noValidate
      onSubmit={onSubmit}
      onChange={onChange}
      onKeyDown={(event) => event.key === 'Escape' && !isComposing(event) && !isBusy && onCancel()}
    >
      {failure !== undefined && <Note tone="error">{failure}</Note>}
      {children}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" disabled={!isReady || isBlocked} busy={isBusy ? 'Saving…' : undefined}>
          Save
        </Button>
        <Button variant="ghost" disabled={isBusy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
