import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { fileLimitMs } from '#player/timed-fetch.ts';
import { apiFetch } from '../../api.ts';
import { saveFile } from '../../save-file.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { useHydrated } from '../../ui/use-client-value.ts';

/** Fetched with the session's token, which a plain link would not send. @param props.search query of the page */
export function FiguresDownload({ voice, search, label }: { voice: string; search: string; label: string }) {
  const showToast = useToast();
  const [isBusy, setIsBusy] = useState(false);
  const isHydrated = useHydrated();

  async function download(): Promise<void> {
    setIsBusy(true);
    const failure = await downloadFigures(voice, search);
    setIsBusy(false);
    if (failure !== undefined) showToast({ text: failure });
  }

  if (!isHydrated) return null;
  return (
    <Button aria-label={label} busy={isBusy ? t`Downloading…` : undefined} onClick={() => void download()}>
      <Icon of={Download} size={16} />
      <Trans>CSV</Trans>
    </Button>
  );
}

/** @returns the error message */
async function downloadFigures(voice: string, search: string): Promise<string | undefined> {
  try {
    const answer = await apiFetch(`/v1/api/voices/${voice}/figures.csv${search}`, { limitMs: fileLimitMs });
    if (!answer.ok) return t`The figures could not be downloaded. Try again in a minute.`;
    const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
    saveFile(await answer.blob(), name ?? 'figures.csv');
    return undefined;
  } catch {
    return t`No internet connection`;
  }
}
