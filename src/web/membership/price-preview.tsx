import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import type { Period } from '#domain/membership/rules.ts';
import type { Preview } from '#domain/membership/shapes.ts';
import { answerOf, api } from '../api.ts';
import { promoCodeMemory } from '../identity/tab-memory.ts';
import { classNames } from '../ui/class-names.ts';
import { Note } from '../ui/note.tsx';
import type { Plain } from './plain.ts';
import { priceLines } from './price-lines.ts';

type Asked = { period: Period; currency?: string | undefined; promoCode: string | undefined; withoutTrial: boolean };
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
export function usePreview({
  period,
  currency,
  promoCode,
  withoutTrial,
  isAsked = true,
  tries = 0,
}: Question): PreviewState {
  const [state, setState] = useState<PreviewState>({ preview: undefined, applied: undefined, refusal: undefined });
  useEffect(() => {
    if (!isAsked) return undefined;
    let isCurrent = true;
    void ask({ period, currency, promoCode, withoutTrial }).then(
      (next) => isCurrent && setState((before) => ({ ...before, ...next })),
    );
    return () => {
      isCurrent = false;
    };
  }, [period, currency, promoCode, withoutTrial, isAsked, tries]);
  return state;
}

async function ask({ promoCode, ...asked }: Asked): Promise<Partial<PreviewState>> {
  const answer = await answerOf(api.subscription.preview.$post({ json: { ...asked, promoCode } }));
  if (answer.ok) return { preview: answer.data, applied: promoCode, refusal: undefined };
  if (promoCode === undefined) return { refusal: undefined };
  // Falls back to the price without the code.
  const plain = await answerOf(api.subscription.preview.$post({ json: asked }));
  return { ...(plain.ok && { preview: plain.data }), applied: undefined, refusal: answer.message };
}

/** Charges today and later, announced when they change. */
export function PriceSummary({ preview }: { preview: Plain<Preview> | undefined }) {
  const lines = preview && priceLines(preview);
  return (
    <output className="grid gap-1 rounded-cover bg-overlay px-3.5 py-3 text-14 leading-[1.45] text-soft">
      <b className="tabular-nums text-text">{lines?.today ?? t`Today …`}</b>
      {/* Two lines in a window's width: fields above must not move while someone presses them. */}
      <span className={classNames('tabular-nums', lines === undefined && 'min-h-[2lh]')}>{lines?.later}</span>
    </output>
  );
}

/** Names the code of the link that led here, once the site knows whether it is valid. */
export function PromoCodeNote() {
  const [promoCode] = useState(promoCodeMemory.read);
  const isAsked = promoCode !== undefined;
  const { preview, refusal } = usePreview({ period: 'year', promoCode, withoutTrial: false, isAsked });
  const code = preview?.discount?.code;
  if (code) return <Note tone="info">{t`Your code ${code} is applied when you subscribe.`}</Note>;
  return refusal === undefined ? null : <Note tone="info">{`${promoCode}: ${refusal}`}</Note>;
}
