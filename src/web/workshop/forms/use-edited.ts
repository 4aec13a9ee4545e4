import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { useRevalidator } from 'react-router';
import { type Answer, type Change, answerOf, api } from '../../api.ts';
import { useToast } from '#web/ui/layers/toast.tsx';
import { noteUnsaved } from './use-ask-before-leaving.ts';

/** Typed values, and the stored ones that each of them replaces: another stored value by now is a conflict. */
type Draft<Values extends object> = { typed: Partial<Values>; seen: Partial<Values> };

/** Unsaved edits by subject, so that visiting another page loses nothing. Kept until the tab closes. */
const unsaved = new Map<string, Draft<object>>();

type Subject = {
  type: 'voice' | 'series' | 'article' | 'playlist' | 'category' | 'facet' | 'tag' | 'text' | 'settings';
  id: string;
};

type EditedOptions<Values extends object> = {
  /** Names the form. */
  key: string;
  /** As the log names it. */
  subject: Subject;
  /** Stored value. */
  saved: Values;
  /**
   * @param changed only fields that differ from `saved`
   * @param before the stored values that these replace
   */
  send: (values: Values, changed: Partial<Values>, before: Partial<Values>) => Promise<Answer<unknown>>;
  /** Shown after saving. */
  done?: string;
};

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether somebody else changed the subject of an edit since its author saw it. */
export function isChangedMeanwhile({ code }: { code: string }): boolean {
  return /\/changed(-meanwhile)?$/.test(code);
}

/**
 * The last change, when the page's data was loaded again after it and no refused call said who made it.
 * @param version of the stored values; undefined: not needed
 */
function useLastChange({ type, id }: Subject, version: string | undefined): Change | undefined {
  const [found, setFound] = useState<{ version: string; change: Change }>();
  useEffect(() => {
    if (version === undefined) return undefined;
    let isCurrent = true;
    async function load(asked: string): Promise<void> {
      const answer = await answerOf(api.studio['last-change'].$get({ query: { type, id } }));
      if (isCurrent && answer.ok) setFound({ version: asked, change: answer.data });
    }
    void load(version);
    return () => {
      isCurrent = false;
    };
  }, [type, id, version]);
  return found?.version === version ? found?.change : undefined;
}

/**
 * Fields that one button saves together. After a conflict both versions are kept: the typed one here, the other one in
 * the page's data.
 */
export function useEdited<Values extends object>(options: EditedOptions<Values>) {
  const { key, subject, saved, send, done = t`Saved` } = options;
  const showToast = useToast();
  const { revalidate } = useRevalidator();
  const [draft, setDraft] = useState<Draft<Values>>(
    () => (unsaved.get(key) as Draft<Values> | undefined) ?? { typed: {}, seen: {} },
  );
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState<{ change: Change | undefined }>();
  const [error, setError] = useState<{ code: string; message: string }>();
  const values: Values = { ...saved, ...draft.typed };
  const names = (Object.keys(draft.typed) as (keyof Values)[]).filter((name) => !isSame(values[name], saved[name]));
  const pick = (from: Values) => Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<Values>;
  const isChanged = names.length > 0;
  const isConflict =
    isChanged && (refusal !== undefined || names.some((name) => !isSame(draft.seen[name], saved[name])));
  const found = useLastChange(subject, isConflict && refusal === undefined ? JSON.stringify(pick(saved)) : undefined);

  function keep(next: Draft<Values>): Draft<Values> {
    if (Object.keys(next.typed).length === 0) unsaved.delete(key);
    else unsaved.set(key, next);
    return next;
  }

  // Also asked on other pages, which the text outlives.
  useEffect(() => noteUnsaved(key, isChanged), [key, isChanged]);

  function change(part: Partial<Values>): void {
    const typed = { ...draft.typed, ...part };
    const seen = { ...draft.seen };
    for (const name of Object.keys(part) as (keyof Values)[])
      if (isSame(typed[name], saved[name])) {
        delete typed[name];
        delete seen[name];
      } else if (!(name in seen)) seen[name] = saved[name];
    setDraft(keep({ typed, seen }));
    setError(undefined);
  }

  function reset(): void {
    setDraft(keep({ typed: {}, seen: {} }));
    setRefusal(undefined);
    setError(undefined);
  }

  /** Drops what was typed into one field for what is stored. */
  function takeTheirs(name: keyof Values): void {
    const { [name]: _typed, ...typed } = draft.typed;
    const { [name]: _seen, ...seen } = draft.seen;
    setDraft(keep({ typed, seen } as Draft<Values>));
    if (Object.keys(typed).length === 0) setRefusal(undefined);
  }

  /** Replaces what others stored meanwhile, once the conflict was shown. @returns whether everything is saved */
  async function save(): Promise<boolean> {
    if (isBusy) return false;
    if (!isChanged) return true;
    setIsBusy(true);
    setError(undefined);
    const answer = await send(values, pick(values), pick(saved));
    const isMeanwhile = !answer.ok && isChangedMeanwhile(answer);
    if (answer.ok || isMeanwhile) await revalidate();
    setIsBusy(false);
    setRefusal(isMeanwhile ? { change: answer.change } : undefined);
    if (answer.ok) {
      // Text that was typed during the save stays.
      setDraft(({ typed }) => {
        const left = Object.entries(typed).filter(([name, value]) => value !== values[name as keyof Values]);
        const seen = left.map(([name]) => [name, values[name as keyof Values]]);
        return keep({ typed: Object.fromEntries(left), seen: Object.fromEntries(seen) } as Draft<Values>);
      });
      showToast({ text: done });
    } else if (!isMeanwhile && answer.message !== '') setError(answer);
    return answer.ok;
  }

  return {
    values,
    isChanged,
    isBusy,
    isConflict,
    /** The last change by somebody else, if known, and both versions of each field that differs. */
    conflict: isConflict
      ? {
          change: refusal?.change ?? found,
          fields: names.map((name) => ({
            name: String(name),
            mine: values[name] as unknown,
            theirs: saved[name] as unknown,
          })),
        }
      : undefined,
    takeTheirs: (name: string) => takeTheirs(name as keyof Values),
    error: error?.message,
    errorCode: error?.code,
    change,
    save,
    reset,
  };
}
