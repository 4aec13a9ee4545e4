import { href, redirect } from 'react-router';

/** The address that mails lead to. */
export function loader() {
  return redirect(`${href('/account')}#subscription`);
}
