import { t } from '@lingui/core/macro';
import { type ChapterFault, chapterTitleLength, minChapterSeconds } from '#domain/catalogue/chapter-rules.ts';

/** Why a chapter is not shown to listeners. */
export const chapterFaultTexts: Record<ChapterFault, () => string> = {
  untitled: () => t`Enter a title for each chapter`,
  'too-long': () => t`A title has up to ${{ max: chapterTitleLength }} characters`,
  'too-short': () => t`A chapter lasts ${{ seconds: minChapterSeconds }} seconds or more`,
  outside: () => t`Begins too close to the end of the recording: listeners do not see it`,
};
