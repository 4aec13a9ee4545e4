import { plural, t } from '@lingui/core/macro';
import { useCallback } from 'react';
import { answerOf, api } from '#web/api.ts';
import { type Suggestions, type Token, searchPauseMs, TokenField } from '#web/workshop/forms/token-field.tsx';

/** A creator or a tag. */
export type Found = Token & { slug: string };

type FieldProps = {
  label?: string;
  found: Found | undefined;
  /** Id of one that is not offered. */
  except?: string;
  onChoose: (found: Found | undefined) => void;
};

/** Finds one of all creators by name or address, hidden ones too. */
export function VoiceField({ label = t`Creator`, ...props }: FieldProps) {
  return <FoundField {...props} label={label} placeholder={t`Name or address`} find={findVoices} />;
}

/** Finds one of all tags by name. */
export function TagField({ label = t`Tag`, ...props }: FieldProps) {
  return <FoundField {...props} label={label} placeholder={t`Name`} find={findTags} />;
}

async function findVoices(q: string): Promise<Suggestions<Found>> {
  // Only for typed text: an open list would cover the buttons of the dialog.
  if (q === '') return [];
  const answer = await answerOf(api.admin['voice-choices'].$get({ query: { q } }));
  if (!answer.ok) return { failure: answer.message };
  return answer.data.items.map(({ id, slug, name, audios, isHidden }) => ({
    value: id,
    slug,
    label: name,
    detail: isHidden
      ? t`${slug}, ${plural(audios, { one: '# audio', other: '# audios' })}, hidden`
      : t`${slug}, ${plural(audios, { one: '# audio', other: '# audios' })}`,
  }));
}

/** Tags for a typed text, as a token field offers them. */
export async function findTags(q: string): Promise<Suggestions<Found>> {
  if (q === '') return [];
  const answer = await answerOf(api.admin['tag-choices'].$get({ query: { q } }));
  if (!answer.ok) return { failure: answer.message };
  return answer.data.items.map(({ id, slug, label, audios }) => ({
    value: id,
    slug,
    label,
    detail: plural(audios, { one: '# audio', other: '# audios' }),
  }));
}

type FoundFieldProps = FieldProps & { label: string; placeholder: string; find: typeof findVoices };

function FoundField({ label, placeholder, find, found, except, onChoose }: FoundFieldProps) {
  const suggest = useCallback(
    async (q: string): Promise<Suggestions<Found>> => {
      const choices = await find(q);
      return Array.isArray(choices) ? choices.filter(({ value }) => value !== except) : choices;
    },
    [find, except],
  );
  return (
    <TokenField
      label={label}
      placeholder={placeholder}
      tokens={found === undefined ? [] : [found]}
      max={1}
      suggest={suggest}
      pauseMs={searchPauseMs}
      onChange={([chosen]) => onChoose(chosen)}
    />
  );
}
