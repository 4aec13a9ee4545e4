import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { Note } from '../../ui/note.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import type { Leave } from './account-forms.tsx';

/** Loaded late: it includes the validation library. */
const loadForms = () => import('./account-forms.tsx');
type Forms = Awaited<ReturnType<typeof loadForms>>;

type AccountRowProps = {
  label: string;
  value: ReactNode;
  action: 'Edit' | 'Change';
  children: (forms: Forms, leave: Leave) => ReactNode;
};

/** One line of the profile, edited in place. The focus moves into the form, and back to the button on closing. */
export function AccountRow({ label, value, action, children }: AccountRowProps) {
  const [forms, setForms] = useState<Forms>();
  const [note, setNote] = useState<string>();
  const row = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(false);
  const showToast = useToast();
  const isOpen = forms !== undefined;

  // Preloaded before the press; if that fails, the press retries.
  useEffect(() => void loadForms().catch(() => undefined), []);
  useEffect(() => {
    if (isOpen) row.current?.querySelector<HTMLElement>('input:not([readonly])')?.focus();
    else if (wasOpen.current) row.current?.querySelector('button')?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);

  async function open(): Promise<void> {
    const loaded = await loadForms().catch(() => undefined);
    if (loaded === undefined) return showToast({ text: 'No internet connection' });
    setNote(undefined);
    setForms(loaded);
  }

  const leave: Leave = (left) => {
    setForms(undefined);
    setNote(left !== undefined && 'note' in left ? left.note : undefined);
    if (left !== undefined && 'toast' in left) showToast({ text: left.toast });
  };

  if (forms !== undefined) {
    return (
      <div ref={row} className="details__row" data-open>
        <dt>{label}</dt>
        <dd>{children(forms, leave)}</dd>
      </div>
    );
  }
  return (
    <div ref={row} className="details__row">
      <dt>{label}</dt>
      <dd>{value}</dd>
      <dd>
        <button
          type="button"
          className="link"
          aria-label={`${action} ${label.toLowerCase()}`}
          onClick={() => void open()}
        >
          {action}
        </button>
      </dd>
      {note !== undefined && (
        <dd className="details__note">
          <Note tone="success">{note}</Note>
        </dd>
      )}
    </div>
  );
}

/** A read-only line. */
export function AccountFact({ label, value, children }: { label: string; value: ReactNode; children?: ReactNode }) {
  return (
    <div className="details__row">
      <dt>{label}</dt>
      <dd>{value}</dd>
      {children !== undefined && <dd>{children}</dd>}
    </div>
  );
}
