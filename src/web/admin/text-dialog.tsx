import { t } from '@lingui/core/macro';
import { type ReactNode, useState } from 'react';
import type { Answer } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { Note } from '#web/ui/note.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { FormDialog } from '../workshop/form-dialog.tsx';
import { ConflictNotice } from '../workshop/forms/conflict-notice.tsx';
import { useEdited } from '../workshop/forms/use-edited.ts';

export type Texts = { name: string; text: string };

type TextFieldsProps = {
  nameLabel: string;
  /** Absent: only a name, no text. */
  textLabel?: string;
  max: { name: number; text?: number };
};

type TextDialogProps = TextFieldsProps & {
  title: string;
  verb: string;
  /** @returns undefined when it failed */
  onSave: (texts: Texts) => Promise<unknown>;
  onClose: () => void;
};

/** Name and text of a new item. Open while rendered. */
export function TextDialog({ title, verb, onSave, onClose, ...fields }: TextDialogProps) {
  const [texts, setTexts] = useState<Texts>({ name: '', text: '' });
  return (
    <FormDialog
      title={title}
      verb={verb}
      busy={t`Saving…`}
      isReady={isName(texts.name, fields.max.name)}
      onSubmit={() => onSave({ ...texts, name: texts.name.trim() })}
      onClose={onClose}
    >
      <TextFields {...fields} texts={texts} onChange={(part) => setTexts((before) => ({ ...before, ...part }))} />
    </FormDialog>
  );
}

type EditTextDialogProps = TextFieldsProps & {
  subject: Parameters<typeof useEdited>[0]['subject'];
  title: string;
  verb: string;
  /** Stored texts, as the page knows them now. */
  saved: Texts;
  done?: string;
  /** @param before what the changed texts replace; others in its place are a conflict */
  send: (changed: Partial<Texts>, before: Partial<Texts>) => Promise<Answer<unknown>>;
  onClose: () => void;
  children?: ReactNode;
};

/** Name and text of an existing item. A conflict shows the other version beside what was typed. Open while rendered. */
export function EditTextDialog(props: EditTextDialogProps) {
  const { subject, title, verb, saved, done, send, onClose, children, ...fields } = props;
  const edited = useEdited<Texts>({
    key: `${subject.type} ${subject.id}`,
    subject,
    saved,
    done,
    send: (_values, changed, before) => send(changed, before),
  });
  const { values, isChanged, isBusy, isConflict, error, change, save, reset } = edited;
  return (
    <FormDialog
      title={title}
      verb={isConflict ? t`Save mine instead` : verb}
      busy={t`Saving…`}
      isReady={isChanged && isName(values.name, fields.max.name)}
      onSubmit={save}
      acts={
        isConflict && (
          <Button disabled={isBusy} onClick={reset}>
            {t`Load theirs`}
          </Button>
        )
      }
      onClose={() => {
        reset();
        onClose();
      }}
    >
      <TextFields {...fields} texts={values} onChange={change} />
      {children}
      <ConflictNotice edited={edited} />
      {error !== undefined && <Note tone="error">{error}</Note>}
    </FormDialog>
  );
}

function isName(name: string, max: number): boolean {
  return name.trim() !== '' && [...name.trim()].length <= max;
}

type FieldsProps = TextFieldsProps & { texts: Texts; onChange: (part: Partial<Texts>) => void };

function TextFields({ nameLabel, textLabel, max, texts: { name, text }, onChange }: FieldsProps) {
  return (
    <>
      <Field
        label={nameLabel}
        value={name}
        maxLength={max.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      {textLabel !== undefined && (
        <TextArea
          label={textLabel}
          isOptional
          rows={4}
          value={text}
          maxLength={max.text}
          onChange={(event) => onChange({ text: event.target.value })}
        />
      )}
    </>
  );
}
