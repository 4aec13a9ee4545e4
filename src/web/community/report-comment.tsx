import { useState } from 'react';
import { useToast } from '../ui/toast.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import type { CommentView } from './threads.ts';

const loadForm = () => import('./report-form.tsx');

type ReportCommentProps = {
  /** Undefined: closed. */
  comment: CommentView | undefined;
  onClose: () => void;
};

export function ReportComment({ comment, onClose }: ReportCommentProps) {
  const showToast = useToast();
  const form = useLoaded(loadForm, comment !== undefined, () => {
    onClose();
    showToast({ text: 'No internet connection' });
  });
  // Stays while the window closes.
  const [last, setLast] = useState(comment);
  if (comment !== undefined && comment !== last) setLast(comment);
  return (
    <Dialog
      open={comment !== undefined && form !== undefined}
      onClose={onClose}
      dismissedBy="button"
      title="Report this comment"
      description="We read every report. Nobody learns who reported what."
    >
      {form && last && (
        <form.ReportForm
          key={last.id}
          commentId={last.id}
          onDone={() => {
            onClose();
            showToast({ text: 'Thank you. We will look at it.' });
          }}
          onCancel={onClose}
        />
      )}
    </Dialog>
  );
}
