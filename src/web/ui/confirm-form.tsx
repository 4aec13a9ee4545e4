import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Button } from './button.tsx';
import { Note } from './note.tsx';

type ConfirmFormProps = {
  /** Label of what deletes something, and while it does. */
  act: string;
  busy: string;
  /** @returns the error message; undefined when it is done */
  onConfirm: () => Promise<string | undefined>;
  onKeep: () => void;
};

/** Content of a dialog that asks before something is deleted for good. */
export function ConfirmForm({ act, busy, onConfirm, onKeep }: ConfirmFormProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function confirm(): Promise<void> {
    setFailure(undefined);
    setIsBusy(true);
    setFailure(await onConfirm());
    setIsBusy(false);
  }

  return (
    <div className="form">
      {failure !== undefined && <Note tone="error">{failure}</Note>}
      <div className="flex flex-wrap gap-2">
        <Button
          className="btn--danger"
          variant="outline"
          busy={isBusy ? busy : undefined}
          onClick={() => void confirm()}
        >
          {act}
        </Button>
        <Button variant="ghost" onClick={onKeep}>
          {t`Keep it`}
        </Button>
      </div>
    </div>
  );
}
