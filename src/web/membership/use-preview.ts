import { useEffect, useState } from 'react';
import type { Period } from '#domain/membership/rules.ts';
import type { Preview } from '#domain/membership/shapes.ts';
import { answerOf, api } from '../api.ts';
import type { Plain } from './plain.ts';

type Asked = { period: Period; promoCode: string | undefined; withoutTrial: boolean };
/** `isAsked: false` for visitors, who cannot request a preview; a changed `tries` requests it again. */
type Question = Asked & { isAsked?: boolean; tries?: number };

export type PreviewState = {
  /** With the last valid code, or without one. */
  preview: Plain<Preview> | undefined;
  /** Code included in `preview`. */
  applied: string | undefined;
  /** Reason why the requested code was refused. */
  refusal: string | undefined;
};

/** Price of a subscription; requested again when period, code or the used trial change. */
export function usePreview({ period, promoCode, withoutTrial, isAsked = true, tries = 0 }: Question): PreviewState {
  const [state, setState] = useState<PreviewState>({ preview: undefined, applied: undefined, refusal: undefined });
  useEffect(() => {
    if (!isAsked) return undefined;
    let isCurrent = true;
    void ask({ period, promoCode, withoutTrial }).then(
      (next) => isCurrent && setState((before) => ({ ...before, ...next })),
    );
    return () => {
      isCurrent = false;
    };
  }, [period, promoCode, withoutTrial, isAsked, tries]);
  return state;
}

async function ask({ period, promoCode, withoutTrial }: Asked): Promise<Partial<PreviewState>> {
  const answer = await answerOf(api.subscription.preview.$post({ json: { period, promoCode, withoutTrial } }));
  if (answer.ok) return { preview: answer.data, applied: promoCode, refusal: undefined };
  if (promoCode === undefined) return { refusal: undefined };
  // Falls back to the price without the code.
  const plain = await answerOf(api.subscription.preview.$post({ json: { period, withoutTrial } }));
  return { ...(plain.ok && { preview: plain.data }), applied: undefined, refusal: answer.message };
}
