import { t } from '@lingui/core/macro';
import { useCallback } from 'react';
import type { FacetField as Facet } from '#domain/catalogue/facets/facets.ts';
import { ChoiceField } from '../workshop/forms/choice-field.tsx';
import { type Token, TokenField } from '../workshop/forms/token-field.tsx';

/** Names that differ in case alone are one tag. */
const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Names of chosen tags, by facet; the rest are in no facet. */
export function byFacet(facets: Facet[], chosen: string[]) {
  const facetOf = (name: string) => facets.find(({ tags }) => tags.some((tag) => isSame(tag.name, name)));
  return {
    of: (facet: Facet) => chosen.filter((name) => facetOf(name) === facet),
    rest: chosen.filter((name) => facetOf(name) === undefined),
    /** The last one of each facet that takes one, such as a name typed into the field of all tags. */
    fitting: chosen.filter((name, at) => {
      const facet = facetOf(name);
      return facet?.chooses !== 'one' || !chosen.some((other, later) => later > at && facetOf(other) === facet);
    }),
  };
}

type FacetFieldsProps = {
  facets: Facet[];
  /** Names of all tags of the audio. */
  chosen: string[];
  /** Tags of an audio. */
  max: number;
  /** Lower fields. */
  isDense?: boolean;
  onChange: (chosen: string[]) => void;
};

/** One field for each facet: a choice of one, or tokens. */
export function FacetFields({ facets, chosen, max, isDense = false, onChange }: FacetFieldsProps) {
  const { of } = byFacet(facets, chosen);
  return facets
    .filter(({ tags }) => tags.length > 0)
    .map((facet) => {
      const own = of(facet);
      const set = (names: string[]) => onChange([...chosen.filter((name) => !own.includes(name)), ...names]);
      return facet.chooses === 'one' ? (
        <ChoiceField
          key={facet.slug}
          label={facet.label}
          isDense={isDense}
          isOptional={!facet.isRequired}
          value={facet.tags.find(({ name }) => own.some((one) => isSame(one, name)))?.name ?? ''}
          none={facet.isRequired ? t`Please choose` : t({ message: 'None', context: 'tag' })}
          options={facet.tags.map(({ name, label }) => ({ value: name, label }))}
          onChoose={(name) => set(name === '' ? [] : [name])}
        >
          <FieldHint text={hintOf(facet)} />
        </ChoiceField>
      ) : (
        <FacetTokens
          key={facet.slug}
          facet={facet}
          own={own}
          max={Math.min(facet.tags.length, own.length + max - chosen.length)}
          onChange={set}
        />
      );
    });
}

function FieldHint({ text }: { text: string | undefined }) {
  return (
    text !== undefined && (
      <div className="field__note">
        <p className="hint">{text}</p>
      </div>
    )
  );
}

type FacetTokensProps = { facet: Facet; own: string[]; max: number; onChange: (names: string[]) => void };

function FacetTokens({ facet, own, max, onChange }: FacetTokensProps) {
  const { tags } = facet;
  const suggest = useCallback(
    (text: string): Token[] =>
      tags.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase())).map(toToken),
    [tags],
  );
  return (
    <TokenField
      label={facet.label}
      tokens={tags.filter(({ name }) => own.some((one) => isSame(one, name))).map(toToken)}
      max={max}
      suggest={suggest}
      hint={hintOf(facet)}
      onChange={(tokens) => onChange(tokens.map(({ value }) => value))}
    />
  );
}

const toToken = ({ name, label }: Facet['tags'][number]): Token => ({ value: name, label });

function hintOf({ explanation, hasContentNotes, isRequired }: Facet): string | undefined {
  const parts = [
    explanation,
    hasContentNotes ? t`Listeners can hide what they do not want to hear.` : '',
    isRequired ? t`Needed before publication.` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.join(' ');
}
