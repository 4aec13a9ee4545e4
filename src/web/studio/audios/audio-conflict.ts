import { type Cue, audioTexts, eachAudioText } from '#domain/catalogue/rules.ts';
import type { FieldChange } from '#domain/studio/audios/audio-values.ts';
import type { EditedField } from '#domain/studio/rules.ts';
import { formatTime } from '#formats/durations.ts';
import { countOf } from '#formats/numbers.ts';
import type { Conflict } from '../../workshop/forms/conflict-notice.tsx';
import type { Values } from './audio-editor.ts';

/** Within a sentence. */
export const fieldNames: Record<EditedField, string> = {
  title: 'title',
  description: 'description',
  slug: 'address',
  color: 'color',
  ...eachAudioText((name) => audioTexts[name].label.toLowerCase()),
  categories: 'categories',
  tags: 'tags',
  series: 'series',
  transcript: 'transcript',
  isFree: 'who may hear it',
  commenters: 'who may comment',
  cover: 'cover',
};

/** Both versions of each field in conflict, as people read them. @param valueNames by slug */
export function conflictOf(
  { changes, theirs }: { changes: FieldChange[]; theirs: Values },
  mine: Values,
  valueNames: Record<string, string>,
): Conflict {
  return {
    change: changes.toSorted((one, other) => other.version - one.version)[0],
    fields: changes.map(({ field, ...change }) => {
      const shown = (values: Values, others: Values) => textOf(field, values, others, valueNames);
      const label = `${fieldNames[field].charAt(0).toUpperCase()}${fieldNames[field].slice(1)}`;
      return { name: field, label, change, mine: shown(mine, theirs), theirs: shown(theirs, mine) };
    }),
  };
}

function textOf(field: EditedField, values: Values, others: Values, valueNames: Record<string, string>): unknown {
  switch (field) {
    case 'cover':
      return undefined;
    case 'isFree':
      return values.isFree ? 'Everyone' : 'Subscribers';
    case 'categories':
      return values.categories.map((slug) => valueNames[slug] ?? slug);
    case 'series':
      return values.series && `${valueNames[values.series.slug] ?? values.series.slug}, part ${values.series.part}`;
    case 'transcript':
      return transcriptText(values.transcript ?? [], others.transcript ?? []);
    default:
      return values[field];
  }
}

/** The number of lines, and those that the other version does not have. */
function transcriptText(cues: Cue[], others: Cue[]): string {
  const known = new Set(others.map((cue) => JSON.stringify(cue)));
  const own = cues.filter((cue) => !known.has(JSON.stringify(cue)));
  return [countOf(cues.length, 'line'), ...own.map(({ start, text }) => `${formatTime(start)} ${text}`)].join('\n');
}
