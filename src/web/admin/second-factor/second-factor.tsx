import { useRef, useState } from 'react';
import { Link, useNavigate, useRevalidator } from 'react-router';
import type { SecondFactorState } from '#domain/identity/second-factor/second-factor.ts';
import { countOf } from '#formats/numbers.ts';
import { formatDay } from '#formats/times.ts';
import type { AdminStep } from '#domain/kernel/viewer.ts';
import { answerOf, api } from '../../api.ts';
import { useRootData } from '../../root-data.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { AppSetUp } from './app-set-up.tsx';
import { PasskeySetUp } from './passkey-set-up.tsx';
import { usePasskeySupport } from './passkey-calls.ts';
import { factorsOf, ProofForm } from './proof-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { StepUpProvider, useAdminAct } from './step-up.tsx';

type SecondFactorProps = {
  step: AdminStep | null;
  state: SecondFactorState;
  /** The requested page of Admin. */
  to: string;
};

/** Asks for the second factor, sets up the first one, or lists the existing ones. */
export function SecondFactor({ step, state, to }: SecondFactorProps) {
  return (
    <StepUpProvider>
      {step === 'prove' ? <Proof state={state} to={to} /> : <Factors step={step} state={state} to={to} />}
    </StepUpProvider>
  );
}

function Proof({ state, to }: Pick<SecondFactorProps, 'state' | 'to'>) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  return (
    <>
      <h1 className="text-32">Confirm your identity</h1>
      <p className="mt-2 mb-6 text-muted">Admin asks for your second factor once in each session, every 12 hours.</p>
      <ProofForm
        factors={factorsOf(state)}
        onProven={async () => {
          await revalidate();
          await navigate(to);
        }}
      />
      <LostFactor />
    </>
  );
}

/** Only operators have a second factor and read this, so it names the command. */
function LostFactor() {
  const email = useRootData()?.user?.email ?? 'you@example.org';
  return (
    <p className="mt-6 text-14 text-muted">
      Lost the app or the passkey, and the recovery codes too? Another admin can reset it on your page under Users. On
      the server, <code className="wrap-anywhere text-text">sotto admin {email} --reset-second-factor</code> does the
      same. Your next visit to Admin then sets up a new one.
    </p>
  );
}

function Factors({ step, state, to }: SecondFactorProps) {
  const { revalidate } = useRevalidator();
  const [codes, setCodes] = useState<string[]>();
  const [adding, setAdding] = useState<'app' | 'passkey'>();
  const offersPasskeys = usePasskeySupport(state.passkeyHost);
  const heading = useRef<HTMLHeadingElement>(null);

  async function added(recoveryCodes: string[]): Promise<void> {
    setAdding(undefined);
    setCodes(recoveryCodes.length > 0 ? recoveryCodes : undefined);
    await revalidate();
    heading.current?.focus();
  }

  if (codes !== undefined) return <RecoveryCodes codes={codes} onKept={() => setCodes(undefined)} />;
  const hasAny = state.appSince !== null || state.passkeys.length > 0;
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="text-32">
        {hasAny ? 'Second factor' : 'Set up a second factor'}
      </h1>
      <p className="mt-2 mb-6 text-muted">
        {step === 'set-up'
          ? 'Admin needs more than a password: a code of an authenticator app, or a passkey.'
          : 'What Admin requires in addition to your password.'}
      </p>
      {hasAny && <FactorList state={state} onCodes={setCodes} />}
      {hasAny && <LostFactor />}
      {adding === 'app' && <AppSetUp onAdded={added} onCancel={() => setAdding(undefined)} />}
      {adding === 'passkey' && <PasskeySetUp onAdded={added} onCancel={() => setAdding(undefined)} />}
      {adding === undefined && (
        <div className="mt-6 flex flex-wrap gap-2">
          {state.appSince === null && (
            <Button variant={hasAny ? 'outline' : 'primary'} onClick={() => setAdding('app')}>
              Set up an authenticator app
            </Button>
          )}
          {offersPasskeys && (
            <Button variant="outline" onClick={() => setAdding('passkey')}>
              Add a passkey
            </Button>
          )}
          {step === null && (
            <Button variant={hasAny ? 'primary' : 'ghost'} render={<Link to={to} />}>
              Open Admin
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function FactorList({ state, onCodes }: { state: SecondFactorState; onCodes: (codes: string[]) => void }) {
  const act = useAdminAct();
  const showToast = useToast();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState<string>();

  async function remove(factor: string, name: string): Promise<void> {
    setBusy(factor);
    const answer = await act(() => answerOf(api.admin['second-factor'][':factor'].$delete({ param: { factor } })));
    setBusy(undefined);
    if (answer === undefined) return;
    showToast({ text: answer.ok ? `${name} was removed` : answer.message });
    await revalidate();
  }

  async function renew(): Promise<void> {
    setBusy('codes');
    const answer = await act(() => answerOf(api.admin['second-factor']['recovery-codes'].$post()));
    setBusy(undefined);
    if (answer?.ok) onCodes(answer.data.recoveryCodes);
    else if (answer !== undefined) showToast({ text: answer.message });
    await revalidate();
  }

  return (
    <ul className="details">
      {state.appSince !== null && (
        <li className="details__row details__row--wide">
          <div>
            <p className="font-medium">Authenticator app</p>
            <p className="text-14 text-muted">Since {formatDay(state.appSince)}</p>
          </div>
          <button
            type="button"
            className="link"
            aria-label="Remove the authenticator app"
            disabled={busy !== undefined}
            onClick={() => void remove('app', 'The authenticator app')}
          >
            Remove
          </button>
        </li>
      )}
      {state.passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
        <li key={id} className="details__row details__row--wide">
          <div>
            <p className="font-medium">Passkey: {name}</p>
            <p className="text-14 text-muted">
              Since {formatDay(createdAt)}
              {lastUsedAt !== null && `, last used ${formatDay(lastUsedAt)}`}
            </p>
          </div>
          <button
            type="button"
            className="link"
            aria-label={`Remove the passkey ${name}`}
            disabled={busy !== undefined}
            onClick={() => void remove(id, `The passkey ${name}`)}
          >
            Remove
          </button>
        </li>
      ))}
      <li className="details__row details__row--wide">
        <div>
          <p className="font-medium">Recovery codes</p>
          <p className="text-14 text-muted">{countOf(state.recoveryCodesLeft, 'code')} left, each for one use</p>
        </div>
        <button type="button" className="link" disabled={busy !== undefined} onClick={() => void renew()}>
          Make new codes
        </button>
      </li>
    </ul>
  );
}
