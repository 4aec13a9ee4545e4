import { useState } from 'react';
import { useAskBeforeLeaving } from './use-ask-before-leaving.ts';

/** A typed value, and the revision of the stored one that it replaces; undefined: the current one. */
type Draft<Value> = { value: Value; revision: number | undefined };

/** Unsaved values by subject, so that visiting another page loses nothing. Kept until the tab closes. */
const kept = new Map<string, Draft<unknown>>();

/** A value that is saved as a whole, with a revision. What others saved meanwhile is a conflict when it is sent. */
export function useKeptDraft<Value>(key: string, saved: Value, revision: number) {
  const [draft, setDraft] = useState(() => kept.get(key) as Draft<Value> | undefined);
  const isChanged = draft !== undefined && JSON.stringify(draft.value) !== JSON.stringify(saved);
  useAskBeforeLeaving(isChanged);

  function keep(next: Draft<Value> | undefined): Draft<Value> | undefined {
    if (next === undefined) kept.delete(key);
    else kept.set(key, next);
    return next;
  }

  return {
    value: isChanged ? draft.value : saved,
    revision: (isChanged ? draft.revision : undefined) ?? revision,
    isChanged,
    change: (value: Value) => setDraft(keep({ value, revision: isChanged ? draft.revision : revision })),
    reset: () => setDraft(keep(undefined)),
    /** After this value was saved: what was typed since stays, and replaces it. */
    settle: (value: Value) =>
      setDraft((last) =>
        keep(last === undefined || last.value === value ? undefined : { value: last.value, revision: undefined }),
      ),
  };
}
