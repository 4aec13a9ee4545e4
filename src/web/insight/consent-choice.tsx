import { useState } from 'react';
import { answerOf, api } from '../api.ts';
import { AccountFact } from '../identity/account-row.tsx';
import { useToast } from '../ui/toast.tsx';
import { isUnwanted } from './track.ts';
import { useBrowserSays } from './use-browser-says.ts';

/**
 * Whether the figures of this account may carry its id. Off to begin with; taken back, nothing says whose they were.
 * @param props.isForwarding they also go to a service of the operator's, which is said before anyone agrees
 */
export function ConsentChoice({ consent, isForwarding }: { consent: boolean; isForwarding: boolean }) {
  const showToast = useToast();
  const [isOn, setIsOn] = useState(consent);
  const [isBusy, setIsBusy] = useState(false);
  // A browser that asks not to be tracked has answered already.
  const isRefused = useBrowserSays(isUnwanted);

  async function change(): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    const answer = await answerOf(api.user['insight-consent'].$put({ json: { consent: !isOn } }));
    setIsBusy(false);
    if (!answer.ok) return showToast({ text: answer.message });
    setIsOn(answer.data.consent);
    showToast({
      text: answer.data.consent ? 'Your figures carry your name from now on' : 'Your figures are nameless again',
    });
  }

  return (
    <section id="figures" tabIndex={-1} aria-label="Usage figures">
      <h2 className="t-26">Usage figures</h2>
      <dl className="dl">
        <AccountFact
          label="With your name"
          value={
            isRefused
              ? 'Never: your browser asks that you are not tracked'
              : isOn
                ? 'On. What you press is counted with your account'
                : 'Off. What you press is counted without a name'
          }
        >
          {isRefused ? undefined : (
            <button
              type="button"
              className="link"
              role="switch"
              aria-checked={isOn}
              aria-label="Usage figures with your name"
              aria-disabled={isBusy || undefined}
              onClick={() => void change()}
            >
              {isOn ? 'Switch off' : 'Switch on'}
            </button>
          )}
        </AccountFact>
      </dl>
      {isForwarding && !isRefused && (
        <p className="mt-3 text-14 text-muted">
          With your name, they also go to the service that draws up our figures, with your e-mail address.
        </p>
      )}
    </section>
  );
}
