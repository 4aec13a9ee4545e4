import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { DialogWindow } from '#web/ui/dialog-window.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-area.tsx';

export type Texts = { name: string; text: string };

type TextDialogProps = {
  title: string;
  verb: string;
  nameLabel: string;
  /** Absent: only a name, no text. */
  textLabel?: string;
  start?: Texts;
  most: { name: number; text?: number };
  isBusy: boolean;
  /** @returns whether it was saved, which closes the dialog */
  onSave: (texts: Texts) => Promise<boolean>;
  onClose: () => void;
  children?: ReactNode;
};

/** Name and text of a new or existing item. Open while rendered. */
export function TextDialog(props: TextDialogProps) {
  const { title, verb, nameLabel, textLabel, start = { name: '', text: '' }, most, isBusy, onSave, onClose } = props;
  const id = useId();
  const [name, setName] = useState(start.name);
  const [text, setText] = useState(start.text);
  const isReady = name.trim() !== '' && [...name.trim()].length <= most.name;

  async function save(): Promise<void> {
    if (isReady && !isBusy && (await onSave({ name: name.trim(), text }))) onClose();
  }

  return (
    <DialogWindow open onClose={onClose} title={title} dismissedBy="button">
      <form
        id={id}
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field
          label={nameLabel}
          value={name}
          maxLength={most.name}
          length={[...name].length}
          onChange={(event) => setName(event.target.value)}
        />
        {textLabel !== undefined && (
          <TextArea
            label={textLabel}
            isOptional
            rows={4}
            value={text}
            maxLength={most.text}
            length={[...text].length}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        {props.children}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" disabled={!isReady} busy={isBusy ? 'Saving…' : undefined}>
            {verb}
          </Button>
          <Button variant="ghost" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </DialogWindow>
  );
}
