import { plural, t } from '@lingui/core/macro';
import { type Cue, eachAudioText } from '#domain/catalogue/rules.ts';
import type { FieldChange } from '#domain/studio/audios/audio-values.ts';
import type { EditedField } from '#domain/studio/rules.ts';
import { formatTime } from '#formats/durations.ts';
import type { Conflict } from '../../workshop/forms/conflict-notice.tsx';
import { syntheticVoiceLabels } from '../../workshop/forms/synthetic-voice-field.tsx';
import type { Values } from './audio-editor.ts';
import { audioTextWords } from './audio-text-words.ts';

/** Within a sentence. */
export const fieldNames: Record<EditedField, () => string> = {
  title: () => t({ message: 'title', context: 'within a sentence' }),
  description: () => t({ message: 'description', context: 'within a sentence' }),
  language: () => t({ message: 'language', context: 'within a sentence' }),
  syntheticVoice: () => t({ message: 'synthetic voice', context: 'within a sentence' }),
  slug: () => t({ message: 'address', context: 'within a sentence' }),
  color: () => t({ message: 'color', context: 'within a sentence' }),
  ...eachAudioText((name) => audioTextWords[name].withinSentence),
  categories: () => t({ message: 'categories', context: 'within a sentence' }),
  tags: () => t({ message: 'tags', context: 'within a sentence' }),
  series: () => t({ message: 'series', context: 'within a sentence' }),
  transcript: () => t({ message: 'transcript', context: 'within a sentence' }),
  chapters: () => t({ message: 'chapters', context: 'within a sentence' }),
  isFree: () => t({ message: 'who may hear it', context: 'within a sentence' }),
  commenters: () => t({ message: 'who may comment', context: 'within a sentence' }),
  cover: () => t({ message: 'cover', context: 'within a sentence' }),
};

/** Key of a language among names by slug. */
export const languageKey = (tag: string) => `language ${tag}`;

/** Both versions of each field in conflict, as people read them. @param valueNames by slug, and by `languageKey` */
export function conflictOf(
  { changes, theirs }: { changes: FieldChange[]; theirs: Values },
  mine: Values,
  valueNames: Record<string, string>,
): Conflict {
  return {
    change: changes.toSorted((one, other) => other.version - one.version)[0],
    fields: changes.map(({ field, ...change }) => {
      const shown = (values: Values, others: Values) => textOf(field, values, others, valueNames);
      const label = fieldNames[field]();
      return {
        name: field,
        label: label.charAt(0).toUpperCase() + label.slice(1),
        change,
        mine: shown(mine, theirs),
        theirs: shown(theirs, mine),
      };
    }),
  };
}

function textOf(field: EditedField, values: Values, others: Values, valueNames: Record<string, string>): unknown {
  switch (field) {
    case 'cover':
      return undefined;
    case 'isFree':
      return values.isFree ? t`Everyone` : t`Subscribers`;
    case 'language':
      return valueNames[languageKey(values.language)] ?? values.language;
    case 'syntheticVoice':
      return syntheticVoiceLabels[values.syntheticVoice]();
    case 'categories':
      return values.categories.map((slug) => valueNames[slug] ?? slug);
    case 'series':
      return values.series && seriesText(values.series, valueNames);
    case 'transcript':
      return transcriptText(values.transcript ?? [], others.transcript ?? []);
    case 'chapters':
      return (values.chapters ?? []).map(({ start, title }) => `${formatTime(start)} ${title}`);
    default:
      return values[field];
  }
}

function seriesText({ slug, part }: { slug: string; part: number }, valueNames: Record<string, string>): string {
  return t`${{ title: valueNames[slug] ?? slug }}, part ${part}`;
}

/** The number of lines, and those that the other version does not have. */
function transcriptText(cues: Cue[], others: Cue[]): string {
  const known = new Set(others.map((cue) => JSON.stringify(cue)));
  const own = cues.filter((cue) => !known.has(JSON.stringify(cue)));
  return [
    plural({ count: cues.length }, { one: '# line', other: '# lines' }),
    ...own.map(({ start, text }) => `${formatTime(start)} ${text}`),
  ].join('\n');
}
