import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { href, Link } from 'react-router';
import type { NoticeState } from '#domain/notices/state.ts';
import { kindText } from '#domain/notices/wording-rules.ts';
import { formatWeekday, formatDateTime } from '#formats/moments.ts';
import { formatDate, formatDay } from '#formats/times.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { useToast } from '../ui/layers/toast.tsx';

type NoticeReceiptProps = { state: NoticeState; token: string; link: string };

export function NoticeReceipt({ state, token, link }: NoticeReceiptProps) {
  const showToast = useToast();
  const copy = () =>
    navigator.clipboard.writeText(link).then(
      () => showToast({ kind: 'copy', text: t`Link copied` }),
      () => showToast({ kind: 'copy', text: t`The link could not be copied` }),
    );
  const { number, subject, dueDay, receivedAt, kind, email } = state;
  const day = dueDay === null ? '' : `${formatWeekday(dueDay, 'UTC')}, ${formatDay(dueDay)}`;
  return (
    <section className="report-receipt">
      <span>
        <Icon of={Check} size={24} />
      </span>
      <h1 className="text-44" tabIndex={-1}>
        <Trans>We received your report</Trans>
      </h1>
      <p className="text-muted">
        {email === null
          ? t`A person decides by ${day}.`
          : t`A person decides by ${day}. The receipt is also in your email.`}
      </p>
      <div className="report__panel">
        <dl className="fact-list text-14">
          <dt>
            <Trans>Number</Trans>
          </dt>
          <dd className="font-semibold">{number}</dd>
          <dt>
            <Trans>About</Trans>
          </dt>
          <dd>{subject.by === null ? subject.name : `${subject.name}, ${subject.by}`}</dd>
          <dt>
            <Trans>Kind</Trans>
          </dt>
          <dd>{kindText(kind)}</dd>
          <dt>{t({ message: 'Received', context: 'report' })}</dt>
          <dd>{formatDateTime(receivedAt, 'UTC')}</dd>
          <dt>
            <Trans>Decision by</Trans>
          </dt>
          <dd>{dueDay !== null && t`${{ day: formatDate(dueDay) }}, seven working days`}</dd>
        </dl>
      </div>
      <div className="report__panel">
        <div className="field">
          <label htmlFor="report-link">
            <Trans>Your private page</Trans>
          </label>
          <div className="input">
            <input id="report-link" className="input__field" readOnly value={link} />
            <IconButton label={t`Copy the link`} icon={Copy} onClick={() => void copy()} />
          </div>
          <p className="hint">
            <Trans>Anyone with this link can read your report and appeal. Keep it to yourself.</Trans>
          </p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" render={<Link to={`/report/${token}`} />}>
          <Trans>Open your page</Trans>
        </Button>
        <Button variant="ghost" render={<Link to={href('/report')} />}>
          <Trans>Report something else</Trans>
        </Button>
      </div>
    </section>
  );
}
