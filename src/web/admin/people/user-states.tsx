import Ban from 'lucide-react/icons/ban';
import Check from 'lucide-react/icons/check';
import Mic from 'lucide-react/icons/mic';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Trash2 from 'lucide-react/icons/trash-2';
import type { UserRow } from '#domain/admin/people/users.ts';
import { Icon } from '../../ui/images/icon.tsx';
import { formatDate } from '#formats/times.ts';

/** States of an account, each as icon and word. */
export function UserStates({ user }: { user: UserRow }) {
  return (
    <>
      {user.suspendedAt !== null ? (
        <span className="state-mark tone-bad">
          <Icon of={Ban} size={16} />
          Suspended
        </span>
      ) : (
        <span className={user.isSubscribed ? 'state-mark tone-ok' : 'state-mark'}>
          <Icon of={Check} size={16} />
          {user.isSubscribed ? 'Subscriber' : 'Free'}
        </span>
      )}
      {user.isAdmin && (
        <span className="state-mark tone-accent">
          <Icon of={ShieldCheck} size={16} />
          Admin
        </span>
      )}
      {user.isCreator && (
        <span className="state-mark">
          <Icon of={Mic} size={16} />
          Creator
        </span>
      )}
      {user.deletionDueAt !== null && (
        <span className="state-mark tone-bad">
          <Icon of={Trash2} size={16} />
          Deleted on {formatDate(user.deletionDueAt)}
        </span>
      )}
    </>
  );
}
