import { t } from '@lingui/core/macro';
import { formatCount } from '#formats/numbers.ts';
import { type AudioText, audioTextNames, audioTexts } from '#domain/catalogue/rules.ts';
import { type Chapter, faultsOfChapters } from '#domain/catalogue/chapter-rules.ts';
import type { EditedField } from '#domain/studio/rules.ts';
import { chapterFaultTexts } from './chapter-faults.ts';
import { audioTextWords } from './audio-text-words.ts';

/** Limits of `AudioEdit`, in characters and numbers of entries. */
export const limits = { title: 200, description: 5000, tag: 60, categories: 8, tags: 20 } as const;

type Faulty = { title: string; description: string; slug: string; chapters: Chapter[] | null } & Record<
  AudioText,
  string | null
>;

/** Length as the site counts it: an emoji is one character. */
export function lengthOf(text: string): number {
  return [...text.trim()].length;
}

/** Reason, by field, why it cannot be saved; the site validates again. */
export function faultsIn({
  title,
  description,
  slug,
  chapters,
  ...texts
}: Faulty): Partial<Record<EditedField, string>> {
  const tooLong = audioTextNames.filter((name) => lengthOf(texts[name] ?? '') > audioTexts[name].max);
  return {
    ...(lengthOf(title) === 0 && { title: t`Enter a title` }),
    ...(lengthOf(title) > limits.title && { title: t`A title has up to ${{ max: limits.title }} characters` }),
    ...(lengthOf(description) > limits.description && {
      description: t`A description has up to ${{ max: formatCount(limits.description) }} characters`,
    }),
    ...((!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) || slug.length > 120) && {
      slug: t`An address has lower-case letters, digits and hyphens, such as bright-star`,
    }),
    ...chaptersFault(chapters ?? []),
    ...Object.fromEntries(tooLong.map((name) => [name, audioTextWords[name].tooLong(audioTexts[name].max)])),
  };
}

/** The end of the recording is no fault: the site shows what lies within it. */
function chaptersFault(chapters: Chapter[]): { chapters?: string } {
  const [fault] = faultsOfChapters(chapters, Number.POSITIVE_INFINITY).filter(Boolean);
  return fault === undefined ? {} : { chapters: chapterFaultTexts[fault]() };
}
