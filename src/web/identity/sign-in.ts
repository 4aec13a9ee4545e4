import type { Entry } from './after-log-in.ts';
import type { ModalProps } from './modals/modal-props.ts';
import type { Failure } from './messages.ts';
import { loadIdentityProvider } from './load-identity-provider.ts';

type Into = Pick<ModalProps, 'authFlow' | 'site'> & { kind: Entry['kind'] };

/**
 * Signs in at the identity provider, then at the site.
 * @returns the refusal of either; undefined after a successful log-in
 */
export async function signInWithPassword(
  { authFlow, site, kind }: Into,
  { email, password }: { email: string; password: string },
): Promise<Failure | undefined> {
  try {
    const provider = await loadIdentityProvider(site.identity);
    const signedIn = await provider.signInWithPassword(email, password);
    return signedIn.ok ? await authFlow.logIn(signedIn.idToken, kind) : signedIn;
  } catch {
    // The provider’s code failed to load.
    return { code: 'auth/network-request-failed' };
  }
}
