import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Me } from '#domain/identity/accounts.ts';
import type { Action } from '#domain/membership/payment-provider.ts';
import type { Answer } from '../api.ts';
import { useToast } from '../ui/toast.tsx';
import { loadOffer } from './offer.ts';

/** Some of these calls have no body, and the site takes changing calls as JSON only. */
export const asJson = { headers: { 'content-type': 'application/json' } };

const notConfirmed = 'Your bank did not confirm this payment. Please use another card.';

/** What a change of the subscription answers; `action` is what the bank still asks for. */
type Changed = Answer<{ action: Action | null; user: Me }>;

/**
 * One change of the subscription at a time: the call, the bank's step where it asks for one, and the page anew.
 * @param wanted whether that is what was to come of it; without it, every answer will do
 */
export function useChange(wanted: (user: Me) => boolean = () => true) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const isRunning = useRef(false);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  /** @returns what went wrong */
  async function attempt(call: () => Promise<Changed>): Promise<string | undefined> {
    const answer = await call();
    if (!answer.ok) return answer.message;
    const { action } = answer.data;
    if (action === null) return wanted(answer.data.user) ? undefined : notConfirmed;
    const loaded = await Promise.all([import('./bank-step.ts'), loadOffer()]).catch(() => undefined);
    if (loaded === undefined) return 'No internet connection';
    const [{ confirmAtBank }, { payments }] = loaded;
    const confirmed = await confirmAtBank(payments, action);
    if (!confirmed.ok) return confirmed.failure.message;
    return wanted(confirmed.user) ? undefined : notConfirmed;
  }

  return {
    isBusy,
    failure,
    /** @param done what to say when it worked. @returns whether it did */
    async run(call: () => Promise<Changed>, done: string): Promise<boolean> {
      if (isRunning.current) return false;
      isRunning.current = true;
      setIsBusy(true);
      setFailure(undefined);
      const refusal = await attempt(call);
      // After a refusal too: it may have been otherwise than this page thought.
      await revalidate();
      isRunning.current = false;
      setIsBusy(false);
      setFailure(refusal);
      if (refusal === undefined) showToast({ text: done });
      return refusal === undefined;
    },
    clear: () => setFailure(undefined),
  };
}
