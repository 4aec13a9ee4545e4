import { t } from '@lingui/core/macro';
import { type ReactNode, useState } from 'react';
import { saveFile } from '#web/save-file.ts';
import { useToast } from '#web/ui/layers/toast.tsx';

type DownloadButtonProps = {
  /** The saved file has it. */
  name: string;
  load: () => Promise<{ ok: boolean; blob(): Promise<Blob> }>;
  className: string;
  label?: string | undefined;
  children: ReactNode;
};

/** Fetches a file with the session’s token, which a plain link would not send. */
export function DownloadButton({ name, load, className, label, children }: DownloadButtonProps) {
  const showToast = useToast();
  const [isBusy, setIsBusy] = useState(false);

  async function download(): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    const file = await load()
      .then((answer) => (answer.ok ? answer.blob() : undefined))
      .catch(() => undefined);
    setIsBusy(false);
    if (file === undefined) showToast({ text: t`The file could not be downloaded. Please try again.` });
    else saveFile(file, name);
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
