import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { href, useNavigate } from 'react-router';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { Note } from '../../ui/note.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { undoOf } from '../../workshop/undo-notices.ts';

type DeleteSeriesProps = {
  series: { id: string; title: string; isLinked: boolean };
  voice: { slug: string };
  /** Number of its audios. */
  parts: number;
};

/** Asks for confirmation and lists the consequences; the series can be restored for 30 days. */
export function DeleteSeries({ series, voice, parts }: DeleteSeriesProps) {
  const navigate = useNavigate();
  const showToast = useToast();
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const list = href('/studio/:voice/series', { voice: voice.slug });

  async function restore(): Promise<void> {
    const answer = await answerOf(api.studio.series[':id'].restore.$post({ param: { id: series.id } }));
    if (!answer.ok) return showToast({ text: answer.message });
    await navigate(href('/studio/:voice/series/:id', { voice: voice.slug, id: series.id }));
  }

  async function remove(): Promise<void> {
    setIsBusy(true);
    setFailure(undefined);
    const answer = await answerOf(api.studio.series[':id'].$delete({ param: { id: series.id } }));
    setIsBusy(false);
    if (!answer.ok) return setFailure(answer.message);
    setIsOpen(false);
    await navigate(list);
    showToast({
      text: t`“${{ title: series.title }}” deleted`,
      action: { label: t`Undo`, onPress: () => void restore() },
      ...undoOf([series.id]),
    });
  }

  const consequences = [
    parts > 0 && plural({ count: parts }, { one: 'Its audio is not deleted.', other: 'Its # audios are not deleted.' }),
    series.isLinked && t`Your name links to your page again.`,
    t`You can restore it for 30 days.`,
  ].filter((text) => text !== false);
  return (
    <section className="danger" aria-label={t`Danger zone`}>
      <div className="danger__row">
        <p>
          <b>
            <Trans>Delete this series</Trans>
          </b>
          <small>
            <Trans>Its page is removed. You can restore it for 30 days.</Trans>
          </small>
        </p>
        <Button className="btn--danger" variant="outline" onClick={() => setIsOpen(true)}>
          {t`Delete series`}
        </Button>
      </div>
      <Dialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={t`Delete “${{ title: series.title }}”?`}
        description={consequences.join(' ')}
      >
        <div className="form">
          {failure !== undefined && <Note tone="error">{failure}</Note>}
          <div className="flex flex-wrap gap-2">
            <Button
              className="btn--danger"
              variant="outline"
              busy={isBusy ? t`Deleting…` : undefined}
              onClick={() => void remove()}
            >
              {t`Delete`}
            </Button>
            <Button variant="ghost" onClick={() => setIsOpen(false)}>
              {t`Keep it`}
            </Button>
          </div>
        </div>
      </Dialog>
    </section>
  );
}
