import { useCallback } from 'react';
import { answerOf, api } from '../../api.ts';
import { countOf } from '#formats/numbers.ts';
import type { Suggestions, Token } from '#web/workshop/forms/token-field.tsx';
import { searchPauseMs, TokenField } from '#web/workshop/forms/token-field.tsx';

export type ChosenTag = Token & { slug: string };

type TagFieldProps = {
  label: string;
  tag: ChosenTag | undefined;
  /** Id of a tag that is not offered. */
  except?: string;
  onChoose: (tag: ChosenTag | undefined) => void;
};

/** Finds one of all tags by name. */
export function TagField({ label, tag, except, onChoose }: TagFieldProps) {
  const suggest = useCallback(
    async (q: string): Promise<Suggestions<ChosenTag>> => {
      // Only for typed text: an open list would cover the buttons of the dialog.
      if (q === '') return [];
      const answer = await answerOf(api.admin['tag-choices'].$get({ query: { q } }));
      if (!answer.ok) return { failure: answer.message };
      return answer.data.items
        .filter(({ id }) => id !== except)
        .map(({ id, slug, label: name, audios }) => ({
          value: id,
          slug,
          label: name,
          detail: countOf(audios, 'audio'),
        }));
    },
    [except],
  );
  return (
    <TokenField
      label={label}
      placeholder="Name"
      tokens={tag === undefined ? [] : [tag]}
      max={1}
      suggest={suggest}
      pauseMs={searchPauseMs}
      onChange={([chosen]) => onChoose(chosen)}
    />
  );
}
