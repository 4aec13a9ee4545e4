import { type Language, languageCodes } from '#formats/languages.ts';
import { inLanguage } from '#i18n';
import { type Sentence, say } from '../../kernel/errors.ts';
import type { translations } from '../../settings/tables.ts';
import type { FacetChoice } from '../rules.ts';

export type FacetPreset = {
  slug: string;
  chooses: FacetChoice;
  hasContentNotes: boolean;
  label: Sentence;
  explanation: Sentence;
  /** In order; the same word in every language, or a text. */
  tags: (Sentence | string)[];
};

/** Facets to start with. An operator changes, moves and removes them like all others. */
export const facetPresets: readonly FacetPreset[] = [
  {
    slug: 'who-to-whom',
    chooses: 'one',
    hasContentNotes: false,
    label: /*i18n*/ { id: 'facet.who-to-whom', message: 'Who to whom' },
    explanation: /*i18n*/ {
      id: 'facet.who-to-whom.explanation',
      message: 'Who speaks, and to whom: F is a woman, M a man, NB a nonbinary person, A anyone.',
    },
    tags: ['F4M', 'M4F', 'F4F', 'M4M', 'F4A', 'M4A', 'NB4F', 'NB4M', 'NB4NB', 'NB4A', 'A4A'],
  },
  {
    slug: 'kind',
    chooses: 'one',
    hasContentNotes: false,
    label: /*i18n*/ { id: 'facet.kind', message: 'Kind' },
    explanation: /*i18n*/ { id: 'facet.kind.explanation', message: 'What it is.' },
    tags: [
      /*i18n*/ { id: 'facet.kind.story', message: 'Story' },
      /*i18n*/ { id: 'facet.kind.scene', message: 'Scene' },
      /*i18n*/ { id: 'facet.kind.roleplay', message: 'Roleplay' },
      /*i18n*/ { id: 'facet.kind.conversation', message: 'Conversation' },
      /*i18n*/ { id: 'facet.kind.poem', message: 'Poem' },
      /*i18n*/ { id: 'facet.kind.sonnet', message: 'Sonnet' },
      /*i18n*/ { id: 'facet.kind.letter', message: 'Letter' },
      /*i18n*/ { id: 'facet.kind.prose', message: 'Prose' },
      /*i18n*/ { id: 'facet.kind.song', message: 'Song' },
      /*i18n*/ { id: 'facet.kind.guided', message: 'Guided' },
      /*i18n*/ { id: 'facet.kind.improvised', message: 'Improvised' },
      'ASMR',
    ],
  },
  {
    slug: 'mood',
    chooses: 'many',
    hasContentNotes: false,
    label: /*i18n*/ { id: 'facet.mood', message: 'Mood' },
    explanation: /*i18n*/ { id: 'facet.mood.explanation', message: 'How it feels to listen.' },
    tags: [
      /*i18n*/ { id: 'facet.mood.longing', message: 'Longing' },
      /*i18n*/ { id: 'facet.mood.tender', message: 'Tender' },
      /*i18n*/ { id: 'facet.mood.devoted', message: 'Devoted' },
      /*i18n*/ { id: 'facet.mood.romantic', message: 'Romantic' },
      /*i18n*/ { id: 'facet.mood.playful', message: 'Playful' },
      /*i18n*/ { id: 'facet.mood.teasing', message: 'Teasing' },
      /*i18n*/ { id: 'facet.mood.joyful', message: 'Joyful' },
      /*i18n*/ { id: 'facet.mood.dreamy', message: 'Dreamy' },
      /*i18n*/ { id: 'facet.mood.consoling', message: 'Consoling' },
      /*i18n*/ { id: 'facet.mood.solemn', message: 'Solemn' },
      /*i18n*/ { id: 'facet.mood.melancholy', message: 'Melancholy' },
      /*i18n*/ { id: 'facet.mood.quarrelsome', message: 'Quarrelsome' },
      /*i18n*/ { id: 'facet.mood.jealous', message: 'Jealous' },
      /*i18n*/ { id: 'facet.mood.commanding', message: 'Commanding' },
    ],
  },
  {
    slug: 'intensity',
    chooses: 'one',
    hasContentNotes: false,
    label: /*i18n*/ { id: 'facet.intensity', message: 'Intensity' },
    explanation: /*i18n*/ { id: 'facet.intensity.explanation', message: 'How far it goes.' },
    tags: [
      /*i18n*/ { id: 'facet.intensity.quiet', message: 'Quiet' },
      /*i18n*/ { id: 'facet.intensity.warm', message: 'Warm' },
      /*i18n*/ { id: 'facet.intensity.ardent', message: 'Ardent' },
      /*i18n*/ { id: 'facet.intensity.explicit', message: 'Explicit' },
    ],
  },
  {
    slug: 'content-notes',
    chooses: 'many',
    hasContentNotes: true,
    label: /*i18n*/ { id: 'facet.content-notes', message: 'Content notes' },
    explanation: /*i18n*/ {
      id: 'facet.content-notes.explanation',
      message: 'What a listener may not want to meet tonight.',
    },
    tags: [
      /*i18n*/ { id: 'facet.content-notes.parting', message: 'Parting' },
      /*i18n*/ { id: 'facet.content-notes.death', message: 'Death' },
      /*i18n*/ { id: 'facet.content-notes.grief', message: 'Grief' },
      /*i18n*/ { id: 'facet.content-notes.illness', message: 'Illness' },
      /*i18n*/ { id: 'facet.content-notes.war', message: 'War' },
      /*i18n*/ { id: 'facet.content-notes.violence', message: 'Violence' },
      /*i18n*/ { id: 'facet.content-notes.self-harm', message: 'Self-harm' },
      /*i18n*/ { id: 'facet.content-notes.infidelity', message: 'Infidelity' },
      /*i18n*/ { id: 'facet.content-notes.dominance-and-submission', message: 'Dominance and submission' },
      /*i18n*/ { id: 'facet.content-notes.staged-non-consent', message: 'Staged non-consent' },
      /*i18n*/ { id: 'facet.content-notes.humiliation', message: 'Humiliation' },
      /*i18n*/ { id: 'facet.content-notes.age-gap', message: 'Age gap' },
      /*i18n*/ { id: 'facet.content-notes.pregnancy', message: 'Pregnancy' },
      /*i18n*/ { id: 'facet.content-notes.alcohol-and-drugs', message: 'Alcohol and drugs' },
      /*i18n*/ { id: 'facet.content-notes.strong-language', message: 'Strong language' },
    ],
  },
];

export function textIn(text: Sentence | string, language: Language): string {
  return inLanguage(language, () => say(text));
}

/** Its translations into all languages but the one that it is written in; none for the same word in every language. */
export function translationsOf(
  text: Sentence | string,
  of: { kind: 'facet' | 'tag'; subject: string; field: string; source: string },
  own: Language,
): (typeof translations.$inferInsert)[] {
  if (typeof text === 'string') return [];
  const others = languageCodes.filter((code) => code !== own);
  return others.map((language) => ({ ...of, language, text: textIn(text, language) }));
}

/** The same for name and explanation of a facet. */
export function translationsOfFacet({ label, explanation }: FacetPreset, subject: string, own: Language) {
  const of = { kind: 'facet', subject } as const;
  return [
    ...translationsOf(label, { ...of, field: 'label', source: textIn(label, own) }, own),
    ...translationsOf(explanation, { ...of, field: 'explanation', source: textIn(explanation, own) }, own),
  ];
}
