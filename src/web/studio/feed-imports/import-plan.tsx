import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { FeedImport } from '#domain/studio/feed-imports/import-state.ts';
import { formatBytes } from '#formats/bytes.ts';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { Note } from '../../ui/note.tsx';
import { ChoiceField } from '../../workshop/forms/choice-field.tsx';
import { RadioOption } from '../../workshop/forms/radio-option.tsx';
import { Fact, Facts } from '../../workshop/facts.tsx';
import { Form } from '../../workshop/form.tsx';
import { Pane } from '../../workshop/pane.tsx';

type ImportPlanProps = {
  found: FeedImport;
  categories: { id: string; label: string }[];
  leftOut: ReadonlySet<number>;
};

/** Choices for all audios, and the beginning. */
export function ImportPlan({ found, categories, leftOut }: ImportPlanProps) {
  const { revalidate } = useRevalidator();
  const [choices, setChoices] = useState(found.choices);
  const [fault, setFault] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const coming = found.counts.new - leftOut.size;

  async function run(): Promise<void> {
    setIsBusy(true);
    const answer = await answerOf(
      api.studio['feed-imports'][':id'].run.$post({
        param: { id: found.id },
        json: { ...choices, leftOut: [...leftOut] },
      }),
    );
    setFault(answer.ok ? undefined : answer.message);
    await revalidate();
    setIsBusy(false);
  }

  return (
    <Pane title={t`For all of them`}>
      {fault !== undefined && (
        <Note tone="error" className="mb-4">
          {fault}
        </Note>
      )}
      <Form onSubmit={() => void run()}>
        {found.archive === null && (
          <>
            <ChoiceField
              label={t`Who may hear them`}
              isDense
              value={choices.isFree ? 'free' : 'subscribers'}
              none={null}
              options={[
                { value: 'subscribers', label: t`Subscribers` },
                { value: 'free', label: t`Everyone` },
              ]}
              onChoose={(value) => setChoices({ ...choices, isFree: value === 'free' })}
            />
            <ChoiceField
              label={t`Category`}
              isDense
              value={choices.categoryId ?? ''}
              none={t({ message: 'None', context: 'category' })}
              options={categories.map(({ id, label }) => ({ value: id, label }))}
              onChoose={(value) => setChoices({ ...choices, categoryId: value || undefined })}
            />
          </>
        )}
        <fieldset>
          <legend className="mb-2 p-0 text-13 font-semibold text-soft">{t`Publish`}</legend>
          <RadioOption
            name="publishes"
            label={t`With their dates`}
            note={t`Online at once, unless a review, a tag or a consent is missing.`}
            checked={choices.publishes}
            onChoose={() => setChoices({ ...choices, publishes: true })}
          />
          <RadioOption
            name="publishes"
            label={t`As drafts`}
            checked={!choices.publishes}
            onChoose={() => setChoices({ ...choices, publishes: false })}
          />
        </fieldset>
        <CheckBox
          checked={choices.keepsGuids}
          onChange={({ target }) => setChoices({ ...choices, keepsGuids: target.checked })}
        >
          {t`Keep GUIDs, so that podcast apps know the episodes`}
        </CheckBox>
        {found.counts.seasons > 1 && (
          <CheckBox
            checked={choices.seasonsAsSeries ?? false}
            onChange={({ target }) => setChoices({ ...choices, seasonsAsSeries: target.checked })}
          >
            {plural(
              { seasons: found.counts.seasons },
              { one: 'Make a series of # season', other: 'Make a series of each of the # seasons' },
            )}
          </CheckBox>
        )}
        {found.counts.notExplicit > 0 && (
          <p className="hint">
            {plural(
              { count: found.counts.notExplicit },
              {
                one: '# episode is not marked as explicit. Here all audios are for adults, and our feeds say so.',
                other: '# episodes are not marked as explicit. Here all audios are for adults, and our feeds say so.',
              },
            )}
          </p>
        )}
        {found.archive !== null && (
          <p className="hint">
            <Trans>
              Texts, access, tags and series come as they were, and categories that this site has, too. Your creator
              page is filled if it is empty. Figures and comments of the former site stay with you, and are in your next
              archive.
            </Trans>
          </p>
        )}
        {found.bytes.all > 0 && (
          <Facts>
            <Fact name={t`Sound`}>{formatBytes(found.bytes.all)}</Fact>
          </Facts>
        )}
        <Button
          type="submit"
          variant="primary"
          disabled={coming === 0}
          busy={isBusy ? t`Starting the import…` : undefined}
        >
          {plural({ count: coming }, { one: 'Import # audio', other: 'Import # audios' })}
        </Button>
      </Form>
      <p className="hint mt-3">
        <Trans>You import what you may publish: your own recordings, or those whose rights you have.</Trans>
      </p>
    </Pane>
  );
}
