import { useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';
import type { Entry } from './after-log-in.ts';
import type { ModalProps } from './account-modals.tsx';
import { socialMessage } from './messages.ts';
import { loadIdentityProvider } from './provider.ts';
import type { BrowserIdentityProvider, SocialProvider } from './provider.ts';
import { FacebookMark, GoogleMark } from './social-marks.tsx';

const ways = [
  { provider: 'google', name: 'Google', Mark: GoogleMark },
  { provider: 'facebook', name: 'Facebook', Mark: FacebookMark },
] as const;

type SocialButtonsProps = Pick<ModalProps, 'entrance' | 'site'> & { kind: Entry['kind'] };

/** The other ways in. Where the operator has not set one up, pressing it says so. */
export function SocialButtons({ entrance, site, kind }: SocialButtonsProps) {
  const { identity, siteName } = site;
  const [loaded, setLoaded] = useState<BrowserIdentityProvider>();
  const [busy, setBusy] = useState<SocialProvider>();
  const [missing, setMissing] = useState<string>();

  // Here by the time of the press: the window has to open in the press itself, or the browser stops it.
  useEffect(() => {
    loadIdentityProvider(identity).then(setLoaded, () => undefined);
  }, [identity]);

  async function signIn(provider: SocialProvider) {
    try {
      const signedIn = await (loaded ?? (await loadIdentityProvider(identity))).signInWith(provider);
      return signedIn.ok ? await entrance.logIn(signedIn.idToken, kind) : signedIn;
    } catch {
      return { code: 'auth/network-request-failed' };
    }
  }

  async function press(provider: SocialProvider, name: string): Promise<void> {
    if (!identity[provider]) return setMissing(name);
    setMissing(undefined);
    setBusy(provider);
    const failure = await signIn(provider);
    setBusy(undefined);
    const message = failure && socialMessage(failure);
    if (message !== undefined) entrance.modals.dispatch({ type: 'social-failed', provider, message });
  }

  return (
    <>
      <div className="two">
        {ways.map(({ provider, name, Mark }) => (
          <Button
            key={provider}
            className="bg-overlay!"
            busy={busy === provider ? 'Signing in…' : undefined}
            onClick={() => void press(provider, name)}
          >
            <Mark />
            {name}
          </Button>
        ))}
      </div>
      {missing !== undefined && (
        <Note tone="info">
          {siteName} has not set up signing in with {missing}. Please use your email.
        </Note>
      )}
      <div className="or">or with email</div>
    </>
  );
}
