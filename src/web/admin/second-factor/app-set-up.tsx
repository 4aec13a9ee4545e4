import Copy from 'lucide-react/icons/copy';
import { useEffect, useRef, useState } from 'react';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { Note } from '../../ui/note.tsx';
import { QrCode } from '../../ui/images/qr-code.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { useAdminAct } from './step-up.tsx';

type SetUpProps = { onAdded: (recoveryCodes: string[]) => Promise<void>; onCancel: () => void };

/** Shows the secret for an authenticator app, and asks for its first code. */
export function AppSetUp({ onAdded, onCancel }: SetUpProps) {
  const act = useAdminAct();
  const showToast = useToast();
  const [app, setApp] = useState<{ key: string; uri: string }>();
  const [code, setCode] = useState('');
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const hasStarted = useRef(false);

  // Once, because each start creates a new secret.
  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    void act(() => answerOf(api.admin['second-factor'].app.$post())).then((answer) => {
      if (answer === undefined) onCancel();
      else if (answer.ok) setApp(answer.data);
      else setFailure(answer.message);
    });
  }, [act, onCancel]);

  async function confirm(event: React.SubmitEvent): Promise<void> {
    event.preventDefault();
    if (code.trim() === '' || isBusy) return;
    setIsBusy(true);
    setFailure(undefined);
    const answer = await act(() => answerOf(api.admin['second-factor'].app.$put({ json: { code } })));
    if (answer?.ok) await onAdded(answer.data.recoveryCodes);
    else if (answer !== undefined) setFailure(answer.message);
    setIsBusy(false);
  }

  async function copy(key: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(key);
      showToast({ kind: 'copy', text: 'Key copied' });
    } catch {
      showToast({ kind: 'copy', text: 'The key could not be copied' });
    }
  }

  return (
    <form
      className="form"
      noValidate
      aria-label="Set up an authenticator app"
      onSubmit={(event) => void confirm(event)}
    >
      {app && (
        <>
          <p>Scan this with an app such as 1Password, Aegis or Google Authenticator.</p>
          {/* Nobody can scan the screen of the phone that they hold. */}
          <Button
            className="hidden pointer-coarse:inline-flex"
            variant="outline"
            width="full"
            render={<a href={app.uri}>Open in an app on this device</a>}
          />
          <QrCode text={app.uri} label="QR code for your authenticator app" />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <p className="min-w-0 text-14 text-muted">
              Or type the key: <code className="text-text">{app.key.match(/.{1,4}/g)?.join(' ')}</code>
            </p>
            <Button size="sm" variant="outline" onClick={() => void copy(app.key)}>
              <Icon of={Copy} size={16} />
              Copy key
            </Button>
          </div>
          <Field
            label="Code"
            hint="The six digits that the app shows now"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
        </>
      )}
      {failure !== undefined && <Note tone="error">{failure}</Note>}
      <div className="flex flex-wrap gap-2">
        {app && (
          <Button type="submit" variant="primary" disabled={code.trim() === ''} busy={isBusy ? 'Checking…' : undefined}>
            Confirm
          </Button>
        )}
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
