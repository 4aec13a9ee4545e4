import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { ConsequenceDialog } from './consequence-dialog.tsx';

type DeleteButtonProps = {
  /** `article` or `playlist`. */
  kind: string;
  title: string;
  isPublished: boolean;
  isBusy: boolean;
  onDelete: () => Promise<void>;
};

/** Asks before it deletes an item that can be restored. */
export function DeleteButton({ kind, title, isPublished, isBusy, onDelete }: DeleteButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  const restorable = 'You can restore it for 30 days.';
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>Delete</Button>
      {isAsking && (
        <ConsequenceDialog
          title={`Delete “${title}”`}
          consequences={isPublished ? `It disappears from the site at once. ${restorable}` : restorable}
          verb={`Delete ${kind}`}
          isBusy={isBusy}
          onConfirm={() => void onDelete().then(() => setIsAsking(false))}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}
