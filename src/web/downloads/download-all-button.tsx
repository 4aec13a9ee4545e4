import { t } from '@lingui/core/macro';
import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useLateLayer } from '#web/ui/layers/use-late-layer.ts';
import type { DownloadAllProps } from './download-all.tsx';

const loadDownloadAll = () => import('./download-all.tsx');

/** Loads the code that stores audios when it is pressed. */
export function DownloadAllButton(props: DownloadAllProps) {
  const [presses, setPresses] = useState(0);
  const part = useLateLayer(loadDownloadAll, presses > 0, () => setPresses(0));
  return (
    <>
      <IconButton icon={Download} label={t`Download all`} onClick={() => setPresses(presses + 1)} />
      {part && <part.DownloadAll key={presses} {...props} />}
    </>
  );
}
