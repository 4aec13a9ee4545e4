import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useId } from 'react';
import { href, Link } from 'react-router';
import { audioTextNames, audioTexts } from '#domain/catalogue/rules.ts';
import type { FacetField } from '#domain/catalogue/facets/facets.ts';
import type { SeriesChoice } from '#domain/studio/audios/audio-facts.ts';
import type { AudioChange } from '#domain/studio/forms.ts';
import type { LanguageChoice } from '#formats/language-names.ts';
import { answerOf, api } from '../../api.ts';
import { classNames } from '../../ui/class-names.ts';
import { FieldError } from '../../ui/fields/field.tsx';
import { ChoiceField } from '../../workshop/forms/choice-field.tsx';
import { LanguageField } from '../../workshop/forms/language-field.tsx';
import { SyntheticVoiceField } from '../../workshop/forms/synthetic-voice-field.tsx';
import { type Token, TokenField } from '../../workshop/forms/token-field.tsx';
import { byFacet, FacetFields } from '../facet-fields.tsx';
import type { EditorSnapshot } from './audio-editor.ts';
import { audioTextWords } from './audio-text-words.ts';
import { lengthOf, limits } from './field-faults.ts';

type TextFieldsProps = {
  audioId: string;
  voiceSlug: string;
  values: EditorSnapshot['values'];
  faults: EditorSnapshot['faults'];
  facets: FacetField[];
  /** Label and slug of every category. */
  categories: { slug: string; label: string }[];
  series: SeriesChoice[];
  languages: LanguageChoice[];
  suggestCategories: (text: string) => Token[];
  onChange: (change: AudioChange) => void;
};

/** Fields for an audio's texts and groups. */
export function TextFields({
  audioId,
  voiceSlug,
  values,
  faults,
  facets,
  categories,
  series,
  languages,
  suggestCategories,
  onChange,
}: TextFieldsProps) {
  const inFacets = byFacet(facets, values.tags);
  const labelOf = new Map(categories.map(({ slug, label }) => [slug, label]));
  return (
    <section aria-label={t`Text`} className="field-list">
      <h2 className="pane-title">
        <Trans>Text</Trans>
      </h2>
      <TextField
        label={t`Title`}
        name="title"
        value={values.title}
        max={limits.title}
        error={faults.title}
        onChange={(title) => onChange({ title })}
      />
      <TextField
        label={t`Description`}
        name="description"
        value={values.description}
        max={limits.description}
        rows={3}
        hint={t`Shown on one line in lists, in full on the page.`}
        error={faults.description}
        onChange={(description) => onChange({ description })}
      />
      <LanguageField
        value={values.language}
        choices={languages}
        error={faults.language}
        onChoose={(language) => onChange({ language })}
      />
      <SyntheticVoiceField value={values.syntheticVoice} onChoose={(syntheticVoice) => onChange({ syntheticVoice })} />
      {facets.length > 0 && (
        <div className="field-pair">
          <FacetFields facets={facets} chosen={values.tags} max={limits.tags} onChange={(tags) => onChange({ tags })} />
        </div>
      )}
      <div className="field-pair">
        <TokenField
          label={t`Categories`}
          name="categories"
          tokens={values.categories.map((slug) => ({ value: slug, label: labelOf.get(slug) ?? slug }))}
          max={limits.categories}
          suggest={suggestCategories}
          error={faults.categories}
          onChange={(tokens) => onChange({ categories: tokens.map(({ value }) => value) })}
        />
        <TokenField
          label={facets.length > 0 ? t`Other tags` : t`Tags`}
          name="tags"
          tokens={inFacets.rest.map((label) => ({ value: label, label }))}
          max={limits.tags - values.tags.length + inFacets.rest.length}
          suggest={suggestTags}
          create={newTag}
          error={faults.tags}
          onChange={(tokens) => {
            const others = values.tags.filter((name) => !inFacets.rest.includes(name));
            onChange({ tags: byFacet(facets, [...others, ...tokens.map(({ value }) => value)]).fitting });
          }}
        />
      </div>
      <SeriesFields
        audioId={audioId}
        voiceSlug={voiceSlug}
        value={values.series}
        series={series}
        error={faults.series}
        onChange={(chosen) => onChange({ series: chosen })}
      />
      <div className="field-pair">
        <TextField
          label={t`Address`}
          value={values.slug}
          max={120}
          hint={t`Links to the old address redirect here.`}
          error={faults.slug}
          onChange={(slug) => onChange({ slug })}
        />
        {audioTextNames.map((name) => (
          <TextField
            key={name}
            label={audioTextWords[name].label()}
            hint={audioTextWords[name].hint()}
            max={audioTexts[name].max}
            isOptional
            value={values[name] ?? ''}
            error={faults[name]}
            onChange={(text) => onChange({ [name]: text.trim() === '' ? null : text })}
          />
        ))}
      </div>
    </section>
  );
}

