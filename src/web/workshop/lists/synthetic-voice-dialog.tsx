import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { SyntheticVoice } from '#domain/catalogue/rules.ts';
import { FormDialog } from '../form-dialog.tsx';
import { SyntheticVoiceField } from '../forms/synthetic-voice-field.tsx';

type SyntheticVoiceDialogProps = {
  /** Such as `3 audios`. */
  count: string;
  onChoose: (chosen: SyntheticVoice) => void;
  onClose: () => void;
};

/** Says of many audios how much was spoken by a machine. Open while rendered. */
export function SyntheticVoiceDialog({ count, onChoose, onClose }: SyntheticVoiceDialogProps) {
  const [chosen, setChosen] = useState<SyntheticVoice>('wholly');
  return (
    <FormDialog
      title={t`Synthetic voice`}
      description={t`For ${count}.`}
      verb={t`Set synthetic voice`}
      onSubmit={async () => {
        onChoose(chosen);
        return true;
      }}
      onClose={onClose}
    >
      <SyntheticVoiceField value={chosen} onChoose={setChosen} />
    </FormDialog>
  );
}
