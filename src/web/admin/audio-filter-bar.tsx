import { countOf } from '#domain/kernel/rules.ts';
import type { FilterNames } from '#domain/admin/audio-filters.ts';
import { audioChangeDays } from '#domain/admin/rules.ts';
import type { AudioAccess, AudioProblem } from '#domain/admin/rules.ts';
import type { AudioQuery } from './audio-query.ts';
import type { FilterToken } from './filter-menu.tsx';
import { FilterMenu, FilterSelect, FilterText, FilterTokens } from './filter-menu.tsx';

type Choice = { slug: string; label: string };

const accessTexts: Record<AudioAccess, string> = { free: 'everyone', subscribers: 'subscribers' };
const problemTexts: Record<AudioProblem, string> = {
  'no-cover': 'no cover',
  'not-measured': 'file could not be measured',
  changes: 'changes not public yet',
};

function changedText(days: number): string {
  return `last ${days === 1 ? '24 hours' : countOf(days, 'day')}`;
}

export function AudioFilterTokens({ query, names }: { query: AudioQuery; names: FilterNames }) {
  const tokens: FilterToken[] = [
    ...(query.voice === undefined
      ? []
      : [{ name: 'voice', label: 'Creator', text: names.voice?.label ?? query.voice }]),
    ...(query.category === undefined
      ? []
      : [{ name: 'category', label: 'Category', text: names.category?.label ?? query.category }]),
    ...(query.tag === undefined ? [] : [{ name: 'tag', label: 'Tag', text: names.tag?.label ?? query.tag }]),
    ...(query.access === undefined ? [] : [{ name: 'access', label: 'Who hears it', text: accessTexts[query.access] }]),
    ...(query.problem === undefined ? [] : [{ name: 'problem', label: 'Problem', text: problemTexts[query.problem] }]),
    ...(query.changed === undefined ? [] : [{ name: 'changed', label: 'Changed', text: changedText(query.changed) }]),
  ];
  return <FilterTokens tokens={tokens} />;
}

type AudioFilterFormProps = { query: AudioQuery; voices: Choice[]; categories: Choice[] };

/** A text field, because there are too many tags for a list. */
export function AudioFilterForm({ query, voices, categories }: AudioFilterFormProps) {
  return (
    <FilterMenu submit="Show audios">
      <FilterSelect
        label="Creator"
        name="voice"
        value={query.voice}
        choices={voices.map(({ slug, label }) => [slug, label])}
      />
      <FilterSelect
        label="Category"
        name="category"
        value={query.category}
        choices={categories.map(({ slug, label }) => [slug, label])}
      />
      <FilterText
        label="Tag"
        name="tag"
        value={query.tag}
        maxLength={120}
        placeholder="Its address, such as slow-voice"
      />
      <FilterSelect label="Who hears it" name="access" value={query.access} choices={Object.entries(accessTexts)} />
      <FilterSelect label="Problem" name="problem" value={query.problem} choices={Object.entries(problemTexts)} />
      <FilterSelect
        label="Changed"
        name="changed"
        value={query.changed?.toString()}
        choices={audioChangeDays.map((days) => [String(days), changedText(days)])}
      />
    </FilterMenu>
  );
}
