import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useLoaded } from '#web/ui/use-loaded.ts';
import type { DownloadAllProps } from './download-all.tsx';

const loadDownloadAll = () => import('./download-all.tsx');

/** Loads the code that stores audios when it is pressed. */
export function DownloadAllButton(props: DownloadAllProps) {
  const [presses, setPresses] = useState(0);
  const part = useLoaded(loadDownloadAll, presses > 0);
  return (
    <>
      <IconButton icon={Download} label="Download all" onClick={() => setPresses(presses + 1)} />
      {part && <part.DownloadAll key={presses} {...props} />}
    </>
  );
}
