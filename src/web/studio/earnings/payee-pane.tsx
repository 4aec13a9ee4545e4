import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Check from 'lucide-react/icons/check';
import CircleAlert from 'lucide-react/icons/circle-alert';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { PayeeState } from '#domain/studio/payees/payees.ts';
import { answerOf, api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { useToast } from '#web/ui/layers/toast.tsx';
import { FormDialog } from '#web/workshop/form-dialog.tsx';
import { LocalTime } from '#web/workshop/local-time.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import { StateMark } from '#web/workshop/state-mark.tsx';
import { PayeeFields } from './payee-fields.tsx';

type PayeePaneProps = { voice: string; state: PayeeState; countries: { value: string; label: string }[] };

/** The payee of a creator, which the paid owner enters here. */
export function PayeePane({ voice, state, countries }: PayeePaneProps) {
  const { payee, own, mayEnter } = state;
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [isOpen, setIsOpen] = useState(false);
  const [isRemoving, setIsRemoving] = useState(false);

  async function remove(): Promise<boolean> {
    const answer = await answerOf(api.voices[':id'].payee.$delete({ param: { id: voice } }));
    await revalidate();
    showToast({ text: answer.ok ? t`Removed` : answer.message });
    return answer.ok;
  }

  return (
    <Pane
      title={t`Who is paid`}
      className="mt-7"
      end={
        payee === null ? (
          <StateMark icon={CircleAlert} tone="bad" text={t({ message: 'Missing', context: 'payee' })} />
        ) : (
          <StateMark icon={Check} tone="ok">
            {t({ message: 'Entered', context: 'payee' })} <LocalTime at={payee.since} style="date" />
          </StateMark>
        )
      }
    >
      <p className="text-14 wrap-anywhere">{stateText(state)}</p>
      {isOpen ? (
        <PayeeFields
          voice={voice}
          own={own}
          countries={countries}
          onDone={() => setIsOpen(false)}
          onCancel={() => setIsOpen(false)}
        />
      ) : (
        mayEnter && (
          <div className="mt-3.5 flex flex-wrap gap-2">
            <Button variant={payee === null ? 'primary' : undefined} onClick={() => setIsOpen(true)}>
              {payee === null ? t`Enter who is paid` : payee.isOwn ? t`Change` : t`Be paid instead`}
            </Button>
            {payee?.isOwn === true && (
              <Button variant="ghost" onClick={() => setIsRemoving(true)}>
                {t`Remove`}
              </Button>
            )}
          </div>
        )
      )}
      <p className="text-13 mt-3.5 text-muted">
        <Trans>
          Kept encrypted. Only the owner who is paid sees it here; of the account, only the last four characters. The
          operator reads it to make a payment, which is logged. Each change is mailed to all owners.
        </Trans>
      </p>
      {isRemoving && (
        <FormDialog
          title={t`Remove who is paid`}
          description={t`Nothing is paid for this creator until an owner enters who is paid. What you entered is deleted, unless you are paid for another creator.`}
          verb={t`Remove`}
          onClose={() => setIsRemoving(false)}
          onSubmit={remove}
        />
      )}
    </Pane>
  );
}

function stateText({ payee, own }: PayeeState): string {
  if (payee === null) return t`Nobody yet. Until an owner enters name, account and tax data, the operator cannot pay.`;
  if (!payee.isOwn)
    return payee.username === null
      ? t`Another owner. Only they see what they entered.`
      : t`${{ username: payee.username }}. Only they see what they entered.`;
  if (own === null) return '';
  const { name, accountEnd } = own;
  return accountEnd === '' ? name : t`${name}, account ending in ${accountEnd}`;
}
