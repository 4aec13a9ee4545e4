import { useLocation } from 'react-router';
import { inPath } from '#formats/languages.ts';
import { languageFacts } from '#i18n';
import { offeredBy, useRootData } from '../root-data.ts';

/** This page in each language, for people without JavaScript. Rendered by the server alone. */
export function LanguageLinks() {
  const { pathname, search } = useLocation();
  const codes = offeredBy(useRootData());
  if (codes.length === 1) return null;
  return (
    <p className="wrap flex flex-wrap gap-4 text-13">
      {codes.map((code) => (
        <a key={code} className="link" href={inPath(code, pathname + search, codes)} hrefLang={code} lang={code}>
          {languageFacts(code).name}
        </a>
      ))}
    </p>
  );
}
