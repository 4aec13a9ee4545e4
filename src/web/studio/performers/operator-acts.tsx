import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { AudioPerformer } from '#domain/studio/audios/performers.ts';
import { verificationLengths } from '#domain/verification/rules.ts';
import { type Answer, answerOf, api } from '#web/api.ts';
import { CheckBox } from '#web/ui/fields/check-box.tsx';
import { Field, FieldError } from '#web/ui/fields/field.tsx';
import { CheckFields, useCheckRecord } from '#web/workshop/check-record.tsx';
import { FormDialog } from '#web/workshop/form-dialog.tsx';

type OperatorDialogProps = {
  audioId: string;
  performer: AudioPerformer;
  onDone: () => Promise<void>;
  onClose: () => void;
};

/** A consent that the operator keeps elsewhere, such as on paper. */
export function RecordConsentDialog({ audioId, performer, onDone, onClose }: OperatorDialogProps) {
  const [reference, setReference] = useState('');
  const [downloaded, setDownloaded] = useState(false);
  const { refusal, submit } = useSending(onDone);
  return (
    <FormDialog
      title={t`Record a consent`}
      description={t`They agreed to be recorded and published, and you keep the record of it. No document comes here.`}
      verb={t`Record`}
      isReady={reference.trim() !== ''}
      onClose={onClose}
      onSubmit={() =>
        submit(
          answerOf(
            api.admin.audios[':id'].performers[':performerId'].consent.$put({
              param: { id: audioId, performerId: performer.id },
              json: { reference, downloaded },
            }),
          ),
        )
      }
    >
      <Field
        label={t({ message: 'Reference', context: 'of a check' })}
        hint={t`Where you find your own record of it`}
        maxLength={verificationLengths.reference}
        value={reference}
        onChange={({ target }) => setReference(target.value)}
      />
      <CheckBox checked={downloaded} onChange={({ target }) => setDownloaded(target.checked)}>
        {t`Listeners may download it`}
      </CheckBox>
      {refusal !== undefined && <FieldError>{refusal}</FieldError>}
    </FormDialog>
  );
}

/** Sotto's record of a check of a performer. */
export function CheckPerformerDialog({ audioId, performer, onDone, onClose }: OperatorDialogProps) {
  const record = useCheckRecord();
  const { refusal, submit } = useSending(onDone);
  return (
    <FormDialog
      title={t`Record a check`}
      description={t`Never a document, a photo, a number of a document or a birthday.`}
      verb={t`Record`}
      isReady={record.isReady}
      onClose={onClose}
      onSubmit={() =>
        submit(
          answerOf(
            api.admin.audios[':id'].performers[':performerId'].verification.$put({
              param: { id: audioId, performerId: performer.id },
              json: record.form,
            }),
          ),
        )
      }
    >
      <CheckFields record={record} />
      {refusal !== undefined && <FieldError>{refusal}</FieldError>}
    </FormDialog>
  );
}

function useSending(onDone: () => Promise<void>) {
  const [refusal, setRefusal] = useState<string>();
  return {
    refusal,
    async submit(sending: Promise<Answer<unknown>>): Promise<boolean> {
      const answer = await sending;
      setRefusal(answer.ok ? undefined : answer.message);
      if (answer.ok) await onDone();
      return answer.ok;
    },
  };
}
