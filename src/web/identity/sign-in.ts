import type { Entry } from './after-log-in.ts';
import type { ModalProps } from './account-modals.tsx';
import type { Failure } from './messages.ts';
import { loadIdentityProvider } from './provider.ts';

type Into = Pick<ModalProps, 'entrance' | 'site'> & { kind: Entry['kind'] };

/** At the identity provider, then here. @returns what either refused it with; undefined when the user is in */
export async function signInWithPassword(
  { entrance, site, kind }: Into,
  { email, password }: { email: string; password: string },
): Promise<Failure | undefined> {
  try {
    const provider = await loadIdentityProvider(site.identity);
    const signedIn = await provider.signInWithPassword(email, password);
    return signedIn.ok ? await entrance.logIn(signedIn.idToken, kind) : signedIn;
  } catch {
    // Its code could not be fetched.
    return { code: 'auth/network-request-failed' };
  }
}
