import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Verification } from '#domain/verification/verifications.ts';
import { reminderDays, verificationLengths } from '#domain/verification/rules.ts';
import { formatDate, formatDay } from '#formats/times.ts';
import { language } from '#i18n';
import { answerOf, api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { useToast } from '#web/ui/layers/toast.tsx';
import { Fact, Facts } from '#web/workshop/facts.tsx';
import { FormDialog } from '#web/workshop/form-dialog.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import { VerificationMark } from '#web/workshop/verification-mark.tsx';

type VerificationPaneProps = {
  voice: { id: string; name: string; slug: string; role: string };
  verification: Verification;
  /** Undefined: the operator has named none. */
  provider: { name: string; host: string } | undefined;
  /** The creator’s, for a withdrawal. */
  audios: number;
};

/** Whether the creator is verified, and what an owner can do. */
export function VerificationPane({ voice, verification, provider, audios }: VerificationPaneProps) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [isBusy, setIsBusy] = useState(false);
  const [isAppealing, setIsAppealing] = useState(false);
  const { state, mayAsk, mayAppeal, mayBeChecked } = verification;
  const isOwner = voice.role !== 'editor';

  async function send(appeal?: string): Promise<boolean> {
    setIsBusy(true);
    const json = appeal === undefined ? {} : { appeal };
    const answer = await answerOf(api.studio.voices[':id'].verification.$post({ param: { id: voice.id }, json }));
    await revalidate();
    setIsBusy(false);
    showToast({ text: answer.ok ? t`The operator is told` : answer.message });
    return answer.ok;
  }

  return (
    <Pane title={voice.name} end={<VerificationMark state={state} until={verification.until} />}>
      <StateText verification={verification} audios={audios} />
      {isOwner && provider !== undefined && mayBeChecked && <ProviderLink voice={voice} provider={provider} />}
      {isOwner && (mayAsk || mayAppeal) && (
        <div className="mt-3 flex flex-wrap gap-2">
          {mayAsk && (
            <Button
              variant={provider === undefined ? 'primary' : 'outline'}
              busy={isBusy ? t`Asking…` : undefined}
              onClick={() => void send()}
            >
              {state === 'none' ? t`Ask for verification` : t`Ask again`}
            </Button>
          )}
          {mayAppeal && <Button onClick={() => setIsAppealing(true)}>{t`Appeal`}</Button>}
        </div>
      )}
      {isAppealing && <AppealDialog onSend={send} onClose={() => setIsAppealing(false)} />}
    </Pane>
  );
}

function ProviderLink({ voice, provider }: { voice: { slug: string }; provider: { name: string; host: string } }) {
  const { name, host } = provider;
  const query = new URLSearchParams({ voice: voice.slug, language: language() });
  return (
    <div className="mt-3">
      <a className="btn btn--primary" href={`/verification/provider?${query}`} rel="nofollow">
        {t`Verify with ${name}`}
      </a>
      <p className="hint mt-2">{t`You go to ${host} and come back here. Only the result, its number and the date are kept.`}</p>
    </div>
  );
}

function StateText({ verification, audios }: Pick<VerificationPaneProps, 'verification' | 'audios'>) {
  const { state, until, method, reference, decidedBy, checkedOn, reason, askAgainOn } = verification;
  const text = 'text-14 leading-normal text-muted';
  if (state === 'none')
    return (
      <p className={text}>
        <Trans>You can prepare audios. To publish, the operator checks who you are.</Trans>
      </p>
    );
  if (state === 'waiting') return <p className={text}>{waitingText(verification)}</p>;
  if (state === 'refused')
    return (
      <p className={text}>
        {askAgainOn === null
          ? t`“${{ reason: reason ?? '' }}”`
          : t`“${{ reason: reason ?? '' }}” You can ask again from ${{ day: formatDay(askAgainOn) }}.`}
      </p>
    );
  if (state === 'withdrawn')
    return (
      <p className={text}>
        {t`By the operator on ${{ day: formatDay(verification.decidedAt ?? '') }}. ${plural(audios, { one: 'Your audio is hidden.', other: 'Your # audios are hidden.' })} The reasons are in your email.`}
      </p>
    );
  return (
    <>
      <Facts>
        <Fact name={t`Until`}>{formatDate(until ?? '')}</Fact>
        <Fact name={t({ message: 'Method', context: 'of a check' })}>{method}</Fact>
        <Fact name={t({ message: 'Reference', context: 'of a check' })}>{reference}</Fact>
        {decidedBy !== null && <Fact name={t`Checked by`}>{decidedBy}</Fact>}
        <Fact name={t({ message: 'On', context: 'a day' })}>{formatDate(checkedOn ?? '')}</Fact>
      </Facts>
      <p className="hint mt-3">
        {verification.askedAt !== null
          ? waitingText(verification)
          : state === 'ends-soon'
            ? t`Ask again before that. What is online stays online, new audios wait.`
            : t`We remind you ${plural(reminderDays, { one: '# day', other: '# days' })} before it ends.`}
      </p>
    </>
  );
}

function waitingText({ askedAt, askedFrom }: Verification): string {
  const day = formatDay(askedAt ?? '');
  return askedFrom === null
    ? t`Asked on ${day}. The operator gets in touch.`
    : t`Asked on ${day}. The operator gets in touch at ${{ email: askedFrom }}.`;
}

function AppealDialog({ onSend, onClose }: { onSend: (appeal: string) => Promise<boolean>; onClose: () => void }) {
  const [text, setText] = useState('');
  return (
    <FormDialog
      title={t`Appeal`}
      description={t`The operator reads it and gets in touch. Send no document.`}
      verb={t`Send`}
      busy={t`Sending…`}
      isReady={text.trim() !== ''}
      onClose={onClose}
      onSubmit={() => onSend(text)}
    >
      <TextArea
        label={t`Why the decision is wrong`}
        value={text}
        maxLength={verificationLengths.appeal}
        onChange={({ target }) => setText(target.value)}
      />
    </FormDialog>
  );
}
