import { useCallback } from 'react';
import { answerOf, api } from '#web/api.ts';
import { countOf } from '#formats/numbers.ts';
import type { Suggestions, Token } from '#web/workshop/forms/token-field.tsx';
import { searchPauseMs, TokenField } from '#web/workshop/forms/token-field.tsx';

export type ChosenVoice = Token & { slug: string };

type VoiceFieldProps = {
  label?: string;
  voice: ChosenVoice | undefined;
  /** Id of a creator that is not offered. */
  except?: string;
  onChoose: (voice: ChosenVoice | undefined) => void;
};

/** Finds one of all creators by name or address, hidden ones too. */
export function VoiceField({ label = 'Creator', voice, except, onChoose }: VoiceFieldProps) {
  const suggest = useCallback(
    async (q: string): Promise<Suggestions<ChosenVoice>> => {
      // Only for typed text: an open list would cover the buttons of the dialog.
      if (q === '') return [];
      const answer = await answerOf(api.admin['voice-choices'].$get({ query: { q } }));
      if (!answer.ok) return { failure: answer.message };
      return answer.data.items
        .filter(({ id }) => id !== except)
        .map(({ id, slug, name, audios, isHidden }) => ({
          value: id,
          label: name,
          slug,
          detail: `${slug}, ${countOf(audios, 'audio')}${isHidden ? ', hidden' : ''}`,
        }));
    },
    [except],
  );
  return (
    <TokenField
      label={label}
      placeholder="Name or address"
      tokens={voice === undefined ? [] : [voice]}
      max={1}
      suggest={suggest}
      pauseMs={searchPauseMs}
      onChange={([chosen]) => onChoose(chosen)}
    />
  );
}
