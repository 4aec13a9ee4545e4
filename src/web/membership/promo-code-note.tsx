import { useState } from 'react';
import { keptPromoCode } from '../identity/promo-code-memory.ts';
import { Note } from '../ui/note.tsx';
import { usePreview } from './use-preview.ts';

/** Names the code of the link that led here, once the site knows whether it is valid. */
export function PromoCodeNote() {
  const [promoCode] = useState(keptPromoCode);
  const isAsked = promoCode !== undefined;
  const { preview, refusal } = usePreview({ period: 'year', promoCode, withoutTrial: false, isAsked });
  const code = preview?.discount?.code;
  if (code) return <Note tone="info">Your code {code} is applied when you subscribe.</Note>;
  return refusal === undefined ? null : <Note tone="info">{`${promoCode}: ${refusal}`}</Note>;
}
