import { useEffect, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Answer } from '#web/api.ts';
import { useToast } from '#web/ui/toast.tsx';

/** Unsaved edits by subject, so that visiting another page loses nothing. Kept until the tab closes. */
const unsaved = new Map<string, object>();

type EditedOptions<Values extends object> = {
  /** Revision of the subject. */
  key: string;
  /** Stored value. */
  saved: Values;
  /** @param changed only fields that differ from `saved` */
  send: (values: Values, changed: Partial<Values>) => Promise<Answer<unknown>>;
};

/**
 * Fields that one button saves together. After a conflict both versions are kept: the typed one here, the other one in
 * the page's data.
 */
export function useEdited<Values extends object>({ key, saved, send }: EditedOptions<Values>) {
  const showToast = useToast();
  const { revalidate } = useRevalidator();
  const [draft, setDraft] = useState<Partial<Values>>(() => (unsaved.get(key) as Partial<Values> | undefined) ?? {});
  const [isBusy, setIsBusy] = useState(false);
  const [isConflict, setIsConflict] = useState(false);
  const [error, setError] = useState<string>();
  const values: Values = { ...saved, ...draft };
  const changed = Object.fromEntries(
    Object.entries(draft).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(saved[name as keyof Values]),
    ),
  ) as Partial<Values>;
  const isChanged = Object.keys(changed).length > 0;

  function set(next: Partial<Values>): void {
    setDraft(next);
    if (Object.keys(next).length === 0) unsaved.delete(key);
    else unsaved.set(key, next);
  }

  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isChanged]);

  function reset(): void {
    set({});
    setIsConflict(false);
    setError(undefined);
  }

  /** @returns whether everything is saved */
  async function save(): Promise<boolean> {
    if (isBusy) return false;
    if (!isChanged) return true;
    setIsBusy(true);
    setError(undefined);
    const answer = await send(values, changed);
    const isMeanwhile = !answer.ok && answer.code.endsWith('/changed-meanwhile');
    if (answer.ok || isMeanwhile) await revalidate();
    setIsBusy(false);
    setIsConflict(isMeanwhile);
    if (answer.ok) {
      // Text that was typed during the save stays.
      setDraft((now) => {
        const left = Object.entries(now).filter(([name, value]) => value !== values[name as keyof Values]);
        const next = Object.fromEntries(left) as Partial<Values>;
        if (left.length === 0) unsaved.delete(key);
        else unsaved.set(key, next);
        return next;
      });
      showToast({ text: 'Saved' });
    } else if (!isMeanwhile) setError(answer.message);
    return answer.ok;
  }

  return {
    values,
    isChanged,
    isBusy,
    isConflict,
    error,
    change: (part: Partial<Values>) => set({ ...draft, ...part }),
    save,
    reset,
  };
}
