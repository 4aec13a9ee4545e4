import { useState } from 'react';

/** Open or not, and shut whenever the key (the page's) is another one than when it was opened. */
export function useClosedByKey(key: string | undefined): [open: boolean, setOpen: (open: boolean) => void] {
  const [opened, setOpened] = useState<{ key: string | undefined }>();
  return [opened !== undefined && opened.key === key, (open) => setOpened(open ? { key } : undefined)];
}
