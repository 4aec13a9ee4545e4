import { t } from '@lingui/core/macro';
import Ban from 'lucide-react/icons/ban';
import Check from 'lucide-react/icons/check';
import Mic from 'lucide-react/icons/mic';
import Scale from 'lucide-react/icons/scale';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Trash2 from 'lucide-react/icons/trash-2';
import type { UserRow } from '#domain/admin/people/users.ts';
import { formatDate } from '#formats/times.ts';
import { StateMark } from '../../workshop/state-mark.tsx';

/** States of an account, each as icon and word. */
export function UserStates({ user }: { user: UserRow }) {
  const { suspendedAt, isSubscribed, isAdmin, isModerator, isCreator, deletionDueAt } = user;
  return (
    <>
      {suspendedAt !== null ? (
        <StateMark icon={Ban} tone="bad" text={t`Suspended`} />
      ) : isSubscribed ? (
        <StateMark icon={Check} tone="ok" text={t`Subscriber`} />
      ) : (
        <StateMark icon={Check} text={t`Free`} />
      )}
      {isAdmin && <StateMark icon={ShieldCheck} tone="accent" text={t`Admin`} />}
      {isModerator && <StateMark icon={Scale} tone="accent" text={t`Moderator`} />}
      {isCreator && <StateMark icon={Mic} text={t`Creator`} />}
      {deletionDueAt !== null && (
        <StateMark icon={Trash2} tone="bad" text={t`Deleted on ${{ date: formatDate(deletionDueAt) }}`} />
      )}
    </>
  );
}
