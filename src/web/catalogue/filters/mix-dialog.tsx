import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { isVisible } from '#domain/kernel/rules.ts';
import { mixNameLength } from '#domain/library/mixes/rules.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckBox } from '#web/ui/fields/check-box.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { DialogWindow } from '#web/ui/layers/dialog-window.tsx';
import { Note } from '#web/ui/note.tsx';
import { type MixWords, MixWordList } from './mix-words.tsx';

type MixDialogProps = {
  title: string;
  text?: string;
  words: MixWords;
  name: string;
  hasNews: boolean;
  submit: string;
  /** @returns the error message; undefined on success, which closes it */
  onSubmit: (form: { name: string; hasNews: boolean }) => Promise<string | undefined>;
  onClose: () => void;
};

/** Asks for the name of saved filters, and whether their new audios are news. */
export function MixDialog({ title, text, words, name, hasNews, submit, onSubmit, onClose }: MixDialogProps) {
  const [typed, setTyped] = useState(name);
  const [isNews, setIsNews] = useState(hasNews);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const isNamed = isVisible(typed.trim());

  async function send(): Promise<void> {
    if (!isNamed || isBusy) return;
    setIsBusy(true);
    setFailure(undefined);
    const refusal = await onSubmit({ name: typed, hasNews: isNews });
    setIsBusy(false);
    if (refusal === undefined) onClose();
    else setFailure(refusal);
  }

  return (
    <DialogWindow open onClose={onClose} dismissedBy="button" title={title} description={text}>
      <form
        className="form"
        aria-label={title}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {failure !== undefined && <Note tone="error">{failure}</Note>}
        <MixWordList words={words} />
        <Field
          label={t`Name`}
          name="name"
          autoComplete="off"
          maxLength={mixNameLength}
          length={[...typed].length}
          value={typed}
          error={isNamed ? undefined : t`Write a name`}
          onChange={(event) => setTyped(event.target.value)}
        />
        <CheckBox checked={isNews} onChange={(event) => setIsNews(event.target.checked)}>
          {t`Tell me when something new joins it`}
        </CheckBox>
        <Button
          type="submit"
          variant="primary"
          size="lg"
          width="full"
          disabled={!isNamed}
          busy={isBusy ? t`Saving…` : undefined}
        >
          {submit}
        </Button>
      </form>
      <p className="modal__form">{t`You find it in your Library. Only you can see it.`}</p>
    </DialogWindow>
  );
}
