import { useState } from 'react';
import { nameLengths, textLengths } from '#domain/admin/forms.ts';
import type { VoiceType } from '#domain/catalogue/forms.ts';
import { voiceTypeLabels, voiceTypes } from '#domain/catalogue/forms.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { ChoiceField } from '../workshop/choice-field.tsx';

export type VoiceFields = { name: string; voiceType: VoiceType; bio: string; categoryId: string | null };

type VoiceFieldsFormProps = {
  start: VoiceFields;
  categories: { id: string; label: string }[];
  verb: string;
  isBusy: boolean;
  onSave: (fields: VoiceFields) => void;
};

/** Name, type, category and text of a creator. */
export function VoiceFieldsForm({ start, categories, verb, isBusy, onSave }: VoiceFieldsFormProps) {
  const [fields, setFields] = useState(start);
  const isReady = fields.name.trim() !== '';
  return (
    <form
      className="fg"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isBusy) onSave(fields);
      }}
    >
      <Field
        label="Name"
        value={fields.name}
        maxLength={nameLengths.voice}
        length={[...fields.name].length}
        onChange={(event) => setFields({ ...fields, name: event.target.value })}
      />
      <div className="two">
        <ChoiceField
          label="Voice"
          value={fields.voiceType}
          none={null}
          options={voiceTypes.map((type) => ({ value: type, label: voiceTypeLabels[type] }))}
          onChoose={(value) =>
            setFields({ ...fields, voiceType: voiceTypes.find((type) => type === value) ?? fields.voiceType })
          }
        />
        <ChoiceField
          label="Category"
          value={fields.categoryId ?? ''}
          none="None"
          options={categories.map((category) => ({ value: category.id, label: category.label }))}
          onChoose={(value) => setFields({ ...fields, categoryId: value || null })}
        />
      </div>
      <TextArea
        label="About"
        isOptional
        rows={5}
        value={fields.bio}
        maxLength={textLengths.voice}
        length={[...fields.bio].length}
        onChange={(event) => setFields({ ...fields, bio: event.target.value })}
      />
      <div>
        <Button type="submit" variant="primary" disabled={!isReady} busy={isBusy ? 'Saving…' : undefined}>
          {verb}
        </Button>
      </div>
    </form>
  );
}
