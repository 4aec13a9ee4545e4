import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { href, useNavigate } from 'react-router';
import { nameLengths, textLengths } from '#domain/admin/forms.ts';
import { type VoiceType, voiceTypes } from '#domain/catalogue/rules.ts';
import type { LanguageChoice } from '#formats/language-names.ts';
import { language } from '#i18n';
import { api } from '../../api.ts';
import { Field } from '#web/ui/fields/field.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { FormDialog } from '../../workshop/form-dialog.tsx';
import { ChoiceField } from '../../workshop/forms/choice-field.tsx';
import { LanguageField } from '../../workshop/forms/language-field.tsx';
import { useCall } from '../use-call.ts';

const typeTexts = (): Record<VoiceType, string> => ({
  female: t`Female voice`,
  male: t`Male voice`,
  'non-binary': t`Non-binary voice`,
});

type VoiceFields = { name: string; voiceType: VoiceType; bio: string; categoryId: string | null; language: string };

type Choices = { categories: { id: string; label: string }[]; languages: LanguageChoice[] };

type NewVoiceDialogProps = Choices & { onClose: () => void };

/** Creates a creator and opens their page. Open while rendered. */
export function NewVoiceDialog({ categories, languages, onClose }: NewVoiceDialogProps) {
  const navigate = useNavigate();
  const { call } = useCall();
  const [fields, setFields] = useState<VoiceFields>({
    name: '',
    voiceType: 'female',
    bio: '',
    categoryId: null,
    language: language(),
  });
  return (
    <FormDialog
      title={t`New creator`}
      description={t`Portrait, address and series are set on the creator’s page of the Studio.`}
      verb={t`Create creator`}
      busy={t`Saving…`}
      isReady={fields.name.trim() !== ''}
      onClose={onClose}
      onSubmit={async () => {
        const created = await call('create', () => api.admin.voices.$post({ json: fields }));
        if (created !== undefined) await navigate(href('/admin/voices/:id', { id: created.data.id }));
        return created;
      }}
    >
      <VoiceInputs
        fields={fields}
        categories={categories}
        languages={languages}
        onChange={(changed) => setFields({ ...fields, ...changed })}
      />
    </FormDialog>
  );
}

type VoiceInputsProps = Choices & {
  fields: VoiceFields;
  onChange: (changed: Partial<VoiceFields>) => void;
};

/** Name, type, category, text and language of a creator. */
export function VoiceInputs({ fields, categories, languages, onChange }: VoiceInputsProps) {
  return (
    <>
      <Field
        label={t`Name`}
        value={fields.name}
        maxLength={nameLengths.voice}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <div className="field-pair">
        <ChoiceField
          label={t`Voice`}
          value={fields.voiceType}
          none={null}
          options={voiceTypes.map((type) => ({ value: type, label: typeTexts()[type] }))}
          onChoose={(value) => onChange({ voiceType: voiceTypes.find((type) => type === value) ?? fields.voiceType })}
        />
        <ChoiceField
          label={t`Category`}
          value={fields.categoryId ?? ''}
          none={t`None`}
          options={categories.map((category) => ({ value: category.id, label: category.label }))}
          onChoose={(value) => onChange({ categoryId: value || null })}
        />
      </div>
      <TextArea
        label={t({ message: 'About', context: 'creator' })}
        isOptional
        rows={5}
        value={fields.bio}
        maxLength={textLengths.voice}
        onChange={({ target }) => onChange({ bio: target.value })}
      />
      <LanguageField
        label={t`Language of the text and of new audios`}
        value={fields.language}
        choices={languages}
        onChoose={(chosen) => onChange({ language: chosen })}
      />
    </>
  );
}
