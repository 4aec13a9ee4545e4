import { useState } from 'react';

/** Open or not, and shut for good as soon as the key (the page's) is another one: coming back does not open it again. */
export function useClosedByKey(key: string | undefined): [open: boolean, setOpen: (open: boolean) => void] {
  const [opened, setOpened] = useState<{ key: string | undefined }>();
  if (opened !== undefined && opened.key !== key) setOpened(undefined);
  return [opened !== undefined && opened.key === key, (open) => setOpened(open ? { key } : undefined)];
}
