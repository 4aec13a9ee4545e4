import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useRef, useState, useEffect } from 'react';
import { Link, useNavigate, useRevalidator } from 'react-router';
import type { SecondFactorState } from '#domain/identity/second-factor/second-factor.ts';
import { formatDay } from '#formats/times.ts';
import type { AdminStep } from '#domain/kernel/viewer.ts';
import { api } from '#web/api.ts';
import { useRootData } from '#web/root-data.ts';
import { Button } from '#web/ui/button.tsx';
import { AppSetUp, PasskeySetUp } from './set-up-forms.tsx';
import { useCall } from '../use-call.ts';
import { usePasskeySupport } from './passkey-calls.ts';
import { factorsOf, ProofForm } from './proof-form.tsx';
import { StepUpProvider } from './step-up.tsx';
import { saveFile } from '#web/save-file.ts';

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
      <h1 className="text-32">
        <Trans>Confirm your identity</Trans>
      </h1>
      <p className="mt-2 mb-6 text-muted">
        <Trans>Admin asks for your second factor once in each session, every 12 hours.</Trans>
      </p>
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
      <Trans>
        Lost the app or the passkey, and the recovery codes too? Another admin can reset it on your page under Users. On
        the server, <code className="wrap-anywhere text-text">sotto users reset-second-factor {email}</code> does the
        same. Your next visit to Admin then sets up a new one.
      </Trans>
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
        {hasAny ? t`Second factor` : t`Set up a second factor`}
      </h1>
      <p className="mt-2 mb-6 text-muted">
        {step === 'set-up'
          ? t`Admin needs more than a password: a code of an authenticator app, or a passkey.`
          : t`What Admin requires in addition to your password.`}
      </p>
      {hasAny && <FactorList state={state} onCodes={setCodes} />}
      {hasAny && <LostFactor />}
      {adding === 'app' && <AppSetUp onAdded={added} onCancel={() => setAdding(undefined)} />}
      {adding === 'passkey' && <PasskeySetUp onAdded={added} onCancel={() => setAdding(undefined)} />}
      {adding === undefined && (
        <div className="mt-6 flex flex-wrap gap-2">
          {state.appSince === null && (
            <Button variant={hasAny ? 'outline' : 'primary'} onClick={() => setAdding('app')}>
              {t`Set up an authenticator app`}
            </Button>
          )}
          {offersPasskeys && (
            <Button variant="outline" onClick={() => setAdding('passkey')}>
              {t`Add a passkey`}
            </Button>
          )}
          {step === null && (
            <Button variant={hasAny ? 'primary' : 'ghost'} render={<Link to={to} />}>
              {t`Open Admin`}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function FactorList({ state, onCodes }: { state: SecondFactorState; onCodes: (codes: string[]) => void }) {
  const { isBusy, call } = useCall();
  const codesLeft = state.recoveryCodesLeft;

  const remove = (factor: string, done: string) =>
    void call(factor, () => api.admin['second-factor'][':factor'].$delete({ param: { factor } }), { done });

  async function renew(): Promise<void> {
    const renewed = await call('codes', () => api.admin['second-factor']['recovery-codes'].$post());
    if (renewed !== undefined) onCodes(renewed.data.recoveryCodes);
  }

  return (
    <ul className="details">
      {state.appSince !== null && (
        <FactorRow
          name={t`Authenticator app`}
          facts={t`Since ${{ day: formatDay(state.appSince) }}`}
          act={{
            verb: t`Remove`,
            label: t`Remove the authenticator app`,
            isBusy,
            run: () => remove('app', t`The authenticator app was removed`),
          }}
        />
      )}
      {state.passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
        <FactorRow
          key={id}
          name={t`Passkey: ${name}`}
          facts={
            lastUsedAt === null
              ? t`Since ${{ day: formatDay(createdAt) }}`
              : t`Since ${{ day: formatDay(createdAt) }}, last used ${{ lastDay: formatDay(lastUsedAt) }}`
          }
          act={{
            verb: t`Remove`,
            label: t`Remove the passkey ${name}`,
            isBusy,
            run: () => remove(id, t`The passkey ${name} was removed`),
          }}
        />
      ))}
      <FactorRow
        name={t`Recovery codes`}
        facts={plural(codesLeft, {
          one: '# code left, for one use',
          other: '# codes left, each for one use',
        })}
        act={{ verb: t`Make new codes`, isBusy, run: () => void renew() }}
      />
    </ul>
  );
}

type FactorRowProps = {
  name: string;
  facts: string;
  act: { verb: string; label?: string; isBusy: boolean; run: () => void };
};

function FactorRow({ name, facts, act: { verb, label, isBusy, run } }: FactorRowProps) {
  return (
    <li className="details__row details__row--wide">
      <div>
        <p className="font-medium">{name}</p>
        <p className="text-14 text-muted">{facts}</p>
      </div>
      <button type="button" className="link" aria-label={label} disabled={isBusy} onClick={run}>
        {verb}
      </button>
    </li>
  );
}

/** Shown once. */
function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="text-32">
        <Trans>Recovery codes</Trans>
      </h1>
      <p className="mt-2 mb-6 text-muted">
        <Trans>
          Use them if you lose your second factor. Each works once. They are not shown again, so store them with your
          passwords.
        </Trans>
      </p>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-cover border border-line p-5 font-[family-name:ui-monospace,monospace] text-16 tabular-nums">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap gap-2">
        <Button variant="primary" onClick={onKept}>
          {t`I have saved them`}
        </Button>
        <Button
          variant="outline"
          onClick={() => saveFile(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }), 'recovery-codes.txt')}
        >
          {t`Save as a file`}
        </Button>
      </div>
    </>
  );
}
