import { t } from '@lingui/core/macro';
import { useToast } from '#web/ui/layers/toast.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/fields/field.tsx';

type CopiedFieldProps = {
  label: string;
  text: string;
  /** Label of the button. */
  act: string;
  /** Shown once it is copied. */
  done: string;
};

/** A text to take along: also selected by hand, where the browser refuses to copy it. */
export function CopiedField({ label, text, act, done }: CopiedFieldProps) {
  const showToast = useToast();

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      showToast({ kind: 'copy', text: done });
    } catch {
      showToast({ kind: 'copy', text: t`This could not be copied. Select it, and copy it by hand.` });
    }
  }
  return (
    <>
      <Field label={label} readOnly value={text} dir="ltr" onFocus={({ target }) => target.select()} />
      <Button variant="primary" width="full" onClick={() => void copy()}>
        {act}
      </Button>
    </>
  );
}
