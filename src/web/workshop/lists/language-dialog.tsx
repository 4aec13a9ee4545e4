import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { LanguageChoice } from '#formats/language-names.ts';
import { FormDialog } from '../form-dialog.tsx';
import { LanguageField } from '../forms/language-field.tsx';

type LanguageDialogProps = {
  /** Such as `3 audios`. */
  count: string;
  choices: readonly LanguageChoice[];
  /** Chosen at first. */
  language: string;
  onChoose: (language: string) => void;
  onClose: () => void;
};

/** Chooses the language of many audios. Open while rendered. */
export function LanguageDialog({ count, choices, language, onChoose, onClose }: LanguageDialogProps) {
  const [chosen, setChosen] = useState(language);
  return (
    <FormDialog
      title={t`Language`}
      description={t`For ${count}.`}
      verb={t`Set language`}
      isReady={chosen.trim() !== ''}
      onSubmit={async () => {
        onChoose(chosen);
        return true;
      }}
      onClose={onClose}
    >
      <LanguageField value={chosen} choices={choices} onChoose={setChosen} />
    </FormDialog>
  );
}
