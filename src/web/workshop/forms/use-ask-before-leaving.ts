import { t } from '@lingui/core/macro';
import { useEffect, useId } from 'react';
import { logOutEvent } from '../../logged-out.ts';

/** Subjects with unsaved changes, also those of pages that were left: their text stays in this tab. */
const unsaved = new Set<string>();

/** While anything is unsaved, the browser asks before the tab closes or loads anew, and the site before a log-out. */
export function noteUnsaved(key: string, isUnsaved: boolean): void {
  if (isUnsaved) unsaved.add(key);
  else unsaved.delete(key);
  // Adding a listener twice has no effect.
  const listen = unsaved.size > 0 ? addEventListener : removeEventListener;
  listen('beforeunload', refuse);
  listen(logOutEvent, askBeforeLogOut);
}

function refuse(event: Event): void {
  event.preventDefault();
}

function askBeforeLogOut(event: Event): void {
  // oxlint-disable-next-line no-alert -- as the browser asks before the tab closes
  if (!confirm(t`You have changes that are not saved. Log out anyway?`)) return event.preventDefault();
  for (const key of unsaved) noteUnsaved(key, false);
}

/** Asks while this component is shown. */
export function useAskBeforeLeaving(isChanged: boolean): void {
  const key = useId();
  useEffect(() => {
    noteUnsaved(key, isChanged);
    return () => noteUnsaved(key, false);
  }, [key, isChanged]);
}
