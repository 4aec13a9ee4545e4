import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Copy from 'lucide-react/icons/copy';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type Answer, answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { Note } from '../../ui/note.tsx';
import { QrCode } from '../../ui/images/qr-code.tsx';
import { useCopy } from '../../workshop/use-copy.ts';
import { addPasskey } from './passkey-calls.ts';
import { useAdminAct } from './step-up.tsx';

type SetUpProps = { onAdded: (recoveryCodes: string[]) => Promise<void>; onCancel: () => void };

/** Shows the secret for an authenticator app, and asks for its first code. */
export function AppSetUp({ onAdded, onCancel }: SetUpProps) {
  const act = useAdminAct();
  const copy = useCopy();
  const [app, setApp] = useState<{ key: string; uri: string }>();
  const [code, setCode] = useState('');
  const [failure, setFailure] = useState<string>();
  const hasStarted = useRef(false);
  const key = app?.key.match(/.{1,4}/g)?.join(' ');

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

  return (
    <SetUpForm
      label={t`Set up an authenticator app`}
      verb={app && t`Confirm`}
      busy={t`Checking…`}
      isReady={code.trim() !== ''}
      failure={failure}
      send={() => answerOf(api.admin['second-factor'].app.$put({ json: { code } }))}
      onAdded={onAdded}
      onCancel={onCancel}
    >
      {app && (
        <>
          <p>
            <Trans>Scan this with an app such as 1Password, Aegis or Google Authenticator.</Trans>
          </p>
          {/* Nobody can scan the screen of the phone that they hold. */}
          <Button
            className="hidden pointer-coarse:inline-flex"
            variant="outline"
            width="full"
            render={
              <a href={app.uri}>
                <Trans>Open in an app on this device</Trans>
              </a>
            }
          />
          <QrCode text={app.uri} label={t`QR code for your authenticator app`} />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <p className="min-w-0 text-14 text-muted">
              <Trans>
                Or type the key: <code className="text-text">{key}</code>
              </Trans>
            </p>
            <Button size="sm" variant="outline" onClick={() => void copy('key', app.key)}>
              <Icon of={Copy} size={16} />
              <Trans>Copy key</Trans>
            </Button>
          </div>
          <Field
            label={t`Code`}
            hint={t`The six digits that the app shows now`}
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
        </>
      )}
    </SetUpForm>
  );
}

/** Asks for a name, then the browser for the passkey. */
export function PasskeySetUp(props: SetUpProps) {
  const [name, setName] = useState('');
  const closed = { ok: false, code: 'network', message: t`No passkey was added.`, status: 0 } as const;
  return (
    <SetUpForm
      {...props}
      label={t`Add a passkey`}
      verb={t`Continue`}
      busy={t`Waiting…`}
      isReady={name.trim() !== ''}
      send={async () => (await addPasskey(name.trim()).catch(() => closed)) ?? closed}
    >
      <Field
        label={t`Name`}
        hint={t`To tell it from others, such as “Laptop” or “Blue key”`}
        maxLength={60}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
    </SetUpForm>
  );
}

type SetUpFormProps = SetUpProps & {
  label: string;
  /** Undefined: nothing can be sent yet. */
  verb: string | undefined;
  busy: string;
  isReady: boolean;
  /** Before anything was sent. */
  failure?: string | undefined;
  send: () => Promise<Answer<{ recoveryCodes: string[] }>>;
  children: ReactNode;
};

function SetUpForm(props: SetUpFormProps) {
  const { label, verb, busy, isReady, send, onAdded, onCancel, children } = props;
  const act = useAdminAct();
  const [refusal, setRefusal] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const failure = refusal ?? props.failure;

  async function submit(event: React.SubmitEvent): Promise<void> {
    event.preventDefault();
    if (!isReady || isBusy) return;
    setIsBusy(true);
    setRefusal(undefined);
    const answer = await act(send);
    if (answer?.ok) await onAdded(answer.data.recoveryCodes);
    else if (answer !== undefined) setRefusal(answer.message);
    setIsBusy(false);
  }

  return (
    <form className="form" noValidate aria-label={label} onSubmit={(event) => void submit(event)}>
      {children}
      {failure !== undefined && <Note tone="error">{failure}</Note>}
      <div className="flex flex-wrap gap-2">
        {verb !== undefined && (
          <Button type="submit" variant="primary" disabled={!isReady} busy={isBusy ? busy : undefined}>
            {verb}
          </Button>
        )}
        <Button variant="ghost" onClick={onCancel}>
          {t`Cancel`}
        </Button>
      </div>
    </form>
  );
}
