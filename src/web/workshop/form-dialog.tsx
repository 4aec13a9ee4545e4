import { t } from '@lingui/core/macro';
import { Form } from './form.tsx';
import { type ReactNode, useState } from 'react';
import type { z } from 'zod';
import { Button } from '../ui/button.tsx';
import { DialogWindow } from '../ui/layers/dialog-window.tsx';

export type FormDialogProps = {
  title: string;
  description?: ReactNode;
  /** Label of the button that submits. */
  verb: ReactNode;
  /** Its label meanwhile. */
  busy?: string;
  isReady?: boolean;
  /** @returns what it made, or false or undefined: the dialog stays open, to try again */
  onSubmit: () => Promise<unknown>;
  onClose: () => void;
  /** More buttons beside the one that submits. */
  acts?: ReactNode;
  /** Fields, each with its refusal. */
  children?: ReactNode;
};

/** A dialog with one form. Open while rendered; closes after its act succeeded. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, verb, busy = t`Working…`, isReady = true, onSubmit, onClose, acts, children } = props;
  const [isBusy, setIsBusy] = useState(false);

  async function submit(): Promise<void> {
    if (!isReady || isBusy) return;
    setIsBusy(true);
    const made = await onSubmit();
    setIsBusy(false);
    if (made !== undefined && made !== false) onClose();
  }

  return (
    <DialogWindow open onClose={onClose} title={title} description={description} dismissedBy="button">
      <Form className="form" onSubmit={() => void submit()}>
        {children}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" disabled={!isReady} busy={isBusy ? busy : undefined}>
            {verb}
          </Button>
          {acts}
          <Button variant="ghost" disabled={isBusy} onClick={onClose}>
            {t`Cancel`}
          </Button>
        </div>
      </Form>
    </DialogWindow>
  );
}

/** Errors that a form's schema finds, by the first part of the path. */
export function errorsByField(error: z.ZodError | undefined): Record<string, string> {
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [String(path[0]), message]));
}
