import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import type { PeriodPreview } from '#domain/membership/shapes.ts';
import type { Period } from '#domain/membership/rules.ts';
import { answerOf, api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/layers/dialog.tsx';
import { Note } from '../ui/note.tsx';
import type { Plain } from './plain.ts';
import { useChange } from './use-change.ts';
import { formatMoney } from '#formats/numbers.ts';
import { changeLine, keepLabel, switchLabel } from './wording.ts';

type PeriodDialogProps = { open: boolean; onClose: () => void; from: Period; to: Period };

/** States cost and date of the change before it is made. */
export function PeriodDialog({ open, onClose, from, to }: PeriodDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={to === 'year' ? t`Switch to annual?` : t`Switch to monthly?`}
      description={
        to === 'year'
          ? t`Paying for a year costs less than twelve months.`
          : t`You pay each month and can cancel at any time.`
      }
    >
      <Choice onClose={onClose} from={from} to={to} />
    </Dialog>
  );
}

type Asked = { ok: true; preview: Plain<PeriodPreview> } | { ok: false; message: string };

function Choice({ onClose, from, to }: Omit<PeriodDialogProps, 'open'>) {
  const { isBusy, failure, run } = useChange();
  const [asked, setAsked] = useState<Asked>();

  useEffect(() => {
    let isCurrent = true;
    void answerOf(api.user.subscription.period.preview.$post({ json: { period: to } })).then((answer) => {
      if (isCurrent) setAsked(answer.ok ? { ok: true, preview: answer.data } : { ok: false, message: answer.message });
    });
    return () => {
      isCurrent = false;
    };
  }, [to]);

  async function change(): Promise<void> {
    const call = () => answerOf(api.user.subscription.period.$put({ json: { period: to } }));
    const done =
      asked?.ok && asked.preview.when === 'period-end'
        ? t`The change is scheduled`
        : to === 'year'
          ? t`Your plan is annual now`
          : t`Your plan is monthly now`;
    if (await run(call, done)) onClose();
  }

  return (
    <div className="form">
      {failure !== undefined && <Note tone="error">{failure}</Note>}
      {asked?.ok === false && <Note tone="error">{asked.message}</Note>}
      {asked?.ok !== false && (
        <output className="grid gap-1 rounded-cover bg-overlay px-3.5 py-3 text-14 leading-[1.45] text-soft">
          <span className="flex justify-between gap-4 font-semibold text-text">
            <Trans>Due today</Trans>
            <b className="tabular-nums">{asked ? formatMoney(asked.preview.dueToday, asked.preview.currency) : '…'}</b>
          </span>
          {asked?.ok && <span>{changeLine(asked.preview, to)}</span>}
        </output>
      )}
      <Button
        variant="primary"
        size="lg"
        width="full"
        disabled={asked?.ok !== true}
        busy={isBusy ? t`Switching…` : undefined}
        onClick={() => void change()}
      >
        {switchLabel(to)}
      </Button>
      <Button className="bg-overlay" size="lg" width="full" onClick={onClose}>
        {keepLabel(from)}
      </Button>
    </div>
  );
}
