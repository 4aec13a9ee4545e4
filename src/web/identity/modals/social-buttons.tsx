import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { type SocialProvider, socialIds, socialProviders } from '#domain/identity/social-rules.ts';
import { Note } from '../../ui/note.tsx';
import type { Entry } from '../after-log-in.ts';
import type { ModalProps } from './modal-props.ts';
import { socialMessage } from '../messages.ts';
import { loadIdentityProvider } from '../load-identity-provider.ts';
import type { BrowserIdentityProvider } from '../provider.ts';
import { SocialButton } from './social-button.tsx';

type SocialButtonsProps = Pick<ModalProps, 'authFlow' | 'site'> & { kind: Entry['kind'] };

/** Social sign-in: the providers configured, and on loopback also the others, which say so when pressed. */
export function SocialButtons({ authFlow, site, kind }: SocialButtonsProps) {
  const { identity } = site;
  const shown = identity.isLocal ? socialIds : identity.social;
  const [loaded, setLoaded] = useState<BrowserIdentityProvider>();
  const [busy, setBusy] = useState<SocialProvider>();
  const [missing, setMissing] = useState<string>();

  // Loaded before the press: browsers block a popup that opens after an await.
  useEffect(() => {
    loadIdentityProvider(identity).then(setLoaded, () => undefined);
  }, [identity]);

  async function signIn(provider: SocialProvider) {
    try {
      const signedIn = await (loaded ?? (await loadIdentityProvider(identity))).signInWith(provider);
      return signedIn.ok ? await authFlow.logIn(signedIn.idToken, kind) : signedIn;
    } catch {
      return { code: 'auth/network-request-failed' };
    }
  }

  async function press(provider: SocialProvider): Promise<void> {
    if (!identity.social.includes(provider)) return setMissing(socialProviders[provider].name);
    setMissing(undefined);
    setBusy(provider);
    const failure = await signIn(provider);
    setBusy(undefined);
    const message = failure && socialMessage(failure);
    if (message !== undefined) authFlow.modals.dispatch({ type: 'social-failed', provider, message });
  }

  if (shown.length === 0) return null;
  return (
    <>
      <div className={`grid gap-3 ${shown.length === 1 ? '' : 'grid-cols-2'}`} data-skips-fields>
        {shown.map((provider) => (
          <SocialButton
            key={provider}
            provider={provider}
            className="bg-overlay"
            busy={busy === provider ? t`Signing in…` : undefined}
            onClick={() => void press(provider)}
          />
        ))}
      </div>
      {missing !== undefined && (
        <Note tone="info">{t`${missing} sign-in is not set up on this site. Please use your email.`}</Note>
      )}
      <div className="or">
        <Trans>or with email</Trans>
      </div>
    </>
  );
}
