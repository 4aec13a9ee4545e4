import { useEffect, useState } from 'react';
import type { Period } from '#domain/membership/rules.ts';
import type { Preview } from '#domain/membership/subscribe.ts';
import { answerOf, api } from '../api.ts';
import type { Plain } from './plain.ts';

type Asked = { period: Period; promoCode: string | undefined; withoutTrial: boolean };

export type PreviewState = {
  /** Of the last code that was good, or of none. */
  preview: Plain<Preview> | undefined;
  /** The code that `preview` counts in. */
  applied: string | undefined;
  /** Why the code that was asked for is not counted in. */
  refusal: string | undefined;
};

/** What subscribing would cost, asked anew when period or code are others, or the trial is had already. */
export function usePreview({ period, promoCode, withoutTrial }: Asked): PreviewState {
  const [state, setState] = useState<PreviewState>({ preview: undefined, applied: undefined, refusal: undefined });
  useEffect(() => {
    let isCurrent = true;
    void ask({ period, promoCode, withoutTrial }).then(
      (next) => isCurrent && setState((before) => ({ ...before, ...next })),
    );
    return () => {
      isCurrent = false;
    };
  }, [period, promoCode, withoutTrial]);
  return state;
}

async function ask({ period, promoCode, withoutTrial }: Asked): Promise<Partial<PreviewState>> {
  const answer = await answerOf(api.subscription.preview.$post({ json: { period, promoCode, withoutTrial } }));
  if (answer.ok) return { preview: answer.data, applied: promoCode, refusal: undefined };
  if (promoCode === undefined) return { refusal: undefined };
  // The price without it is what stands then.
  const plain = await answerOf(api.subscription.preview.$post({ json: { period, withoutTrial } }));
  return { ...(plain.ok && { preview: plain.data }), applied: undefined, refusal: answer.message };
}
