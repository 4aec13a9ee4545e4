import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { Note } from '../../ui/note.tsx';
import { addPasskey } from './passkey-calls.ts';
import { useAdminAct } from './step-up.tsx';

type SetUpProps = { onAdded: (recoveryCodes: string[]) => Promise<void>; onCancel: () => void };

/** Asks for a name, then the browser for the passkey. */
export function PasskeySetUp({ onAdded, onCancel }: SetUpProps) {
  const act = useAdminAct();
  const [name, setName] = useState('');
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  async function add(event: React.SubmitEvent): Promise<void> {
    event.preventDefault();
    if (name.trim() === '' || isBusy) return;
    setIsBusy(true);
    setFailure(undefined);
    const closed = { ok: false, code: 'network', message: 'No passkey was added.', status: 0 } as const;
    const answer = await act(async () => (await addPasskey(name.trim()).catch(() => closed)) ?? closed);
    if (answer?.ok) await onAdded(answer.data.recoveryCodes);
    else if (answer !== undefined) setFailure(answer.message);
    setIsBusy(false);
  }

  return (
    <form className="form" noValidate aria-label="Add a passkey" onSubmit={(event) => void add(event)}>
      <Field
        label="Name"
        hint="To tell it from others, such as “Laptop” or “Blue key”"
        maxLength={60}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      {failure !== undefined && <Note tone="error">{failure}</Note>}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" disabled={name.trim() === ''} busy={isBusy ? 'Waiting…' : undefined}>
          Continue
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
