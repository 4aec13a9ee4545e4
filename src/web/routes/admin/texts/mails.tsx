import { t } from '@lingui/core/macro';
import { href } from 'react-router';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { TextState } from '#web/admin/texts/site-text.tsx';
import { RowName, Table } from '#web/workshop/lists/table.tsx';
import type { Route } from './+types/mails';

export function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  return { groups: site.admin.texts.listMails(viewer) };
}

export default function AdminMails({ loaderData: { groups } }: Route.ComponentProps) {
  return (
    <>
      <WorkshopHead title={t`Mails`} facts={t`Email templates`} />
      {groups.map(({ label, mails }) => (
        <section key={label} className="mt-10 max-md:mt-8 mt-8 first-of-type:mt-0">
          <div className="workshop-section__head">
            <h2>{label}</h2>
          </div>
          <Table
            caption={label}
            rows={mails}
            keyOf={({ key }) => key}
            columns={[
              {
                head: t`Mail`,
                kind: 'name',
                isWide: true,
                cell: ({ key, name, when }) => (
                  <RowName to={href('/admin/mails/:key', { key })} name={name} note={when} />
                ),
              },
              {
                head: t`Subject`,
                isWide: true,
                className: 'wrap-anywhere whitespace-normal',
                cell: ({ subject }) => subject,
              },
              { head: t`Text`, cell: ({ isChanged }) => <TextState isChanged={isChanged} /> },
            ]}
          />
        </section>
      ))}
    </>
  );
}
