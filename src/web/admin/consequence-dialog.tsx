import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { DialogWindow } from '#web/ui/layers/dialog-window.tsx';
import { Field } from '#web/ui/fields/field.tsx';

type ConsequenceDialogProps = {
  title: string;
  /** Effects of the action, with numbers. */
  consequences: ReactNode;
  /** Text to type again, to confirm a permanent action. */
  typedName?: string | undefined;
  verb: string;
  isBusy: boolean;
  isReady?: boolean;
  onConfirm: (typed: string) => void;
  onClose: () => void;
  /** Fields of the action. */
  children?: ReactNode;
};

/** Asks for confirmation of an action, permanent or not. Open while rendered. */
export function ConsequenceDialog(props: ConsequenceDialogProps) {
  const { title, consequences, typedName, verb, isBusy, isReady = true, onConfirm, onClose, children } = props;
  const [typed, setTyped] = useState('');
  const isTyped = typedName === undefined || typed.trim() === typedName;
  return (
    <DialogWindow open onClose={onClose} title={title} description={consequences} dismissedBy="button">
      <form
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isTyped && isReady && !isBusy) onConfirm(typed);
        }}
      >
        {children}
        {typedName !== undefined && (
          <Field
            label={`Type “${typedName}”`}
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        <div className="flex flex-wrap gap-2">
          <Button
            type="submit"
            variant="primary"
            disabled={!isTyped || !isReady}
            busy={isBusy ? 'Working…' : undefined}
          >
            {verb}
          </Button>
          <Button variant="ghost" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </DialogWindow>
  );
}
