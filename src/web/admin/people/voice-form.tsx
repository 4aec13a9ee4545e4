import { useState } from 'react';
import { nameLengths, textLengths } from '#domain/admin/forms.ts';
import type { VoiceType } from '#domain/catalogue/forms.ts';
import { voiceTypeLabels, voiceTypes } from '#domain/catalogue/forms.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { ChoiceField } from '../../workshop/forms/choice-field.tsx';

type VoiceFields = { name: string; voiceType: VoiceType; bio: string; categoryId: string | null };

type NewVoiceFormProps = {
  categories: { id: string; label: string }[];
  isBusy: boolean;
  onSave: (fields: VoiceFields) => void;
};

export function NewVoiceForm({ categories, isBusy, onSave }: NewVoiceFormProps) {
  const [fields, setFields] = useState<VoiceFields>({ name: '', voiceType: 'female', bio: '', categoryId: null });
  const isReady = fields.name.trim() !== '';
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isBusy) onSave(fields);
      }}
    >
      <VoiceInputs
        fields={fields}
        categories={categories}
        onChange={(changed) => setFields({ ...fields, ...changed })}
      />
      <div>
        <Button type="submit" variant="primary" disabled={!isReady} busy={isBusy ? 'Saving…' : undefined}>
          Create creator
        </Button>
      </div>
    </form>
  );
}

type VoiceInputsProps = {
  fields: VoiceFields;
  categories: { id: string; label: string }[];
  onChange: (changed: Partial<VoiceFields>) => void;
};

/** Name, type, category and text of a creator. */
export function VoiceInputs({ fields, categories, onChange }: VoiceInputsProps) {
  return (
    <>
      <Field
        label="Name"
        value={fields.name}
        maxLength={nameLengths.voice}
        length={[...fields.name].length}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <div className="field-pair">
        <ChoiceField
          label="Voice"
          value={fields.voiceType}
          none={null}
          options={voiceTypes.map((type) => ({ value: type, label: voiceTypeLabels[type] }))}
          onChoose={(value) => onChange({ voiceType: voiceTypes.find((type) => type === value) ?? fields.voiceType })}
        />
        <ChoiceField
          label="Category"
          value={fields.categoryId ?? ''}
          none="None"
          options={categories.map((category) => ({ value: category.id, label: category.label }))}
          onChoose={(value) => onChange({ categoryId: value || null })}
        />
      </div>
      <TextArea
        label="About"
        isOptional
        rows={5}
        value={fields.bio}
        maxLength={textLengths.voice}
        length={[...fields.bio].length}
        onChange={({ target }) => onChange({ bio: target.value })}
      />
    </>
  );
}
