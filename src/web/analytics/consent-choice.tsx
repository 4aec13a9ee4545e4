import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { answerOf, api } from '../api.ts';
import { AccountFact } from '../identity/account/account-fact.tsx';
import { useToast } from '../ui/layers/toast.tsx';
import { useClientValue } from '../ui/use-client-value.ts';
import { isUnwanted } from './log-event.ts';

/**
 * Consent to usage data with the account’s id. Off by default; withdrawing removes the id from stored data.
 * @param props.isForwarding the data also goes to a third party, which is stated before consent
 */
export function ConsentChoice({ consent, isForwarding }: { consent: boolean; isForwarding: boolean }) {
  const showToast = useToast();
  const [isOn, setIsOn] = useState(consent);
  const [isBusy, setIsBusy] = useState(false);
  // Do Not Track or Global Privacy Control counts as a refusal.
  const isRefused = useClientValue(isUnwanted, false);

  async function change(): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    const answer = await answerOf(api.user['analytics-consent'].$put({ json: { consent: !isOn } }));
    setIsBusy(false);
    if (!answer.ok) return showToast({ text: answer.message });
    setIsOn(answer.data.consent);
    showToast({
      text: answer.data.consent
        ? t`Usage data is now linked to your account`
        : t`Usage data is no longer linked to your account`,
    });
  }

  return (
    <section id="figures" tabIndex={-1} aria-label={t`Analytics`}>
      <h1 className="text-26" tabIndex={-1}>
        <Trans>Analytics</Trans>
      </h1>
      <dl className="details">
        <AccountFact
          label={t`Share usage data linked to my account`}
          value={isRefused ? t`Off, because your browser asks not to be tracked` : isOn ? t`On` : t`Off`}
        >
          {isRefused ? undefined : (
            <button
              type="button"
              className="link"
              role="switch"
              aria-checked={isOn}
              aria-label={t`Share usage data linked to my account`}
              aria-disabled={isBusy || undefined}
              onClick={() => void change()}
            >
              {isOn ? t`Turn off` : t`Turn on`}
            </button>
          )}
        </AccountFact>
      </dl>
      {isForwarding && !isRefused && (
        <p className="mt-3 text-14 text-muted">
          <Trans>While it is on, this data and your email address also go to the analytics service of this site.</Trans>
        </p>
      )}
    </section>
  );
}
