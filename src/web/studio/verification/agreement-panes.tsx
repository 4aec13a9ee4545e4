import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Check from 'lucide-react/icons/check';
import Clock from 'lucide-react/icons/clock';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Agreement } from '#domain/verification/agreement.ts';
import { formatDay } from '#formats/times.ts';
import { answerOf, api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckBox } from '#web/ui/fields/check-box.tsx';
import { useToast } from '#web/ui/layers/toast.tsx';
import { Timeline } from '#web/workshop/facts.tsx';
import { LocalTime } from '#web/workshop/local-time.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import { StateMark } from '#web/workshop/state-mark.tsx';

type AgreementPaneProps = { voice: { id: string; name: string; role: string }; agreement: Agreement };

/** The version in force, with what is new in it; owners agree here. */
export function AgreementPane({ voice, agreement }: AgreementPaneProps) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [hasRead, setHasRead] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const { version, isWaiting, blocks } = agreement;
  const { name } = voice;

  async function agree(): Promise<void> {
    setIsBusy(true);
    const json = { version, agrees: true as const };
    const answer = await answerOf(api.studio.voices[':id'].agreement.$post({ param: { id: voice.id }, json }));
    await revalidate();
    setIsBusy(false);
    setHasRead(false);
    showToast({ text: answer.ok ? t`You agreed to version ${version}` : answer.message });
  }

  return (
    <Pane
      title={t`Creator agreement`}
      end={
        isWaiting ? (
          <StateMark icon={Clock} tone="accent" text={t`Version ${version} waits`} />
        ) : (
          <StateMark icon={Check} tone="ok" text={t`Agreed to version ${version}`} />
        )
      }
    >
      <p className="text-14 mb-3.5 text-muted">{introduction(agreement)}</p>
      <section
        className="agreement-text"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
        tabIndex={0}
        aria-label={t`Creator agreement, version ${version}`}
      >
        {blocks.map(({ kind, text, isNew }) => {
          const shown = isNew ? <ins>{text}</ins> : text;
          return kind === 'heading' ? <h3 key={text}>{shown}</h3> : <p key={text}>{shown}</p>;
        })}
      </section>
      {isWaiting && voice.role === 'owner' && (
        <div className="mt-3 grid justify-items-start gap-3">
          <CheckBox checked={hasRead} onChange={({ target }) => setHasRead(target.checked)}>
            {t`I have read version ${version} and agree to it for ${name}.`}
          </CheckBox>
          <Button
            variant="primary"
            disabled={!hasRead}
            busy={isBusy ? t`Agreeing…` : undefined}
            onClick={() => void agree()}
          >
            {t({ message: 'Agree', context: 'to an agreement' })}
          </Button>
        </div>
      )}
      {isWaiting && voice.role !== 'owner' && (
        <p className="hint mt-3">
          <Trans>Only an owner can agree.</Trans>
        </p>
      )}
    </Pane>
  );
}

function introduction({ version, inForceSince, isWaiting, accepted }: Agreement): string {
  const day = formatDay(inForceSince);
  const [last] = accepted;
  if (last === undefined || !isWaiting) return t`In force since ${day}.`;
  const agreed = { version: last.version, day: formatDay(last.at) };
  return last.version < version
    ? t`In force since ${day}. You agreed to version ${{ former: agreed.version }} on ${{ agreedOn: agreed.day }}. What is new is marked.`
    : t`In force since ${day}.`;
}

export function AgreementsSoFar({ accepted }: Pick<Agreement, 'accepted'>) {
  if (accepted.length === 0) return null;
  return (
    <Pane title={t`Agreements so far`}>
      <Timeline
        moments={accepted.map(({ version, by, at }) => ({
          key: `${version} ${at}`,
          icon: Check,
          tone: 'tone-ok',
          title: by === null ? t`Version ${version}` : t`Version ${version}, agreed by ${by}`,
          at,
          time: <LocalTime at={at} style="full" />,
        }))}
      />
    </Pane>
  );
}
