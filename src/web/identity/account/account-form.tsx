import type { FormEventHandler, ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { isComposing } from '../../ui/fields/is-composing.ts';

type AccountFormProps = {
  /** Accessible name of the form. */
  label: string;
  onSubmit: FormEventHandler<HTMLFormElement>;
  onCancel: () => void;
  /** The user typed: clears the error of the last try. */
  onEdit: () => void;
  isBusy: boolean;
  /** Whether the input is valid and can be submitted. */
  isReady: boolean;
  /** Error message for the whole form. */
  failure: string | undefined;
  children: ReactNode;
};

/** Replaces one line of the profile by its fields; Escape cancels. */
export function AccountForm({
  label,
  onSubmit,
  onCancel,
  onEdit,
  isBusy,
  isReady,
  failure,
  children,
}: AccountFormProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape, from whichever field
    <form
      className="form"
      aria-label={label}
      noValidate
      onSubmit={onSubmit}
      onChange={onEdit}
      onKeyDown={(event) => event.key === 'Escape' && !isComposing(event) && !isBusy && onCancel()}
    >
      {failure !== undefined && <Note tone="error">{failure}</Note>}
      {children}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" disabled={!isReady} busy={isBusy ? 'Saving…' : undefined}>
          Save
        </Button>
        <Button variant="ghost" disabled={isBusy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
