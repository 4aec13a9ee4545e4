import { useState } from 'react';

/** Open state that resets permanently when the key (the page’s) changes: coming back does not reopen. */
export function useClosedByKey(key: string | undefined): [open: boolean, setOpen: (open: boolean) => void] {
  const [opened, setOpened] = useState<{ key: string | undefined }>();
  if (opened !== undefined && opened.key !== key) setOpened(undefined);
  return [opened !== undefined && opened.key === key, (open) => setOpened(open ? { key } : undefined)];
}
