import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router';
import { onPlainPress } from '../ui/plain-press.ts';
import { useSession } from './session-provider.tsx';

/** `Log in` within a sentence. */
export function LogInLink() {
  const { openModal } = useSession();
  return (
    <Link className="link" to="/library" data-keep-press onClick={onPlainPress(() => openModal('log-in'))}>
      <Trans>Log in</Trans>
    </Link>
  );
}
