import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { ChangeEmailForm } from '#domain/identity/forms.ts';
import { type SocialProvider, socialProviders } from '#domain/identity/social-rules.ts';
import { answerOf, api } from '../../api.ts';
import { useRootData } from '../../root-data.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { useCheckedForm } from '../../ui/fields/use-checked-form.ts';
import { Note } from '../../ui/note.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { refusalOf } from './account-messages.ts';
import { KnownEmail } from '../known-email.tsx';
import { socialMessage } from '../messages.ts';
import { loadIdentityProvider } from '../load-identity-provider.ts';
import type { BrowserIdentityProvider } from '../provider.ts';
import { useSession } from '../session-provider.tsx';
import { SocialButton } from '../modals/social-button.tsx';

type AccountDeletionProps = {
  /** False: signing in again confirms the user’s identity. Null: not known, so both ways are offered. */
  hasPassword: boolean | null;
  onKept: () => void;
};

export function AccountDeletion({ hasPassword, onKept }: AccountDeletionProps) {
  if (hasPassword !== null) return hasPassword ? <ByPassword onKept={onKept} /> : <BySigningIn onKept={onKept} />;
  return (
    <>
      <ByPassword onKept={onKept} />
      <BySigningIn onKept={undefined} />
    </>
  );
}

const PasswordForm = ChangeEmailForm.pick({ password: true });

function ByPassword({ onKept }: Pick<AccountDeletionProps, 'onKept'>) {
  const leave = useLeave();
  const { field, state } = useCheckedForm({
    schema: PasswordForm,
    defaultValues: { password: '' },
    async send({ password }) {
      const answer = await answerOf(api.user.$delete({ json: { password } }));
      return answer.ok ? leave() : refusalOf(answer, { 'auth/wrong-password': 'password' } as const);
    },
  });
  const { failure, isReady, isBusy, onSubmit, onChange } = state;

  return (
    <form className="form" noValidate aria-label={t`Delete your account`} onSubmit={onSubmit} onChange={onChange}>
      {failure !== undefined && <Note tone="error">{failure}</Note>}
      <KnownEmail />
      <Field label={t`Password`} type="password" autoComplete="current-password" {...field('password')} />
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          className="btn--danger"
          variant="outline"
          disabled={!isReady}
          busy={isBusy ? t`Deleting…` : undefined}
        >
          {t`Delete account`}
        </Button>
        <Button variant="ghost" onClick={onKept}>
          {t`Keep it`}
        </Button>
      </div>
    </form>
  );
}

/** @param props.onKept undefined below the password form, which has its own button to keep the account */
function BySigningIn({ onKept }: { onKept: (() => void) | undefined }) {
  const leave = useLeave();
  const identity = useRootData()?.identity;
  const [loaded, setLoaded] = useState<BrowserIdentityProvider>();
  const [busy, setBusy] = useState<SocialProvider>();
  const [failure, setFailure] = useState<string>();

  const offered = identity?.social ?? [];

  // Loaded before the press: browsers block a popup that opens after an await.
  useEffect(() => {
    if (identity === undefined) return;
    loadIdentityProvider(identity).then(setLoaded, () => setFailure(t`No internet connection`));
  }, [identity]);

  async function press(provider: SocialProvider): Promise<void> {
    if (loaded === undefined || busy !== undefined) return;
    setFailure(undefined);
    setBusy(provider);
    const signedIn = await loaded.signInWith(provider);
    const answer = signedIn.ok
      ? await answerOf(api.user.$delete({ json: { firebaseIdtoken: signedIn.idToken } }))
      : undefined;
    setBusy(undefined);
    if (answer?.ok) return leave();
    setFailure(answer ? refusalOf(answer, {}).text : signedIn.ok ? undefined : socialMessage(signedIn));
  }

  if (onKept === undefined && offered.length === 0) return null;
  return (
    <div className="form">
      <p className="text-soft">
        {onKept === undefined
          ? t`No password? Sign in again instead.`
          : offered.length === 0
            ? t`Your account has no password, and this site has no other way of signing in set up at the moment.`
            : t`Your account has no password. Sign in once more to show that it is yours.`}
      </p>
      {failure !== undefined && <Note tone="error">{failure}</Note>}
      <div className="flex flex-wrap gap-2">
        {offered.map((provider) => (
          <SocialButton
            key={provider}
            provider={provider}
            label={deleteWith(provider)}
            className="btn--danger"
            variant="outline"
            disabled={loaded === undefined}
            busy={busy === provider ? t`Deleting…` : undefined}
            onClick={() => void press(provider)}
          />
        ))}
        {onKept && (
          <Button variant="ghost" onClick={onKept}>
            {t`Keep it`}
          </Button>
        )}
      </div>
    </div>
  );
}

function deleteWith(provider: SocialProvider): string {
  const { name } = socialProviders[provider];
  return t`Delete with ${name}`;
}

/** Leads to the front page, as a visitor, after the account is deleted. */
function useLeave(): () => Promise<void> {
  const navigate = useNavigate();
  const { ended } = useSession();
  const showToast = useToast();
  return async () => {
    // Navigates first: the end of the session reloads the current page, which needs an account.
    await navigate('/');
    ended();
    showToast({ text: t`Your account is deleted` });
  };
}
