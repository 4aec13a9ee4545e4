import { href } from 'react-router';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { SettingsSection } from '#web/admin/site/settings-section.tsx';
import { TextState } from '#web/admin/texts/site-text.tsx';
import { RowName, Table } from '#web/workshop/lists/table.tsx';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import { answerOf, api } from '#web/api.ts';
import { Field } from '#web/ui/fields/field.tsx';
import type { Route } from './+types/info-pages';

export async function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  return { pages: site.admin.texts.listInfoPages(viewer), retention: await site.admin.texts.findRetention(viewer) };
}

export default function AdminInfoPages({ loaderData: { pages, retention } }: Route.ComponentProps) {
  return (
    <>
      <WorkshopHead title="Info pages" facts="About, terms and privacy, with placeholders for data of the site" />
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
      <div className="mt-10">
        <RetentionForm retention={retention} />
      </div>
    </>
  );
}

/** As typed; empty: not stated. */
const toDays = (text: string) => (text.trim() === '' ? null : Number(text));

function RetentionForm({ retention }: Pick<Route.ComponentProps['loaderData'], 'retention'>) {
  const { revision } = retention;
  const toText = (days: number | null) => (days === null ? '' : String(days));
  const edited = useEdited({
    key: 'retention',
    subject: { type: 'settings', id: 'retention' },
    saved: { logDays: toText(retention.logDays), backupDays: toText(retention.backupDays) },
    send: ({ logDays, backupDays }) =>
      answerOf(
        api.admin.retention.$put({ json: { logDays: toDays(logDays), backupDays: toDays(backupDays), revision } }),
      ),
  });
  const fields = [
    ['logDays', 'Days until logs are deleted'],
    ['backupDays', 'Days until backups are deleted'],
  ] as const;
  return (
    <SettingsSection
      title="Data retention"
      help="The privacy policy says it. Only you know how long your server keeps logs and backups; leave it empty to promise no number."
      edited={edited}
      labels={Object.fromEntries(fields)}
    >
      <div className="field-pair">
        {fields.map(([name, label]) => (
          <Field
            key={name}
            label={label}
            isOptional
            type="number"
            inputMode="numeric"
            min={1}
            max={3650}
            value={edited.values[name]}
            onChange={({ target }) => edited.change({ [name]: target.value })}
          />
        ))}
      </div>
    </SettingsSection>
  );
}
