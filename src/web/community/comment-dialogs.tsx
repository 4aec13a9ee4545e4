import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { ConfirmForm } from '../ui/confirm-form.tsx';
import { DialogWindow } from '../ui/layers/dialog-window.tsx';
import { useToast } from '../ui/layers/toast.tsx';
import { CommentForm } from './comment-form.tsx';
import { ReportForm } from './report-form.tsx';
import type { CommentView } from './threads.ts';

type CommentDialogProps = {
  comment: CommentView | undefined;
  onClose: () => void;
};

type DeleteCommentProps = CommentDialogProps & {
  /** @returns the error message, if refused */
  remove: (id: string) => Promise<string | undefined>;
  /** Moves the focus: the focused element is deleted too. */
  onGone: () => void;
};

/** Asks for confirmation: the text cannot be restored. */
export function DeleteComment({ comment, onClose, remove, onGone }: DeleteCommentProps) {
  const showToast = useToast();
  const shown = useLast(comment);
  return (
    <DialogWindow
      open={comment !== undefined}
      onClose={onClose}
      title={t`Delete your comment`}
      description={t`This cannot be undone. Replies by others stay.`}
    >
      {shown && (
        <ConfirmForm
          key={shown.id}
          act={t`Delete comment`}
          busy={t`Deleting…`}
          onKeep={onClose}
          onConfirm={async () => {
            const refusal = await remove(shown.id);
            if (refusal !== undefined) return refusal;
            onClose();
            showToast({ text: t`Your comment is deleted` });
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
      title={t`Report this comment`}
      description={t`We read every report. Nobody is told who reported a comment.`}
    >
      {shown && (
        <ReportForm
          key={shown.id}
          commentId={shown.id}
          onDone={() => {
            onClose();
            showToast({ text: t`Thank you. We will look at it.` });
          }}
          onCancel={onClose}
        />
      )}
    </DialogWindow>
  );
}

type EditCommentProps = CommentDialogProps & {
  userId: string | undefined;
  /** @returns the error message, if refused */
  edit: (id: string, text: string) => Promise<string | undefined>;
};

/** The text is checked like a new one, so it may wait for the creator. */
export function EditComment({ comment, userId, onClose, edit }: EditCommentProps) {
  const showToast = useToast();
  const shown = useLast(comment);
  return (
    <DialogWindow
      open={comment !== undefined}
      onClose={onClose}
      dismissedBy="button"
      title={t`Edit your comment`}
      description={t`A pin and a heart of the creator go with the old text.`}
    >
      {shown && userId !== undefined && (
        <div className="mt-5">
          <CommentForm
            key={shown.id}
            userId={userId}
            subjectId={`edit ${shown.id}`}
            label={t`Comment`}
            placeholder={t`Say something kind…`}
            submit={t`Save`}
            initial={shown.text ?? ''}
            takesFocus
            onCancel={onClose}
            onSubmit={async (text) => {
              const refusal = await edit(shown.id, text);
              showToast({ text: refusal ?? t`Your comment is changed` });
              if (refusal === undefined) onClose();
              return refusal === undefined;
            }}
          />
        </div>
      )}
    </DialogWindow>
  );
}

/** The last defined value, so that the content stays during the closing animation. */
function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
