import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Search from 'lucide-react/icons/search';
import { href, Link } from 'react-router';
import type { UserFilter } from '#domain/admin/rules.ts';
import type { UserRow } from '#domain/admin/people/users.ts';
import type { Count } from '#formats/numbers.ts';
import { countOf } from '#formats/numbers.ts';
import { formatDate } from '#formats/times.ts';
import { Avatar } from '../../ui/images/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { AddressForm } from '../../workshop/address-form.tsx';
import { tableRoles } from '../../workshop/lists/table-roles.ts';
import { NoMatches } from '../no-matches.tsx';
import { UserStates } from './user-states.tsx';

const filters: [UserFilter | undefined, string][] = [
  [undefined, 'All'],
  ['admins', 'Admins'],
  ['creators', 'Creators'],
  ['suspended', 'Suspended'],
  ['deleting', 'Being deleted'],
];

type UserListProps = {
  query?: string | undefined;
  filter?: UserFilter | undefined;
  isFirst: boolean;
  page: { items: UserRow[]; nextCursor: string | undefined };
  /** Without the filters, when they leave none. */
  all: Count | undefined;
};

/** Users, newest first. */
export function UserList({ query, filter, isFirst, page: { items, nextCursor }, all }: UserListProps) {
  const address = (change: { filter?: UserFilter | undefined; cursor?: string | undefined }) => {
    const of = { query, filter, ...change };
    const search = new URLSearchParams(Object.entries(of).flatMap(([key, value]) => (value ? [[key, value]] : [])));
    return `${href('/admin/users')}${search.size === 0 ? '' : `?${search}`}`;
  };
  return (
    <>
      <div className="ph">
        <div className="ph__t">
          <h1>Users</h1>
          <p className="ph__s">Newest first. By the start of a username or email, or by an id.</p>
        </div>
      </div>
      <nav className="chips chips--scroll mb-3.5" aria-label="Which users">
        {filters.map(([of, label]) => (
          <Link
            key={label}
            className="chip"
            to={address({ filter: of })}
            aria-current={of === filter ? 'true' : undefined}
            preventScrollReset
          >
            {label}
          </Link>
        ))}
      </nav>
      <search aria-label="Users">
        <AddressForm className="fbar" action={href('/admin/users')}>
          {filter !== undefined && <input type="hidden" name="filter" value={filter} />}
          <div className="fbar__s">
            <Icon of={Search} size={18} />
            {/* A new key resets the field when the address has another search term. */}
            <input
              key={query}
              className="in in--d"
              type="search"
              name="query"
              aria-label="Username, email or id"
              placeholder="Username, email, id"
              defaultValue={query}
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
            />
          </div>
          <Button type="submit" size="sm">
            Search
          </Button>
        </AddressForm>
      </search>
      {all !== undefined ? (
        <NoMatches all={all} filters={[query, filter]} one="user" />
      ) : (
        <table className="tbl tbl--cards" {...tableRoles.table}>
          <caption className="sr-only">Users</caption>
          <thead {...tableRoles.group}>
            <tr {...tableRoles.row}>
              <th {...tableRoles.head}>User</th>
              <th {...tableRoles.head}>State</th>
              <th {...tableRoles.head}>Joined</th>
            </tr>
          </thead>
          <tbody {...tableRoles.group}>
            {items.map((user) => (
              <tr {...tableRoles.row} key={user.id}>
                <td {...tableRoles.cell} className="main">
                  <div className="cell">
                    <Avatar name={user.icon ?? user.username} color={user.color} size={40} />
                    <div className="min-w-0">
                      <Link className="block truncate" to={href('/admin/users/:id', { id: user.id })}>
                        {user.username ?? user.email ?? user.id}
                      </Link>
                      <small className="block truncate">{user.email ?? 'No email'}</small>
                    </div>
                  </div>
                </td>
                <td {...tableRoles.cell}>
                  <span className="flex flex-wrap gap-1.5">
                    <UserStates user={user} />
                  </span>
                </td>
                <td {...tableRoles.cell} className="tabular-nums text-muted" data-l="Joined">
                  {formatDate(user.createdAt)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {(!isFirst || nextCursor !== undefined) && (
        <div className="pager">
          <span className="tabular-nums">{countOf(items.length, 'user')} shown</span>
          <nav aria-label="Pages">
            {!isFirst && (
              <Button render={<Link to={address({ cursor: undefined })} />}>
                <Icon of={ChevronLeft} size={18} />
                Newest
              </Button>
            )}
            {nextCursor !== undefined && (
              <Button render={<Link to={address({ cursor: nextCursor })} />}>
                Older
                <Icon of={ChevronRight} size={18} />
              </Button>
            )}
          </nav>
        </div>
      )}
    </>
  );
}
