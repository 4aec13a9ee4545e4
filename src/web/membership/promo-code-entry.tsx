import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { Field } from '../ui/fields/field.tsx';
import { isComposing } from '../ui/fields/is-composing.ts';
import type { PreviewState } from './price-preview.tsx';
import { discountLine } from './wording.ts';

/** Debounce in milliseconds for a promo code; each check counts against the limit of tries. */
const codeRestMs = 600;

type Entry = ReturnType<typeof usePromoCodeEntry>;

/** A promo code while it is typed. `asked`: the one whose price is asked for. @param given code of the link that led here */
export function usePromoCodeEntry(given: string | undefined) {
  const [code, setCode] = useState(given ?? '');
  const [asked, setAsked] = useState(trimmed(given));
  const [failure, setFailure] = useState<string>();
  const typed = trimmed(code);
  // The price with a promo code is shown once typing pauses.
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed), codeRestMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return { code, setCode, typed, asked, setAsked, failure, setFailure };
}

export function PromoCodeEntry({ entry, preview, applied, refusal }: { entry: Entry } & PreviewState) {
  const { code, setCode, typed, asked, setAsked, failure, setFailure } = entry;
  const discount = applied !== undefined && applied === typed ? preview?.discount : undefined;
  return (
    <Field
      label={t`Promo code`}
      isOptional
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={100}
      value={code}
      hint={discount && preview && discountLine(discount, preview.currency)}
      error={failure ?? (asked === typed ? refusal : undefined)}
      onChange={({ target }) => {
        setCode(target.value);
        setFailure(undefined);
      }}
      onBlur={() => setAsked(typed)}
      onKeyDown={(event) => {
        // Checks a typed code first, so that the price with it is shown before paying.
        if (event.key !== 'Enter' || isComposing(event) || asked === typed) return;
        event.preventDefault();
        setAsked(typed);
      }}
    />
  );
}

/** Spec §5: trimmed, and absent when empty. */
function trimmed(code: string | undefined): string | undefined {
  const text = code?.trim();
  return text === '' ? undefined : text;
}
