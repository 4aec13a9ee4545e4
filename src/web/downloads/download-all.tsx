import { t } from '@lingui/core/macro';
import { useEffect, useEffectEvent } from 'react';
import { loadAll } from '#web/listening/load-list.ts';
import { canDownload } from '#web/listening/tab-downloads.ts';
import { useToast } from '#web/ui/layers/toast.tsx';
import { useAddDownloads } from './use-downloads.ts';

export type DownloadAllProps = {
  name: string;
  /** API path of the whole list. */
  list: string;
};

export function DownloadAll({ name, list }: DownloadAllProps) {
  const add = useAddDownloads();
  const showToast = useToast();
  const start = useEffectEvent(async () => {
    if (!canDownload()) return showToast({ text: t`This browser cannot store downloads.` });
    const all = await loadAll({ path: list, cursor: undefined }).catch(() => undefined);
    if (all === undefined) return showToast({ text: t`The list could not be loaded. Please try again.` });
    add(all, name);
  });
  useEffect(() => {
    const timer = setTimeout(() => void start());
    return () => clearTimeout(timer);
  }, []);
  return null;
}
