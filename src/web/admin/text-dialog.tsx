import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Answer } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogWindow } from '#web/ui/layers/dialog-window.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { Note } from '#web/ui/note.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { ConflictNotice } from '../workshop/forms/conflict-notice.tsx';
import { useEdited } from '../workshop/forms/use-edited.ts';

export type Texts = { name: string; text: string };

type TextFields = {
  nameLabel: string;
  /** Absent: only a name, no text. */
  textLabel?: string;
  max: { name: number; text?: number };
};

type TextDialogProps = TextFields & {
  title: string;
  verb: string;
  isBusy: boolean;
  /** @returns whether it was saved, which closes the dialog */
  onSave: (texts: Texts) => Promise<boolean>;
  onClose: () => void;
};

/** Name and text of a new item. Open while rendered. */
export function TextDialog({ title, verb, isBusy, onSave, onClose, ...fields }: TextDialogProps) {
  const [texts, setTexts] = useState<Texts>({ name: '', text: '' });
  const isReady = isName(texts.name, fields.max.name);

  async function save(): Promise<void> {
    if (isReady && !isBusy && (await onSave({ ...texts, name: texts.name.trim() }))) onClose();
  }

  return (
    <DialogWindow open onClose={onClose} title={title} dismissedBy="button">
      <TextForm
        {...fields}
        texts={texts}
        onChange={(part) => setTexts((before) => ({ ...before, ...part }))}
        onSubmit={() => void save()}
      >
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" disabled={!isReady} busy={isBusy ? 'Saving…' : undefined}>
            {verb}
          </Button>
          <Button variant="ghost" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
        </div>
      </TextForm>
    </DialogWindow>
  );
}

type EditTextDialogProps = TextFields & {
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
  const isReady = isChanged && isName(values.name, fields.max.name);

  function close(): void {
    reset();
    onClose();
  }

  return (
    <DialogWindow open onClose={close} title={title} dismissedBy="button">
      <TextForm
        {...fields}
        texts={values}
        onChange={change}
        onSubmit={() => void (isReady && save().then((isSaved) => isSaved && close()))}
      >
        {children}
        <ConflictNotice edited={edited} />
        {error !== undefined && <Note tone="error">{error}</Note>}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" disabled={!isReady} busy={isBusy ? 'Saving…' : undefined}>
            {isConflict ? 'Save mine instead' : verb}
          </Button>
          {isConflict && (
            <Button disabled={isBusy} onClick={reset}>
              Load theirs
            </Button>
          )}
          <Button variant="ghost" disabled={isBusy} onClick={close}>
            Cancel
          </Button>
        </div>
      </TextForm>
    </DialogWindow>
  );
}

function isName(name: string, max: number): boolean {
  return name.trim() !== '' && [...name.trim()].length <= max;
}

type TextFormProps = TextFields & {
  texts: Texts;
  onChange: (part: Partial<Texts>) => void;
  onSubmit: () => void;
  children: ReactNode;
};

function TextForm({ nameLabel, textLabel, max, texts: { name, text }, onChange, onSubmit, children }: TextFormProps) {
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Field
        label={nameLabel}
        value={name}
        maxLength={max.name}
        length={[...name].length}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      {textLabel !== undefined && (
        <TextArea
          label={textLabel}
          isOptional
          rows={4}
          value={text}
          maxLength={max.text}
          length={[...text].length}
          onChange={(event) => onChange({ text: event.target.value })}
        />
      )}
      {children}
    </form>
  );
}
