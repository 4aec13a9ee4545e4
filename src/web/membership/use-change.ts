import { t } from '@lingui/core/macro';
import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Me } from '#domain/identity/accounts.ts';
import type { Action } from '#domain/membership/shapes.ts';
import type { Answer } from '../api.ts';
import { useToast } from '../ui/layers/toast.tsx';
import { loadOffer } from './offer.ts';

/** Some of these calls have no body, and the API accepts JSON only for calls that change something. */
export const asJson = { headers: { 'content-type': 'application/json' } };

const notConfirmed = () => t`Your bank did not confirm this payment. Please use another card.`;

/** Response to a subscription change; `action` is a bank check that is still required. */
type Changed = Answer<{ action: Action | null; user: Me }>;

/**
 * Runs one subscription change at a time: the call, the bank’s check if required, and a reload of the page’s data. The
 * notice of a change replaces that of the one before, which no longer holds.
 * @param wanted whether the user’s new state is the intended one; by default any is
 */
export function useChange(wanted: (user: Me) => boolean = () => true) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const isRunning = useRef(false);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  /** @returns the error message, if any */
  async function attempt(call: () => Promise<Changed>): Promise<string | undefined> {
    const answer = await call();
    if (!answer.ok) return answer.message;
    const { action } = answer.data;
    if (action === null) return wanted(answer.data.user) ? undefined : notConfirmed();
    const loaded = await Promise.all([import('./bank-step.ts'), loadOffer()]).catch(() => undefined);
    if (loaded === undefined) return t`No internet connection`;
    const [{ confirmAtBank }, { cardPayments }] = loaded;
    if (cardPayments === null) return notConfirmed();
    const confirmed = await confirmAtBank(cardPayments, action);
    if (!confirmed.ok) return confirmed.failure.message;
    return wanted(confirmed.user) ? undefined : notConfirmed();
  }

  return {
    isBusy,
    failure,
    /** @param done success message @returns whether it succeeded */
    async run(call: () => Promise<Changed>, done: string): Promise<boolean> {
      if (isRunning.current) return false;
      isRunning.current = true;
      setIsBusy(true);
      setFailure(undefined);
      const refusal = await attempt(call);
      // After a refusal too: the page’s data may have been outdated.
      await revalidate();
      isRunning.current = false;
      setIsBusy(false);
      setFailure(refusal);
      if (refusal === undefined) showToast({ text: done, kind: 'subscription' });
      return refusal === undefined;
    },
    clear: () => setFailure(undefined),
  };
}
