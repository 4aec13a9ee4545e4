import { foreignTo, primaryLanguage } from '#formats/content-languages.ts';
import { language } from '#i18n';
import { useRootData } from '../root-data.ts';

/** `lang` of a text in another language than the page's. @param tag absent in what browsers kept before there were languages */
export function foreign(tag: string | null | undefined): string | undefined {
  return foreignTo(language(), tag);
}

type ForeignMarkProps = { tag: string | undefined; className?: string };

/** A word among the facts of an audio in another language than the page's, such as `German`. */
export function ForeignMark({ tag, className = 'dot' }: ForeignMarkProps) {
  const names = useRootData()?.languageNames;
  const of = foreign(tag);
  return (
    of !== undefined && (
      <span className={className} lang={language()}>
        {names?.[primaryLanguage(of)] ?? of}
      </span>
    )
  );
}
