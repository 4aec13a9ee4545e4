import { useState } from 'react';
import { href } from 'react-router';
import { AdminHead } from '#web/admin/admin-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { EditedBar } from '#web/workshop/forms/edited-bar.tsx';
import { TextState } from '#web/admin/texts/text-state.tsx';
import { RowName, Table } from '#web/workshop/lists/table.tsx';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import { answerOf, api } from '#web/api.ts';
import { pageMeta } from '#web/page-meta.ts';
import { Field } from '#web/ui/fields/field.tsx';
import type { Route } from './+types/info-pages';

export async function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  return { pages: site.admin.texts.listInfoPages(viewer), retention: await site.admin.texts.findRetention(viewer) };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Info pages', description: 'About, terms and privacy', index: 'no' });
}

export default function AdminInfoPages({ loaderData: { pages, retention } }: Route.ComponentProps) {
  return (
    <>
      <AdminHead title="Info pages" facts="About, terms and privacy, with placeholders for data of the site" />
      <Table
        caption="Info pages"
        rows={pages}
        keyOf={({ key }) => key}
        columns={[
          {
            head: 'Page',
            kind: 'name',
            cell: ({ key, name }) => (
              <RowName to={href('/admin/info-pages/:name', { name: key })} name={name} note={`/${key}`} />
            ),
          },
          { head: 'Text', cell: ({ isChanged }) => <TextState isChanged={isChanged} /> },
        ]}
      />
      <RetentionForm key={retention.revision} retention={retention} />
    </>
  );
}

/** As typed; empty: not stated. */
const toDays = (text: string) => (text.trim() === '' ? null : Number(text));

function RetentionForm({ retention }: Pick<Route.ComponentProps['loaderData'], 'retention'>) {
  const { revision } = retention;
  const [saved] = useState({
    logDays: retention.logDays === null ? '' : String(retention.logDays),
    backupDays: retention.backupDays === null ? '' : String(retention.backupDays),
  });
  const edited = useEdited({
    key: 'retention',
    subject: { type: 'settings', id: 'retention' },
    saved,
    send: ({ logDays, backupDays }) =>
      answerOf(
        api.admin.retention.$put({ json: { logDays: toDays(logDays), backupDays: toDays(backupDays), revision } }),
      ),
  });
  const { values, change } = edited;
  return (
    <>
      <section className="settings-part mt-10">
        <header>
          <h2>Data retention</h2>
          <p>
            The privacy policy says it. Only you know how long your server keeps logs and backups; leave it empty to
            promise no number.
          </p>
        </header>
        <form
          className="field-list"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void edited.save();
          }}
        >
          <div className="field-pair">
            <Field
              label="Days until logs are deleted"
              isOptional
              type="number"
              inputMode="numeric"
              min={1}
              max={3650}
              value={values.logDays}
              onChange={(event) => change({ logDays: event.target.value })}
            />
            <Field
              label="Days until backups are deleted"
              isOptional
              type="number"
              inputMode="numeric"
              min={1}
              max={3650}
              value={values.backupDays}
              onChange={(event) => change({ backupDays: event.target.value })}
            />
          </div>
        </form>
      </section>
      <EditedBar edited={edited} />
    </>
  );
}
