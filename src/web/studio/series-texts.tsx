import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { seriesLimits } from '#domain/catalogue/rules.ts';
import { answerOf, api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Note } from '../ui/note.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { useToast } from '../ui/toast.tsx';

/** Title and description of a series. */
export function SeriesTexts({ series }: { series: { id: string; title: string; description: string } }) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [title, setTitle] = useState(series.title);
  const [description, setDescription] = useState(series.description);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const isChanged = title !== series.title || description !== series.description;
  const isReady = isChanged && title.trim() !== '';

  async function save(): Promise<void> {
    setIsBusy(true);
    setFailure(undefined);
    const json = { title, description };
    const answer = await answerOf(api.studio.series[':id'].$patch({ param: { id: series.id }, json }));
    if (answer.ok) await revalidate();
    setIsBusy(false);
    if (!answer.ok) return setFailure(answer.message);
    showToast({ text: 'Text saved' });
  }

  return (
    <section className="pn" aria-labelledby="series-text">
      <div className="pn__h">
        <h2 id="series-text">Text</h2>
      </div>
      <form
        className="fg"
        aria-labelledby="series-text"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !isBusy) void save();
        }}
      >
        {failure !== undefined && <Note tone="error">{failure}</Note>}
        <Field
          label="Title"
          autoComplete="off"
          maxLength={seriesLimits.title}
          error={title.trim() === '' ? 'Enter a title' : undefined}
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
        <TextArea
          label="Description"
          rows={5}
          maxLength={seriesLimits.description}
          length={description.length}
          value={description}
          onChange={({ target }) => setDescription(target.value)}
        />
        <div>
          <Button type="submit" variant="primary" size="sm" disabled={!isReady} busy={isBusy ? 'Saving…' : undefined}>
            Save text
          </Button>
        </div>
      </form>
    </section>
  );
}
