import { href, Link } from 'react-router';
import type { UserShape } from '#domain/identity/shapes.ts';
import { Avatar } from '../ui/images/avatar.tsx';

/** Another listener, linked to their profile. */
export function UserCard({ user }: { user: UserShape }) {
  return (
    <Link
      className="card flex items-center gap-4 rounded-card bg-surface p-4 edge"
      to={href('/account/:id', { id: user.id })}
    >
      <Avatar name={user.icon ?? user.username} color={user.color} size={40} />
      <span className="truncate font-semibold">{user.username}</span>
    </Link>
  );
}
