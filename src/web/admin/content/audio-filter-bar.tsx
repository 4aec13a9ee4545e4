import { useState } from 'react';
import { countOf } from '#formats/numbers.ts';
import type { FilterNames } from '#domain/admin/content/audio-filters.ts';
import { audioChangeDays } from '#domain/admin/rules.ts';
import type { AudioAccess, AudioProblem } from '#domain/admin/rules.ts';
import type { AudioQuery } from './audio-query.ts';
import type { FilterToken } from '../filter-menu.tsx';
import { FilterMenu, FilterSelect, FilterTokens, FoundFilter } from '../filter-menu.tsx';
import type { ChosenTag } from './tag-field.tsx';
import { TagField } from './tag-field.tsx';
import type { ChosenVoice } from '../voice-field.tsx';
import { VoiceField } from '../voice-field.tsx';

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
    ...(query.access === undefined ? [] : [{ name: 'access', label: 'Access', text: accessTexts[query.access] }]),
    ...(query.problem === undefined ? [] : [{ name: 'problem', label: 'Problem', text: problemTexts[query.problem] }]),
    ...(query.changed === undefined ? [] : [{ name: 'changed', label: 'Changed', text: changedText(query.changed) }]),
  ];
  return <FilterTokens tokens={tokens} />;
}

type AudioFilterFormProps = { query: AudioQuery; names: FilterNames; categories: Choice[] };

export function AudioFilterForm({ query, names, categories }: AudioFilterFormProps) {
  return (
    <FilterMenu submit="Show audios">
      <VoiceFilter key={`voice ${query.voice}`} slug={query.voice} named={names.voice} />
      <FilterSelect
        label="Category"
        name="category"
        value={query.category}
        choices={categories.map(({ slug, label }) => [slug, label])}
      />
      <TagFilter key={`tag ${query.tag}`} slug={query.tag} named={names.tag} />
      <FilterSelect label="Access" name="access" value={query.access} choices={Object.entries(accessTexts)} />
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

type NamedFilterProps = { slug: string | undefined; named: FilterNames['voice'] };

/** A creator or tag of the address; one that no longer exists keeps its slug as its name. */
function chosenOf({ slug, named }: NamedFilterProps) {
  return slug === undefined ? undefined : { value: named?.id ?? slug, slug, label: named?.label ?? slug };
}

/** There are too many creators for a list, so one is found by typing. */
function VoiceFilter(props: NamedFilterProps) {
  const [voice, setVoice] = useState<ChosenVoice | undefined>(chosenOf(props));
  return (
    <FoundFilter label="Creator" name="voice" slug={voice?.slug}>
      <VoiceField voice={voice} onChoose={setVoice} />
    </FoundFilter>
  );
}

function TagFilter(props: NamedFilterProps) {
  const [tag, setTag] = useState<ChosenTag | undefined>(chosenOf(props));
  return (
    <FoundFilter label="Tag" name="tag" slug={tag?.slug}>
      <TagField label="Tag" tag={tag} onChoose={setTag} />
    </FoundFilter>
  );
}
