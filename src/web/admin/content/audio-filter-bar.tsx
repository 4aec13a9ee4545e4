import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { FilterNames } from '#domain/admin/content/audio-filters.ts';
import { type AudioAccess, type AudioProblem, audioChangeDays } from '#domain/admin/rules.ts';
import type { AudioQuery } from './audio-query.ts';
import { FilterMenu, FilterSelect, FilterTokens, FoundFilter } from '#web/workshop/lists/filter-menu.tsx';
import { type Found, TagField, VoiceField } from '../found-fields.tsx';
import LinkIcon from 'lucide-react/icons/link';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { SyntheticVoiceFilter, syntheticVoiceLabels } from '#web/workshop/forms/synthetic-voice-field.tsx';
import { useCopy } from '#web/workshop/use-copy.ts';

type Choice = { slug: string; label: string };

const accessTexts = (): Record<AudioAccess, string> => ({ free: t`everyone`, subscribers: t`subscribers` });
const problemTexts = (): Record<AudioProblem, string> => ({
  'no-cover': t`no cover`,
  'no-text': t`no transcript`,
  'not-measured': t`file could not be measured`,
  changes: t`changes not public yet`,
});

function changedText(days: number): string {
  return plural(days, { one: 'last 24 hours', other: 'last # days' });
}

export function AudioFilterTokens({ query, names }: { query: AudioQuery; names: FilterNames }) {
  const texts: [name: string, label: string, text: string | undefined][] = [
    ['voice', t`Creator`, names.voice?.label ?? query.voice],
    ['category', t`Category`, names.category?.label ?? query.category],
    ['tag', t`Tag`, names.tag?.label ?? query.tag],
    ['access', t`Access`, query.access && accessTexts()[query.access]],
    ['syntheticVoice', t`Synthetic voice`, query.syntheticVoice && syntheticVoiceLabels[query.syntheticVoice]()],
    ['problem', t`Problem`, query.problem && problemTexts()[query.problem]],
    ['changed', t`Changed`, query.changed === undefined ? undefined : changedText(query.changed)],
  ];
  return (
    <FilterTokens
      tokens={texts.flatMap(([name, label, text]) => (text === undefined ? [] : [{ name, label, text }]))}
    />
  );
}

type AudioFilterFormProps = { query: AudioQuery; names: FilterNames; categories: Choice[] };

export function AudioFilterForm({ query, names, categories }: AudioFilterFormProps) {
  return (
    <FilterMenu submit={t`Show audios`}>
      <VoiceFilter key={`voice ${query.voice}`} slug={query.voice} named={names.voice} />
      <FilterSelect
        label={t`Category`}
        name="category"
        value={query.category}
        choices={categories.map(({ slug, label }) => [slug, label])}
      />
      <TagFilter key={`tag ${query.tag}`} slug={query.tag} named={names.tag} />
      <FilterSelect label={t`Access`} name="access" value={query.access} choices={Object.entries(accessTexts())} />
      <SyntheticVoiceFilter value={query.syntheticVoice} />
      <FilterSelect label={t`Problem`} name="problem" value={query.problem} choices={Object.entries(problemTexts())} />
      <FilterSelect
        label={t`Changed`}
        name="changed"
        value={query.changed?.toString()}
        choices={audioChangeDays.map((days) => [String(days), changedText(days)])}
      />
    </FilterMenu>
  );
}

type NamedFilterProps = { slug: string | undefined; named: FilterNames['voice'] };

/** A creator or tag of the address; one that no longer exists keeps its slug as its name. */
function useNamed({ slug, named }: NamedFilterProps) {
  return useState<Found | undefined>(
    slug === undefined ? undefined : { value: named?.id ?? slug, slug, label: named?.label ?? slug },
  );
}

/** There are too many creators for a list, so one is found by typing. */
function VoiceFilter(props: NamedFilterProps) {
  const [voice, setVoice] = useNamed(props);
  return (
    <FoundFilter label={t`Creator`} name="voice" slug={voice?.slug}>
      <VoiceField found={voice} onChoose={setVoice} />
    </FoundFilter>
  );
}

function TagFilter(props: NamedFilterProps) {
  const [tag, setTag] = useNamed(props);
  return (
    <FoundFilter label={t`Tag`} name="tag" slug={tag?.slug}>
      <TagField found={tag} onChoose={setTag} />
    </FoundFilter>
  );
}

/** Copies the address, which includes the filters and the order of the list. */
export function CopyViewLink() {
  const copy = useCopy();
  return (
    <Button className="ms-auto" size="sm" variant="ghost" onClick={() => void copy('link', window.location.href)}>
      <Icon of={LinkIcon} size={16} />
      <Trans>Copy link to this view</Trans>
    </Button>
  );
}
