import { t } from '@lingui/core/macro';
import { type ReactNode, useState } from 'react';
import { api } from '#web/api.ts';
import { saveFile } from '#web/save-file.ts';
import { useToast } from '#web/ui/layers/toast.tsx';

type ReportDownloadProps = {
  /** A month such as `2026-10`, or a year. */
  period: string;
  format: 'csv' | 'pdf';
  className: string;
  label?: string;
  children: ReactNode;
};

/** Fetched with the session’s token, which a plain link would not send. */
export function ReportDownload({ period, format, className, label, children }: ReportDownloadProps) {
  const showToast = useToast();
  const [isBusy, setIsBusy] = useState(false);

  async function download(): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    const file = await api.admin['notice-reports'][':period']
      .$get({ param: { period }, query: { format } })
      .then((answer) => (answer.ok ? answer.blob() : undefined))
      .catch(() => undefined);
    setIsBusy(false);
    if (file === undefined) showToast({ text: t`The report could not be downloaded. Please try again.` });
    else saveFile(file, `notices-${period}.${format}`);
  }

  return (
    <button
      type="button"
      className={className}
      aria-label={label}
      aria-busy={isBusy || undefined}
      onClick={() => void download()}
    >
      {children}
    </button>
  );
}
