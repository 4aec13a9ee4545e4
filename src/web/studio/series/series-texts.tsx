import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { seriesLimits } from '#domain/catalogue/rules.ts';
import { answerOf, api } from '../../api.ts';
import { Field } from '../../ui/fields/field.tsx';
import { Note } from '../../ui/note.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { EditedButtons } from '../../workshop/forms/edited-buttons.tsx';
import { useEdited } from '../../workshop/forms/use-edited.ts';

/** Title and description of a series. */
export function SeriesTexts({ series }: { series: { id: string; title: string; description: string } }) {
  const edited = useEdited({
    key: `series ${series.id}`,
    subject: { type: 'series', id: series.id },
    saved: { title: series.title, description: series.description },
    send: (_values, changed, before) =>
      answerOf(api.studio.series[':id'].$patch({ param: { id: series.id }, json: { ...changed, before } })),
    done: t`Text saved`,
  });
  const { title, description } = edited.values;
  const isReady = edited.isChanged && title.trim() !== '';

  return (
    <section className="pane" aria-labelledby="series-text">
      <div className="pane__head">
        <h2 id="series-text">
          <Trans>Text</Trans>
        </h2>
      </div>
      <form
        className="field-list"
        aria-labelledby="series-text"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void edited.save();
        }}
      >
        {edited.error !== undefined && <Note tone="error">{edited.error}</Note>}
        <Field
          label={t`Title`}
          autoComplete="off"
          maxLength={seriesLimits.title}
          error={title.trim() === '' ? t`Enter a title` : undefined}
          value={title}
          onChange={({ target }) => edited.change({ title: target.value })}
        />
        <TextArea
          label={t`Description`}
          rows={5}
          maxLength={seriesLimits.description}
          length={description.length}
          value={description}
          onChange={({ target }) => edited.change({ description: target.value })}
        />
        <EditedButtons edited={edited} isReady={isReady} verb={t`Save text`} variant="primary" size="sm" />
      </form>
    </section>
  );
}
