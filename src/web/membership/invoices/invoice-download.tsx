import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { Invoice } from '#domain/membership/shapes.ts';
import { fileLimitMs } from '#player/timed-fetch.ts';
import { apiFetch } from '../../api.ts';
import { saveFile } from '../../save-file.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/layers/toast.tsx';

type InvoiceDownloadProps = {
  invoice: Pick<Invoice, 'id' | 'number'>;
  /** Content of the download, for a link in a list. */
  label?: string;
  className?: string;
};

/** Fetched with the session's token, which a plain link would not send. */
export function InvoiceDownload({ invoice, label, className }: InvoiceDownloadProps) {
  const showToast = useToast();
  const [isBusy, setIsBusy] = useState(false);

  async function download(): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    const failure = await downloadInvoice(invoice);
    setIsBusy(false);
    if (failure !== undefined) showToast({ text: failure });
  }

  if (label !== undefined) {
    return (
      <button type="button" className={className} aria-label={label} onClick={() => void download()}>
        {isBusy ? t`Downloading…` : t`PDF`}
      </button>
    );
  }
  return (
    <Button variant="outline" size="sm" busy={isBusy ? t`Downloading…` : undefined} onClick={() => void download()}>
      {t`Download PDF`}
    </Button>
  );
}

/** @returns the error message */
async function downloadInvoice({ id, number }: Pick<Invoice, 'id' | 'number'>): Promise<string | undefined> {
  try {
    const answer = await apiFetch(`/v1/api/user/invoices/${id}/pdf`, { limitMs: fileLimitMs });
    if (!answer.ok) return t`The invoice could not be downloaded. Please try again.`;
    saveFile(await answer.blob(), `invoice-${number ?? id}.pdf`);
    return undefined;
  } catch {
    return t`No internet connection`;
  }
}
