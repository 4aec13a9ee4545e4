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
          label={typedName === undefined ? 'Reason, for the log' : `Type “${typedName}”`}
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
  kind: string,
  of: { title: string; state: string },
  onConfirm: () => Promise<unknown>,
): Question {
  const restorable = 'You can restore it for 30 days.';
  return {
    title: `Delete “${of.title}”`,
    consequences: of.state === 'published' ? `It disappears from the site at once. ${restorable}` : restorable,
    verb: `Delete ${kind}`,
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
