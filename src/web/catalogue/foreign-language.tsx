import { foreignTo, primaryLanguage } from '#formats/content-languages.ts';
import { language } from '#i18n';
import { useRootData } from '../root-data.ts';

/** `lang` of a text in another language than the page's. @param tag absent in what browsers kept before there were languages */
export function foreign(tag: string | null | undefined): string | undefined {
  return foreignTo(language(), tag);
}

/** A word among the facts of an audio in another language than the page's, such as `German`. */
export function ForeignMark({ tag }: { tag: string | undefined }) {
  const names = useRootData()?.languageNames;
  const of = foreign(tag);
  return (
    of !== undefined && (
      <span className="dot" lang={language()}>
        {names?.[primaryLanguage(of)] ?? of}
      </span>
    )
  );
}