async function suggestTags(text: string): Promise<Token[]> {
  const answer = await answerOf(api.studio.tags.$get({ query: { q: text.slice(0, limits.tag) } }));
  return answer.ok ? answer.data.items.map((label) => ({ value: label, label })) : [];
}

function newTag(text: string): Token | undefined {
  const label = [...text].slice(0, limits.tag).join('').trim();
  return label === '' ? undefined : { value: label, label };
}

type TextFieldProps = {
  label: string;
  /** Name of the field. */
  name?: string;
  value: string;
  max: number;
  /** Height of a multi-line field. */
  rows?: number;
  hint?: string;
  isOptional?: boolean;
  error: string | undefined;
  onChange: (value: string) => void;
};

function TextField({ label, name, value, max, rows, hint, isOptional = false, error, onChange }: TextFieldProps) {
  const id = useId();
  const hasNote = error !== undefined || hint !== undefined;
  const shared = {
    id,
    value,
    dir: 'auto',
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': hasNote ? `${id}-note` : undefined,
  };
  return (
    <div className="field" data-field={name}>
      <label htmlFor={id}>{label}</label>
      <span className="field__optional tabular-nums">
        {isOptional && value === '' ? t`Optional` : `${lengthOf(value)} / ${max}`}
      </span>
      {rows === undefined ? (
        <input
          {...shared}
          className={classNames('input', error !== undefined && 'input--error')}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : (
        <textarea
          {...shared}
          rows={rows}
          className={classNames('input input--text', error !== undefined && 'input--error')}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      {hasNote && (
        <div id={`${id}-note`} className="field__note">
          {error === undefined ? <p className="hint">{hint}</p> : <FieldError>{error}</FieldError>}
        </div>
      )}
    </div>
  );
}

type SeriesFieldsProps = {
  audioId: string;
  voiceSlug: string;
  value: { slug: string; part: number } | null;
  series: SeriesChoice[];
  error: string | undefined;
  onChange: (chosen: { slug: string; part: number } | null) => void;
};

function SeriesFields({ audioId, voiceSlug, value, series, error, onChange }: SeriesFieldsProps) {
  const chosen = series.find(({ slug }) => slug === value?.slug);
  const places = chosen === undefined ? [] : placesIn(chosen, audioId, value?.part ?? 1);
  return (
    <div className="field-pair">
      <ChoiceField
        label={t({ message: 'Series', context: 'one' })}
        value={value?.slug ?? ''}
        none={t({ message: 'None', context: 'series' })}
        options={series.map(({ slug, title }) => ({ value: slug, label: title }))}
        isOptional
        error={error}
        onChoose={(slug) => {
          const wanted = series.find((one) => one.slug === slug);
          const own = wanted?.parts.find((part) => part.audioId === audioId);
          onChange(wanted === undefined ? null : { slug: wanted.slug, part: own?.part ?? lastPart(wanted) + 1 });
        }}
      >
        {series.length === 0 && (
          <div className="field__note">
            <p className="hint">
              <span>
                <Trans>
                  No series yet.{' '}
                  <Link className="link" to={href('/studio/:voice/series', { voice: voiceSlug })}>
                    Create a series
                  </Link>
                </Trans>
              </span>
            </p>
          </div>
        )}
      </ChoiceField>
      <ChoiceField
        label={t`Part number`}
        value={String(value?.part ?? '')}
        none={chosen === undefined ? t`No series` : null}
        options={places}
        disabled={chosen === undefined}
        onChoose={(part) => value !== null && onChange({ slug: value.slug, part: Number(part) })}
      />
    </div>
  );
}

function lastPart({ parts }: SeriesChoice): number {
  return Math.max(0, ...parts.map(({ part }) => part));
}

/** All places; the audio at a place makes room. */
function placesIn(one: SeriesChoice, audioId: string, current: number): { value: string; label: string }[] {
  const others = one.parts.filter((part) => part.audioId !== audioId);
  const own = one.parts.find((part) => part.audioId === audioId)?.part;
  const end = Math.max(lastPart(one) + (own === undefined ? 1 : 0), current);
  return Array.from({ length: end }, (_, index) => {
    const part = index + 1;
    const last = own !== undefined && own < part ? part : part - 1;
    const before = others.findLast((other) => other.part <= last);
    const label = before === undefined ? t`${part} of ${end}` : t`${part} of ${end}, after ${{ title: before.title }}`;
    return { value: String(part), label };
  });
}
