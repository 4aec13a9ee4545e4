import { href, Link } from 'react-router';
import { AdminHead } from '../../admin/admin-head.tsx';
import { adminViewer } from '../../admin/admin-viewer.ts';
import { TextState } from '../../admin/texts/text-state.tsx';
import { pageMeta } from '../../page-meta.ts';
import { tableRoles } from '../../workshop/lists/table-roles.ts';
import type { Route } from './+types/mails';

export function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  return { groups: site.words.listMails(viewer) };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Mails', description: 'Texts of the mails', index: 'no' });
}

export default function AdminMails({ loaderData: { groups } }: Route.ComponentProps) {
  return (
    <>
      <AdminHead title="Mails" facts="The words of every mail that the site sends" />
      {groups.map(({ label, mails }) => (
        <section key={label} className="wsec mt-8 first-of-type:mt-0">
          <div className="wsec__h">
            <h2>{label}</h2>
          </div>
          <table className="tbl tbl--cards" {...tableRoles.table}>
            <caption className="sr-only">{label}</caption>
            <thead {...tableRoles.group}>
              <tr {...tableRoles.row}>
                <th {...tableRoles.head}>Mail</th>
                <th {...tableRoles.head}>Subject</th>
                <th {...tableRoles.head}>Text</th>
              </tr>
            </thead>
            <tbody {...tableRoles.group}>
              {mails.map(({ key, name, when, subject, isChanged }) => (
                <tr key={key} {...tableRoles.row}>
                  <td {...tableRoles.cell} className="main w2">
                    <div className="cell">
                      <div>
                        <Link to={href('/admin/mails/:key', { key })}>{name}</Link>
                        <small className="whitespace-normal">{when}</small>
                      </div>
                    </div>
                  </td>
                  <td {...tableRoles.cell} data-l="Subject" className="w2 wrap-anywhere whitespace-normal">
                    {subject}
                  </td>
                  <td {...tableRoles.cell} data-l="Text">
                    <TextState isChanged={isChanged} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </>
  );
}
