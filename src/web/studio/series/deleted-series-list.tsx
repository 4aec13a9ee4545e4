import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { DeletedSeries } from '#domain/studio/series/deleted-series.ts';
import { answerOf, api } from '../../api.ts';
import { formatDate } from '#formats/times.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { endUndo } from '../../workshop/undo-notices.ts';

type DeletedSeriesListProps = {
  /** `deletedAt` in ISO 8601. */
  deleted: (Omit<DeletedSeries, 'deletedAt'> & { deletedAt: string })[];
  canRestore: boolean;
};

/** Series deleted in the last 30 days, with a button to restore each. */
export function DeletedSeriesList({ deleted, canRestore }: DeletedSeriesListProps) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [busy, setBusy] = useState<string>();
  if (deleted.length === 0) return null;

  async function restore({ id, title }: { id: string; title: string }): Promise<void> {
    setBusy(id);
    const answer = await answerOf(api.studio.series[':id'].restore.$post({ param: { id } }));
    if (answer.ok) endUndo([id]);
    await revalidate();
    setBusy(undefined);
    showToast({ text: answer.ok ? t`“${title}” is restored` : answer.message });
  }

  return (
    <section className="mt-10" aria-labelledby="deleted-series">
      <div className="workshop-section__head">
        <h2 id="deleted-series">
          <Trans>Deleted</Trans>
        </h2>
        <p>
          <Trans>Deleted permanently 30 days after their deletion</Trans>
        </p>
      </div>
      <ul className="border-t border-line">
        {deleted.map((series) => (
          <li key={series.id} className="series-row">
            <span className="col-span-2 min-w-0">
              <b>{series.title}</b>
              <small>
                {plural({ count: series.totalAudios }, { one: '# audio', other: '# audios' })}
                <span className="dot">
                  {t({ message: `Deleted on ${{ date: formatDate(series.deletedAt) }}`, context: 'past' })}
                </span>
              </small>
            </span>
            {canRestore && (
              <Button
                size="sm"
                busy={busy === series.id ? t`Restoring…` : undefined}
                aria-label={t`Restore ${{ title: series.title }}`}
                onClick={() => void restore(series)}
              >
                {t`Restore`}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
