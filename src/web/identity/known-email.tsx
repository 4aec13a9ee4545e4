import { useSession } from './session-provider.tsx';

/** For forms with a password but no field for the email: password managers keep the password under it. */
export function KnownEmail({ email }: { email?: string }) {
  const { user } = useSession();
  return <input type="email" className="hidden" autoComplete="username" value={email ?? user?.email ?? ''} readOnly />;
}
