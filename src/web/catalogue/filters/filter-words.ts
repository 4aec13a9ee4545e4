import { plural, t } from '@lingui/core/macro';
import { language, languageFacts } from '#i18n';
import { noWords } from '#formats/content-languages.ts';
import { voiceTypeText } from '../voice-type-text.ts';
import type { Choice, FilterName } from './filter-query.ts';
import type { FilterChoices } from '#domain/catalogue/filters/shapes.ts';
import { voiceTypeLabels } from '#domain/catalogue/rules.ts';

/** @param group filters of the same group add up: any of them is enough */
export type Token = Choice & { label: string; group: string };

/** A group of filters in the panel. `name`: of its options in the address. */
export type Facet = {
  key: string;
  label: string;
  explanation?: string | undefined;
  /** Tags can be left out, too. */
  hasWithout?: boolean;
  options: (Token & { audios?: number | undefined })[];
};

const typeLabels: Record<string, string> = voiceTypeLabels;

/**
 * A filter that is no tag; of a tag that has no name any more, its address.
 * @param languageNames those of other languages than the page's
 */
export function textOf({ name, value }: Choice, languageNames: Record<string, string> = {}): string {
  switch (name) {
    case 'length':
      return (
        {
          short: t`Under 10 minutes`,
          medium: t`10 to 20 minutes`,
          long: t`20 to 40 minutes`,
          longer: t`40 minutes or longer`,
        }[value] ?? value
      );
    case 'language':
      if (value === language()) return languageFacts().name;
      return value === noWords ? t`No words` : capitalized(languageNames[value] ?? value);
    case 'voiceType':
      return voiceTypeText(typeLabels[value] ?? value);
    case 'free':
      return t({ message: 'Free', context: 'filter' });
    case 'syntheticVoice':
      return value === 'none' ? t`No synthetic voice` : t`Synthetic voice`;
    case 'shorterThan': {
      const minutes = Math.ceil(Number(value) / 60);
      return t`Under ${plural(minutes, { one: '# minute', other: '# minutes' })}`;
    }
    default:
      return value.replaceAll('-', ' ');
  }
}

export function capitalized(text: string): string {
  return text.charAt(0).toLocaleUpperCase(languageFacts().intl) + text.slice(1);
}

/** Everything that a list can be filtered by, in the order of the panel: the operator's facets, then the rest. */
export function facetsOf(counts: FilterChoices, languageNames?: Record<string, string>): Facet[] {
  const option = (name: FilterName, value: string, audios: number | undefined) => ({
    name,
    value,
    audios,
    label: textOf({ name, value }, languageNames),
    group: name,
  });
  const rest = (name: FilterName, label: string, options: FilterChoices['lengths']): Facet => ({
    key: name,
    label,
    options: options.map(({ value, audios }) => option(name, value, audios)),
  });
  const facets: Facet[] = [
    ...counts.facets.map(({ slug, label = t`Tags`, explanation, tags }): Facet => ({
      key: `facet ${slug}`,
      label,
      explanation,
      hasWithout: true,
      options: tags.map((tag) => ({ name: 'tag', value: tag.slug, ...tag, group: slug ?? tag.slug })),
    })),
    rest('length', t`Length`, counts.lengths),
    rest('language', t`Language`, counts.languages),
    rest('voiceType', t({ message: 'Voice', context: 'filter' }), counts.voiceTypes),
    {
      key: 'more',
      label: t({ message: 'More', context: 'filter' }),
      options: [option('free', 'true', counts.free), option('syntheticVoice', 'none', counts.withoutSyntheticVoice)],
    },
  ];
  return facets.filter(({ options }) => options.length > 0);
}

/** One filter as one says it: `Without parting`. */
export const tokenText = ({ name, label }: Token) => (name === 'not' ? t`Without ${label}` : capitalized(label));

export const anyOf = (labels: string[]) => labels.reduce((before, after) => t`${before} or ${after}`);

/** Filters in words, where one of a group is enough: `Longing or tender`. */
export function inWords(tokens: Token[]): { text: string; isLeftOut: boolean }[] {
  const groups = new Map<string, Token[]>();
  for (const token of tokens) {
    const group = token.name === 'not' ? `not ${token.value}` : token.group;
    groups.set(group, [...(groups.get(group) ?? []), token]);
  }
  return Array.from(groups.values(), (group) => {
    const isLeftOut = group.some(({ name }) => name === 'not');
    const label = anyOf(group.map((one) => one.label));
    return { text: isLeftOut ? t`Without ${label}` : capitalized(label), isLeftOut };
  });
}
