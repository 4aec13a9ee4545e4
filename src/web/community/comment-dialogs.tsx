import { useState } from 'react';
import { DialogWindow } from '../ui/dialog-window.tsx';
import { useToast } from '../ui/toast.tsx';
import { DeleteForm } from './delete-form.tsx';
import { ReportForm } from './report-form.tsx';
import type { CommentView } from './threads.ts';

type CommentDialogProps = {
  /** Undefined: closed. */
  comment: CommentView | undefined;
  onClose: () => void;
};

type DeleteCommentProps = CommentDialogProps & {
  /** @returns what it was refused with */
  remove: (id: string) => Promise<string | undefined>;
  /** What had the focus is gone with it. */
  onGone: () => void;
};

/** Asks once more: its text is gone for good. */
export function DeleteComment({ comment, onClose, remove, onGone }: DeleteCommentProps) {
  const showToast = useToast();
  const shown = useLast(comment);
  return (
    <DialogWindow
      open={comment !== undefined}
      onClose={onClose}
      title="Delete your comment"
      description="Its text is gone for good. What others answered stays."
    >
      {shown && (
        <DeleteForm
          key={shown.id}
          onKept={onClose}
          onConfirmed={async () => {
            const refusal = await remove(shown.id);
            if (refusal !== undefined) return refusal;
            onClose();
            showToast({ text: 'Your comment is deleted' });
            onGone();
            return undefined;
          }}
        />
      )}
    </DialogWindow>
  );
}

export function ReportComment({ comment, onClose }: CommentDialogProps) {
  const showToast = useToast();
  const shown = useLast(comment);
  return (
    <DialogWindow
      open={comment !== undefined}
      onClose={onClose}
      dismissedBy="button"
      title="Report this comment"
      description="We read every report. Nobody learns who reported what."
    >
      {shown && (
        <ReportForm
          key={shown.id}
          commentId={shown.id}
          onDone={() => {
            onClose();
            showToast({ text: 'Thank you. We will look at it.' });
          }}
          onCancel={onClose}
        />
      )}
    </DialogWindow>
  );
}

/** Stays while the window closes. */
function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
