import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useId, useState, useSyncExternalStore } from 'react';
import { type Commenters, commenterChoices, syntheticVoices } from '#domain/catalogue/rules.ts';
import type { FacetField } from '#domain/catalogue/facets/facets.ts';
import type { UploadChoices } from '#domain/studio/rules.ts';
import type { LanguageChoice } from '#formats/language-names.ts';
import { browserStore } from '../../browser-store.ts';
import { ChoiceField } from '../../workshop/forms/choice-field.tsx';
import { LanguageField } from '../../workshop/forms/language-field.tsx';
import { SyntheticVoiceField } from '../../workshop/forms/synthetic-voice-field.tsx';
import { FacetFields } from '../facet-fields.tsx';
import { commenterLabels } from '../comments/commenters-choice.tsx';

export type CategoryName = { id: string; label: string };

const key = 'sotto_upload_choices';
const maxTags = 20;

/** Initial choices for new files; stored in this browser. */
export function useNewChoices(categories: CategoryName[]): [UploadChoices, (choices: UploadChoices) => void] {
  const kept = useSyncExternalStore(never, readKept, () => null);
  const [changed, setChanged] = useState<UploadChoices | undefined>();
  return [
    changed ?? parsed(kept, categories),
    (choices) => {
      setChanged(choices);
      // The defaults for commenters and language are stored with the voice.
      const { commenters: _commenters, language: _language, ...rest } = choices;
      browserStore.set(key, JSON.stringify(rest));
    },
  ];
}

function readKept(): string | null {
  return browserStore.get(key);
}

function never(): () => void {
  return () => {};
}

function parsed(kept: string | null, categories: CategoryName[]): UploadChoices {
  try {
    const { categoryId, isFree, syntheticVoice, tags } = JSON.parse(kept ?? '{}') as UploadChoices;
    return {
      categoryId: categories.find(({ id }) => id === categoryId)?.id,
      isFree: typeof isFree === 'boolean' ? isFree : undefined,
      syntheticVoice: syntheticVoices.find((one) => one === syntheticVoice),
      tags: Array.isArray(tags) ? tags.filter((slug) => typeof slug === 'string') : undefined,
    };
  } catch {
    return {};
  }
}

type NewChoicesProps = {
  choices: UploadChoices;
  categories: CategoryName[];
  facets: FacetField[];
  /** The voice's default for commenters. */
  newCommenters: Commenters;
  /** The voice's language. */
  newLanguage: string;
  languages: LanguageChoice[];
  onChange(choices: UploadChoices): void;
};

/** Category, facets, access, comments, language and synthetic voice of all files added from now on. */
export function NewChoices({
  choices,
  categories,
  facets,
  newCommenters,
  newLanguage,
  languages,
  onChange,
}: NewChoicesProps) {
  const id = useId();
  const {
    categoryId,
    isFree = false,
    commenters = newCommenters,
    language = newLanguage,
    syntheticVoice = 'none',
    tags = [],
  } = choices;
  const known = facets.flatMap((facet) => facet.tags);
  return (
    <section className="pane" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className="pane-subtitle mb-3.5">
        <Trans>For all new files</Trans>
      </h2>
      <div className="field-list gap-4">
        <ChoiceField
          label={t`Category`}
          isDense
          value={categoryId ?? ''}
          none={t({ message: 'None', context: 'category' })}
          options={categories.map((category) => ({ value: category.id, label: category.label }))}
          onChoose={(value) => onChange({ ...choices, categoryId: value || undefined })}
        />
        <FacetFields
          facets={facets}
          chosen={known.filter(({ slug }) => tags.includes(slug)).map(({ name }) => name)}
          max={maxTags}
          isDense
          onChange={(names) =>
            onChange({ ...choices, tags: known.filter(({ name }) => names.includes(name)).map(({ slug }) => slug) })
          }
        />
        <ChoiceField
          label={t`Who may hear them`}
          isDense
          value={isFree ? 'free' : 'subscribers'}
          none={null}
          options={[
            { value: 'subscribers', label: t`Subscribers` },
            { value: 'free', label: t`Everyone` },
          ]}
          onChoose={(value) => onChange({ ...choices, isFree: value === 'free' })}
        />
        <ChoiceField
          label={t`Who may comment`}
          isDense
          value={commenters}
          none={null}
          options={commenterChoices.map((value) => ({ value, label: commenterLabels[value]() }))}
          onChoose={(value) => onChange({ ...choices, commenters: value as Commenters })}
        />
        <LanguageField
          isDense
          value={language}
          choices={languages}
          onChoose={(value) => onChange({ ...choices, language: value })}
        />
        <SyntheticVoiceField
          value={syntheticVoice}
          onChoose={(value) => onChange({ ...choices, syntheticVoice: value })}
        />
      </div>
    </section>
  );
}
