import { useSession } from './session-provider.tsx';

/**
 * For forms with a password but no field for the email: password managers keep the password under it. Stands before the
 * password: Firefox looks for the name from there backwards (`LoginManagerChild`).
 */
export function KnownEmail({ email }: { email?: string }) {
  const { user } = useSession();
  return <input type="email" className="hidden" autoComplete="username" value={email ?? user?.email ?? ''} readOnly />;
}
