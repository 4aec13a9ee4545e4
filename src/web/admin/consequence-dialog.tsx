import { t } from '@lingui/core/macro';
import { type ReactNode, useState } from 'react';
import { Field } from '#web/ui/fields/field.tsx';
import { type FormDialogProps, FormDialog } from '../workshop/form-dialog.tsx';

type ConsequenceDialogProps = Omit<FormDialogProps, 'description' | 'onSubmit'> & {
  /** Effects of the act, with numbers. */
  consequences: ReactNode;
  /** Text to type again, to confirm a permanent act. */
  typedName?: string;
  /** Asks for a reason, which goes into the log. */
  asksReason?: boolean;
  /** @param typed the name or the reason. @returns undefined when it failed */
  onConfirm: (typed: string) => Promise<unknown>;
};

/** Asks before an act, permanent or not. Open while rendered; closes after the act. */
export function ConsequenceDialog(props: ConsequenceDialogProps) {
  const { consequences, typedName, asksReason = false, isReady = true, onConfirm, children, ...dialog } = props;
  const [typed, setTyped] = useState('');
  const text = typed.trim();
  const isTyped = typedName === undefined ? !asksReason || text !== '' : text === typedName;
  return (
    <FormDialog {...dialog} description={consequences} isReady={isReady && isTyped} onSubmit={() => onConfirm(text)}>
      {children}
      {(asksReason || typedName !== undefined) && (
        <Field
          label={typedName === undefined ? t`Reason, for the log` : t`Type “${typedName}”`}
          value={typed}
          maxLength={asksReason ? 500 : undefined}
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
    </FormDialog>
  );
}

type Question = Omit<ConsequenceDialogProps, 'onClose' | 'children'>;

/** Asks before an article or a playlist is deleted. */
export function deletionOf(
  kind: 'article' | 'playlist',
  { title, state }: { title: string; state: string },
  onConfirm: () => Promise<unknown>,
): Question {
  return {
    title: t`Delete “${title}”`,
    consequences:
      state === 'published'
        ? t`It disappears from the site at once. You can restore it for 30 days.`
        : t`You can restore it for 30 days.`,
    verb: kind === 'article' ? t`Delete article` : t`Delete playlist`,
    onConfirm,
  };
}

/** Asks before acts of a page: `confirm(…)` opens the dialog, which stands anywhere in the page's JSX. */
export function useConfirm() {
  const [question, setQuestion] = useState<Question>();
  return {
    confirm: setQuestion,
    dialog: question && <ConsequenceDialog {...question} onClose={() => setQuestion(undefined)} />,
  };
}
