import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { verificationLengths, todayOf } from '#domain/verification/rules.ts';
import type { Verification } from '#domain/verification/verifications.ts';
import { formatDate } from '#formats/times.ts';
import { api, onManyAudios } from '#web/api.ts';
import { VerificationMark } from '#web/workshop/verification-mark.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { Fact, Facts } from '#web/workshop/facts.tsx';
import { CheckFields, useCheckRecord } from '#web/workshop/check-record.tsx';
import { DownloadButton } from '#web/workshop/download-button.tsx';
import { FormDialog } from '#web/workshop/form-dialog.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import { useCall } from '../use-call.ts';

type VerificationPanelProps = {
  voice: { id: string; name: string; slug: string };
  verification: Verification;
  /** An owner has agreed to a creator agreement. */
  hasAgreed: boolean;
};

type Act = 'record' | 'refuse' | 'withdraw';

/** The record of a check that an operator made, and their decisions. */
export function VerificationPanel({ voice, verification, hasAgreed }: VerificationPanelProps) {
  const [act, setAct] = useState<Act>();
  const { state, until, method, reference, checkedOn, decidedBy, reason, askedAt, askedFrom, appeal } = verification;
  const close = () => setAct(undefined);
  return (
    <Pane title={t`Verification`} end={<VerificationMark state={state} until={until} />}>
      <p className="text-14 mb-3 text-soft">
        {t`Check who this is outside of the site, and keep the record there. Here are only its method, its reference and its dates.`}
      </p>
      <Facts className="mb-4">
        {askedAt !== null && (
          <Fact name={t`Asked`}>
            {askedFrom === null ? formatDate(askedAt) : t`${{ day: formatDate(askedAt) }}, by ${{ email: askedFrom }}`}
          </Fact>
        )}
        {appeal !== null && <Fact name={t`Appeal`}>{appeal}</Fact>}
        {method !== null && <Fact name={t({ message: 'Method', context: 'of a check' })}>{method}</Fact>}
        {reference !== null && <Fact name={t({ message: 'Reference', context: 'of a check' })}>{reference}</Fact>}
        {checkedOn !== null && <Fact name={t({ message: 'On', context: 'a day' })}>{formatDate(checkedOn)}</Fact>}
        {until !== null && <Fact name={t`Until`}>{formatDate(until)}</Fact>}
        {reason !== null && <Fact name={t`Reason`}>{reason}</Fact>}
        {decidedBy !== null && <Fact name={t`Decided by`}>{decidedBy}</Fact>}
      </Facts>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setAct('record')}>{t`Record a check`}</Button>
        {askedAt !== null && <Button variant="ghost" onClick={() => setAct('refuse')}>{t`Refuse`}</Button>}
        {verification.decision === 'verified' && (
          <Button variant="ghost" onClick={() => setAct('withdraw')}>{t`Withdraw`}</Button>
        )}
        {hasAgreed && (
          <DownloadButton
            className="btn btn--ghost"
            name={`agreement-${voice.slug}.pdf`}
            load={() => api.admin.voices[':id'].agreements.pdf.$get({ param: { id: voice.id } })}
          >
            {t`Agreement as PDF`}
          </DownloadButton>
        )}
      </div>
      {act === 'record' && <RecordDialog voice={voice} verification={verification} onClose={close} />}
      {act === 'refuse' && <RefuseDialog voice={voice} onClose={close} />}
      {act === 'withdraw' && <WithdrawDialog voice={voice} onClose={close} />}
    </Pane>
  );
}

type DialogProps = { voice: VerificationPanelProps['voice']; onClose: () => void };

function RecordDialog({ voice: { id, name }, verification, onClose }: DialogProps & { verification: Verification }) {
  const { call } = useCall();
  const today = todayOf();
  const inTwoYears = `${Number(today.slice(0, 4)) + 2}${today.slice(4).replace('-02-29', '-02-28')}`;
  const record = useCheckRecord({
    method: verification.method ?? '',
    reference: verification.reference ?? '',
    until: inTwoYears,
  });
  return (
    <FormDialog
      title={t`Record a check`}
      description={t`Never a document, a photo, a number of a document or a birthday. The owners are told by email.`}
      verb={t`Record`}
      isReady={record.isReady}
      onClose={onClose}
      onSubmit={() =>
        call(
          'record',
          () => api.admin.voices[':id'].verification.$put({ param: { id }, json: record.form }, onManyAudios),
          {
            done: t`${name} is verified`,
          },
        )
      }
    >
      <CheckFields record={record} />
    </FormDialog>
  );
}

function RefuseDialog({ voice: { id, name }, onClose }: DialogProps) {
  const { call } = useCall();
  const [reason, setReason] = useState('');
  const [askAgainOn, setAskAgainOn] = useState('');
  return (
    <FormDialog
      title={t`Refuse to verify ${name}`}
      description={t`What is online stays online. The owners get the reason by email.`}
      verb={t`Refuse`}
      isReady={reason.trim() !== ''}
      onClose={onClose}
      onSubmit={() =>
        call(
          'refuse',
          () =>
            api.admin.voices[':id'].verification.refuse.$post({
              param: { id },
              json: { reason, askAgainOn: askAgainOn === '' ? null : askAgainOn },
            }),
          { done: t`Refused` },
        )
      }
    >
      <TextArea
        label={t`Reason`}
        value={reason}
        maxLength={verificationLengths.reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <Field
        label={t`May ask again from`}
        type="date"
        isOptional
        min={todayOf()}
        value={askAgainOn}
        onChange={({ target }) => setAskAgainOn(target.value)}
      />
    </FormDialog>
  );
}

function WithdrawDialog({ voice: { id, name }, onClose }: DialogProps) {
  const { call } = useCall();
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      title={t`Withdraw the verification of ${name}`}
      description={t`The creator and all audios are hidden at once. A new check shows them again. The owners get the reason by email.`}
      verb={t`Withdraw`}
      isReady={reason.trim() !== ''}
      onClose={onClose}
      onSubmit={() =>
        call(
          'withdraw',
          () => api.admin.voices[':id'].verification.withdraw.$post({ param: { id }, json: { reason } }, onManyAudios),
          { done: t`${name} is hidden` },
        )
      }
    >
      <TextArea
        label={t`Reason`}
        value={reason}
        maxLength={verificationLengths.reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </FormDialog>
  );
}
