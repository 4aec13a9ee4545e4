import type { FormEventHandler, ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';

type AccountFormProps = {
  /** Names the form. */
  label: string;
  onSubmit: FormEventHandler<HTMLFormElement>;
  onCancel: () => void;
  isBusy: boolean;
  /** Whether what is typed can be sent. */
  isReady: boolean;
  /** What went wrong with the whole of it. */
  failure: string | undefined;
  children: ReactNode;
};

/** Fields in the place of one line of the profile; Escape leaves it as it was. */
export function AccountForm({ label, onSubmit, onCancel, isBusy, isReady, failure, children }: AccountFormProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape, from whichever field
    <form
      className="form"
      aria-label={label}
      noValidate
      onSubmit={onSubmit}
      onKeyDown={(event) => event.key === 'Escape' && !isBusy && onCancel()}
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
