import type { NoticeState } from '#domain/notices/state.ts';
import { cannedText } from '#domain/notices/wording-rules.ts';
import { foreign } from '../catalogue/foreign-language.tsx';

type Reasons = Pick<NonNullable<NoticeState['decision']>, 'canned' | 'reasons' | 'language'>;

/** The standard reason in the language of the page, and the decider’s own words as they were written. */
export function DecisionReasons({ decision: { canned, reasons, language } }: { decision: Reasons }) {
  return (
    <>
      {canned !== null && cannedText(canned)}{' '}
      <span className="wrap-anywhere whitespace-pre-line" dir="auto" lang={foreign(language)}>
        {reasons}
      </span>
    </>
  );
}
