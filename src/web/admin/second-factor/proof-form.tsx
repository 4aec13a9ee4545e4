import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import KeyRound from 'lucide-react/icons/key-round';
import { useState } from 'react';
import { answerOf, api } from '../../api.ts';
import { KnownEmail } from '../../identity/known-email.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { Note } from '../../ui/note.tsx';
import { useHydrated } from '../../ui/use-client-value.ts';
import type { SecondFactorState } from '#domain/identity/second-factor/second-factor.ts';
import { askForPasskey, usePasskeySupport } from './passkey-calls.ts';

export type KnownFactors = {
  hasApp: boolean;
  hasPasskey: boolean;
  passkeyHost: string;
  /** Null: not known. */
  hasPassword: boolean | null;
};

/** The parts of the site’s answer that the form needs. */
export function factorsOf(
  state: Pick<SecondFactorState, 'passkeyHost' | 'hasPassword'> & { appSince: unknown; passkeys: readonly unknown[] },
): KnownFactors {
  const { appSince, passkeys, passkeyHost, hasPassword } = state;
  return { hasApp: appSince !== null, hasPasskey: passkeys.length > 0, passkeyHost, hasPassword };
}

type ProofFormProps = {
  factors: KnownFactors;
  onProven: () => void | Promise<void>;
};

/** Asks for the second factor or, without one, for the password or a new log-in. */
export function ProofForm({ factors, onProven }: ProofFormProps) {
  const { hasApp, hasPasskey, passkeyHost, hasPassword } = factors;
  const isHydrated = useHydrated();
  const byPassword = !hasApp && !hasPasskey;
  const [value, setValue] = useState('');
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState<'code' | 'passkey'>();
  const offersPasskey = usePasskeySupport(passkeyHost) && hasPasskey;

  async function settle(
    kind: 'code' | 'passkey',
    ask: () => Promise<{ ok: true } | { ok: false; message: string } | undefined>,
  ): Promise<void> {
    setBusy(kind);
    setFailure(undefined);
    const answer = await ask().catch(() => ({ ok: false as const, message: t`This passkey could not be used.` }));
    if (answer?.ok === true) await onProven();
    else if (answer !== undefined) setFailure(answer.message);
    setBusy(undefined);
  }

  function submit(event: React.SubmitEvent): void {
    event.preventDefault();
    if (value.trim() === '' || busy !== undefined) return;
    const json = byPassword ? { password: value } : { code: value };
    void settle('code', () => answerOf(api.admin['second-factor'].proof.$post({ json })));
  }

  if (byPassword && hasPassword === false) {
    return (
      <Note tone="info">
        {t`Your account has no password. To confirm your identity, log out and log in again: Admin does not ask in the ten minutes after a log-in.`}
      </Note>
    );
  }
  return (
    <form className="form" noValidate aria-label={t`Confirm your identity`} onSubmit={submit}>
      {offersPasskey && (
        <Button
          variant={hasApp ? 'outline' : 'primary'}
          width="full"
          busy={busy === 'passkey' ? t`Waiting for the passkey…` : undefined}
          onClick={() => void settle('passkey', askForPasskey)}
        >
          <Icon of={KeyRound} size={18} />
          <Trans>Use a passkey</Trans>
        </Button>
      )}
      {byPassword ? (
        <>
          <KnownEmail />
          <Field
            label={t`Password`}
            type="password"
            hint={hasPassword === null ? t`No password? Log out and log in again instead.` : undefined}
            autoComplete="current-password"
            value={value}
            onChange={({ target }) => setValue(target.value)}
          />
        </>
      ) : (
        <Field
          label={hasApp ? t`Code` : t`Recovery code`}
          hint={
            hasApp
              ? t`The six digits that your authenticator app shows, or a recovery code`
              : t`One of the recovery codes from your passkey set-up`
          }
          autoComplete="one-time-code"
          inputMode="text"
          spellCheck={false}
          autoCapitalize="none"
          value={value}
          onChange={({ target }) => setValue(target.value)}
        />
      )}
      {failure !== undefined && <Note tone="error">{failure}</Note>}
      <Button
        type="submit"
        variant="primary"
        width="full"
        // Before that, Enter presses no disabled button, and would be lost.
        disabled={isHydrated && value.trim() === ''}
        busy={busy === 'code' ? t`Checking…` : undefined}
      >
        {t`Continue`}
      </Button>
    </form>
  );
}
