import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { href, Link } from 'react-router';
import { type UserFilter, userFilters } from '#domain/admin/rules.ts';
import { formatDate } from '#formats/times.ts';
import { ListPage } from '#web/workshop/lists/list-page.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { loadList } from '#web/admin/load-list.ts';
import { MemberImports } from '#web/admin/people/member-imports.tsx';
import { UserStates } from '#web/admin/people/user-states.tsx';
import { Button } from '#web/ui/button.tsx';
import { Avatar } from '#web/ui/images/avatar.tsx';
import { RowName } from '#web/workshop/lists/table.tsx';
import type { Route } from './+types/users';

/** `?import`: the imports of members, in place of the list. */
export async function loader(args: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(args.context);
  const { people } = site.admin;
  const imports = args.url.searchParams.has('import') ? await people.listMemberImports(viewer) : null;
  const list = await loadList(args, {
    name: 'users',
    states: userFilters,
    read: (_site, _viewer, { q, state }, page) =>
      people.listUsers(viewer, { query: q === '' ? undefined : q, filter: state }, page),
  });
  return { list, imports };
}

const filterLabels: Record<UserFilter, () => string> = {
  admins: () => t`Admins`,
  moderators: () => t`Moderators`,
  creators: () => t`Creators`,
  suspended: () => t({ message: 'Suspended', context: 'several' }),
  deleting: () => t`Being deleted`,
};

export default function AdminUsers({ loaderData: { list, imports } }: Route.ComponentProps) {
  if (imports !== null) return <MemberImports imports={imports} />;
  return (
    <ListPage
      title={t`Users`}
      facts={t`Newest first. Search by username, email or ID.`}
      actions={
        <Button render={<Link to={`${href('/admin/users')}?import`} />}>
          <Trans>Import members</Trans>
        </Button>
      }
      list={list}
      search={{ label: t`Search users`, placeholder: t`Username, email, ID` }}
      states={{ label: t`Which users`, options: userFilters.map((filter) => [filter, filterLabels[filter]()]) }}
      empty={{ title: t`No users yet` }}
      keyOf={({ id }) => id}
      columns={[
        {
          head: t`User`,
          kind: 'name',
          cell: ({ id, username, email, icon, color }) => (
            <RowName
              picture={<Avatar name={icon ?? username} color={color} size={40} />}
              to={href('/admin/users/:id', { id })}
              name={username ?? email ?? id}
              note={email ?? t`No email`}
            />
          ),
        },
        {
          head: t`State`,
          isBare: true,
          cell: (user) => (
            <span className="flex flex-wrap gap-1.5">
              <UserStates user={user} />
            </span>
          ),
        },
        { head: t`Joined`, className: 'text-muted', cell: ({ createdAt }) => formatDate(createdAt) },
      ]}
    />
  );
}
