import { useId, useState } from 'react';
import { nameLengths, textLengths } from '#domain/admin/forms.ts';
import type { VoiceType } from '#domain/catalogue/forms.ts';
import { voiceTypeLabels, voiceTypes } from '#domain/catalogue/forms.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-area.tsx';

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
  const id = useId();
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
      <div className="two grid grid-cols-2 max-md:grid-cols-1">
        <div className="fld">
          <label htmlFor={`${id}-type`}>Voice</label>
          <select
            id={`${id}-type`}
            className="in"
            value={fields.voiceType}
            onChange={(event) =>
              setFields({
                ...fields,
                voiceType: voiceTypes.find((type) => type === event.target.value) ?? fields.voiceType,
              })
            }
          >
            {voiceTypes.map((type) => (
              <option key={type} value={type}>
                {voiceTypeLabels[type]}
              </option>
            ))}
          </select>
        </div>
        <div className="fld">
          <label htmlFor={`${id}-category`}>Category</label>
          <select
            id={`${id}-category`}
            className="in"
            value={fields.categoryId ?? ''}
            onChange={(event) => setFields({ ...fields, categoryId: event.target.value || null })}
          >
            <option value="">None</option>
            {categories.map((category) => (
              <option key={category.id} value={category.id}>
                {category.label}
              </option>
            ))}
          </select>
        </div>
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
