import { useLocation } from 'react-router';
import { inPath, languageCodes } from '#formats/languages.ts';
import { languageFacts } from '#i18n';

/** This page in each language, for people without JavaScript. Rendered by the server alone. */
export function LanguageLinks() {
  const { pathname, search } = useLocation();
  return (
    <p className="wrap flex flex-wrap gap-4 text-13">
      {languageCodes.map((code) => (
        <a key={code} className="link" href={inPath(code, pathname + search)} hrefLang={code} lang={code}>
          {languageFacts(code).name}
        </a>
      ))}
    </p>
  );
}
