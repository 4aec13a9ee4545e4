import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';

type DeleteFormProps = {
  /** @returns the error message; undefined when deleted, after which the form is gone */
  onConfirmed: () => Promise<string | undefined>;
  onKept: () => void;
};

export function DeleteForm({ onConfirmed, onKept }: DeleteFormProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function confirm(): Promise<void> {
    setFailure(undefined);
    setIsBusy(true);
    setFailure(await onConfirmed());
    setIsBusy(false);
  }

  return (
    <div className="form">
      {failure !== undefined && <Note tone="error">{failure}</Note>}
      <div className="flex flex-wrap gap-2">
        <Button
          className="btn--danger"
          variant="outline"
          busy={isBusy ? 'Deleting…' : undefined}
          onClick={() => void confirm()}
        >
          Delete comment
        </Button>
        <Button variant="ghost" onClick={onKept}>
          Keep it
        </Button>
      </div>
    </div>
  );
}
