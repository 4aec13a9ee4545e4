import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Check from 'lucide-react/icons/check';
import { useId, useState } from 'react';
import { type ReportReason, reportDetailsLength, reportReasons } from '#domain/community/rules.ts';
import { answerOf, api } from '../api.ts';
import { formatCount } from '#formats/numbers.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { Note } from '../ui/note.tsx';
import '../ui/fields/text-area.css';

const reasonLabels: Record<ReportReason, () => string> = {
  unkind: () => t`It is unkind`,
  hate: () => t`It is hateful`,
  threat: () => t`It threatens someone`,
  'private-information': () => t`It shares private information`,
  spam: () => t`It is advertising, or has links`,
  other: () => t`Something else`,
};

type ReportFormProps = { commentId: string; onDone: () => void; onCancel: () => void };

export function ReportForm({ commentId, onDone, onCancel }: ReportFormProps) {
  const id = useId();
  const [reason, setReason] = useState<ReportReason>();
  const [details, setDetails] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const length = [...details.trim()].length;
  const isReady = reason !== undefined && length <= reportDetailsLength;

  async function send(): Promise<void> {
    if (!isReady || isBusy) return;
    setIsBusy(true);
    setFailure(undefined);
    const json = { reason, ...(length > 0 && { details }) };
    const answer = await answerOf(api.comments[':id'].report.$post({ param: { id: commentId }, json }));
    setIsBusy(false);
    if (answer.ok) onDone();
    else setFailure(answer.code === 'request/not-found' ? t`This comment was already deleted.` : answer.message);
  }

  return (
    <form
      className="form"
      aria-label={t`Report this comment`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {failure !== undefined && <Note tone="error">{failure}</Note>}
      <fieldset className="grid gap-2">
        <legend className="mb-3 p-0 text-13 font-semibold text-soft">
          <Trans>What is wrong with it?</Trans>
        </legend>
        {reportReasons.map((name) => (
          <label key={name} className="check-box min-h-9">
            <input
              type="radio"
              className="sr-only"
              name="reason"
              checked={name === reason}
              onChange={() => setReason(name)}
            />
            <i className="rounded-full">
              <Icon of={Check} size={16} />
            </i>
            <span>{reasonLabels[name]()}</span>
          </label>
        ))}
      </fieldset>
      <div className="field">
        <label htmlFor={id}>
          <Trans>More about it (optional)</Trans>
        </label>
        <div className="input input--area">
          <textarea id={id} rows={2} value={details} onChange={(event) => setDetails(event.target.value)} />
        </div>
        <p className="hint tabular-nums mt-2 text-end">
          <bdi dir="ltr">
            {formatCount(length)} / {formatCount(reportDetailsLength)}
          </bdi>
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" disabled={!isReady} busy={isBusy ? t`Sending…` : undefined}>
          {t({ message: 'Report', context: 'verb' })}
        </Button>
        <Button variant="ghost" disabled={isBusy} onClick={onCancel}>
          {t`Cancel`}
        </Button>
      </div>
    </form>
  );
}
