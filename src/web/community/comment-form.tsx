import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { commentLength, countCharacters, isBlankComment } from '#domain/community/rules.ts';
import { formatCount } from '#formats/numbers.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { FieldError } from '../ui/fields/field.tsx';
import { isComposing } from '../ui/fields/is-composing.ts';
import '../ui/fields/text-area.css';
import { commentDraft, withRefused } from './comment-drafts.ts';

type CommentFormProps = {
  /** The author. Must be part of the form's key where users can change: the text is private. */
  userId: string;
  /** The audio, or the comment that is replied to. */
  subjectId: string;
  label: string;
  placeholder: string;
  submit: string;
  takesFocus?: boolean;
  /** Text of a comment that is changed. */
  initial?: string;
  /** @returns whether the comment was accepted; if not, the text is put back into the field */
  onSubmit: (text: string) => Promise<boolean>;
  /** Without it, the form stays after submitting, emptied. */
  onCancel?: () => void;
};

/** Text area with a counter; its buttons appear when it is first focused. */
export function CommentForm(props: CommentFormProps) {
  const { userId, subjectId, label, placeholder, submit, takesFocus = false, initial = '', onSubmit, onCancel } = props;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft] = useState(() => commentDraft(userId, subjectId));
  const [text, setText] = useState(() => draft.get() || initial);
  const [isOpen, setIsOpen] = useState(takesFocus);
  const length = countCharacters(text);
  const limit = formatCount(commentLength);
  const isTooLong = length > commentLength;
  const isReady = !isTooLong && !isBlankComment(text);

  function change(typed: string): void {
    draft.set(typed);
    setText(typed);
  }

  async function send(): Promise<void> {
    if (!isReady) return;
    // The draft stays until the comment is accepted.
    setText('');
    field.current?.focus();
    const isAccepted = await onSubmit(text);
    if (!isAccepted) change(withRefused(text, draft.get()));
    else if (draft.get() === text) draft.set('');
  }

  function leave(): void {
    change('');
    setIsOpen(false);
    field.current?.blur();
    onCancel?.();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
    if (event.key === 'Escape' && text === '') leave();
  }

  return (
    <form
      className="min-w-0 flex-1"
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div className={classNames('input input--area', isTooLong && 'input--error')}>
        <textarea
          ref={field}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the listener has just opened the reply field
          autoFocus={takesFocus}
          name="comment"
          rows={1}
          value={text}
          placeholder={placeholder}
          aria-label={label}
          aria-describedby={`${id}-note`}
          aria-invalid={isTooLong || undefined}
          onChange={(event) => change(event.target.value)}
          onFocus={() => setIsOpen(true)}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={`${id}-note`} className="mt-2 flex justify-between gap-4 text-13 text-muted">
        {isTooLong ? (
          <FieldError>{t`A comment can have up to ${limit} characters.`}</FieldError>
        ) : (
          <span>
            <Trans>Your username is shown with your comment.</Trans>
          </span>
        )}
        <span dir="ltr" className="tabular-nums whitespace-nowrap">
          {formatCount(length)} / {limit}
        </span>
      </div>
      {(isOpen || text !== '') && (
        <div className="mt-3 flex justify-end gap-2">
          <Button variant="ghost" size="sm" onClick={leave}>
            {t`Cancel`}
          </Button>
          <Button variant="primary" size="sm" type="submit" disabled={!isReady}>
            {submit}
          </Button>
        </div>
      )}
    </form>
  );
}
