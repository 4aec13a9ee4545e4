import { t } from '@lingui/core/macro';
import X from 'lucide-react/icons/x';
import { useState } from 'react';
import { languageOffers, languages } from '#formats/language-facts.ts';
import { firstKnown } from '#formats/languages.ts';
import { language } from '#i18n';
import { keepCookie } from '../identity/preference-cookie.ts';
import { useSession } from '../identity/session-provider.tsx';
import { useLanguages } from '../root-data.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { useOpenIn } from './open-in.ts';

/** Offers the page in the language that the browser asks for; once one is chosen, or the line closed, never again. */
export function LanguageOffer() {
  const { user } = useSession();
  const open = useOpenIn();
  const [wanted] = useState(() => firstKnown(navigator.languages));
  const [isClosed, setIsClosed] = useState(() => document.cookie.includes('sotto_language='));
  const offered = useLanguages();
  if (wanted === undefined || !offered.includes(wanted) || wanted === language() || isClosed || user?.language)
    return null;
  return (
    <aside className="paybar bg-raised text-soft" aria-label={t`Language`}>
      <div className="wrap">
        <button
          type="button"
          className="ulink min-h-11 font-semibold"
          lang={wanted}
          dir={languages[wanted].direction}
          onClick={() => void open(wanted)}
        >
          {languageOffers[wanted]}
        </button>
        <IconButton
          label={t`Close`}
          icon={X}
          onClick={() => {
            keepCookie('sotto_language', language());
            setIsClosed(true);
          }}
        />
      </div>
    </aside>
  );
}
