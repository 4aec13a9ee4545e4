import { t } from '@lingui/core/macro';
import type { AdminFacet } from '#domain/admin/content/facets.ts';
import { nameLengths, textLengths } from '#domain/admin/forms.ts';
import type { FacetChoice } from '#domain/catalogue/rules.ts';
import { answerOf, api } from '#web/api.ts';
import { Field } from '#web/ui/fields/field.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { Note } from '#web/ui/note.tsx';
import { Form } from '#web/workshop/form.tsx';
import { ChoiceField } from '#web/workshop/forms/choice-field.tsx';
import { ConflictNotice } from '#web/workshop/forms/conflict-notice.tsx';
import { EditedButtons } from '#web/workshop/forms/edited-buttons.tsx';
import { SwitchRow } from '#web/workshop/forms/switch-row.tsx';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import { Pane } from '#web/workshop/pane.tsx';

/** All of a facet but its tags. */
export function FacetForm({ facet }: { facet: AdminFacet }) {
  const { id, tags: _tags, ...saved } = facet;
  const edited = useEdited<Omit<typeof saved, 'id'>>({
    key: `facet ${id}`,
    subject: { type: 'facet', id },
    saved,
    send: (_values, changed, before) =>
      answerOf(api.admin.facets[':id'].$patch({ param: { id }, json: { ...changed, before } })),
  });
  const { label, slug, explanation, chooses, isRequired, hasContentNotes } = edited.values;
  const isReady = edited.isChanged && label.trim() !== '' && slug.trim() !== '';
  return (
    <Pane title={t`Facet`}>
      <Form
        onSubmit={() => {
          if (isReady) void edited.save();
        }}
      >
        <Field
          label={t`Name`}
          value={label}
          maxLength={nameLengths.facet}
          onChange={({ target }) => edited.change({ label: target.value })}
        />
        <Field
          label={t`Address`}
          value={slug}
          maxLength={120}
          onChange={({ target }) => edited.change({ slug: target.value })}
        />
        <TextArea
          label={t`Explanation`}
          isOptional
          rows={3}
          value={explanation}
          maxLength={textLengths.facet}
          onChange={({ target }) => edited.change({ explanation: target.value })}
        />
        <ChoiceField
          label={t`An audio has`}
          none={null}
          value={chooses}
          options={[
            { value: 'one', label: t`One of its tags` },
            { value: 'many', label: t`Several of its tags` },
          ]}
          onChoose={(value) => edited.change({ chooses: value as FacetChoice })}
        />
        <div>
          <SwitchRow
            label={t`Required`}
            text={t`Creators choose one before they publish. What is public stays so.`}
            isOn={isRequired}
            onChange={(isOn) => edited.change({ isRequired: isOn })}
          />
          <SwitchRow
            label={t`Content notes`}
            text={t`Its tags say what listeners may not want to hear. One facet has them.`}
            isOn={hasContentNotes}
            onChange={(isOn) => edited.change({ hasContentNotes: isOn })}
          />
        </div>
        <ConflictNotice edited={edited} />
        {edited.error !== undefined && <Note tone="error">{edited.error}</Note>}
        <EditedButtons edited={edited} isReady={isReady} verb={t`Save facet`} />
      </Form>
    </Pane>
  );
}
