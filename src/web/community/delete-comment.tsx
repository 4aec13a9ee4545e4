import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Note } from '../ui/note.tsx';
import { useToast } from '../ui/toast.tsx';
import type { CommentView } from './threads.ts';

type DeleteCommentProps = {
  /** Undefined: closed. */
  comment: CommentView | undefined;
  onClose: () => void;
  /** @returns what it was refused with */
  remove: (id: string) => Promise<string | undefined>;
  /** What had the focus is gone with it. */
  onGone: () => void;
};

/** Asks once more: its text is gone for good. */
export function DeleteComment({ comment, onClose, remove, onGone }: DeleteCommentProps) {
  const showToast = useToast();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  function close(): void {
    setFailure(undefined);
    onClose();
  }

  async function confirm(): Promise<void> {
    if (comment === undefined) return;
    setIsBusy(true);
    const refusal = await remove(comment.id);
    setIsBusy(false);
    if (refusal !== undefined) return setFailure(refusal);
    close();
    showToast({ text: 'Your comment is deleted' });
    onGone();
  }

  return (
    <Dialog
      open={comment !== undefined}
      onClose={close}
      title="Delete your comment"
      description="Its text is gone for good. What others answered stays."
    >
      <div className="form">
        {failure !== undefined && <Note tone="error">{failure}</Note>}
        <div className="flex flex-wrap gap-2">
          <Button
            className="btn--d"
            variant="outline"
            busy={isBusy ? 'Deleting…' : undefined}
            onClick={() => void confirm()}
          >
            Delete comment
          </Button>
          <Button variant="ghost" onClick={close}>
            Keep it
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
