import type { InfoPageName } from '#domain/editorial/info-pages.ts';
import { t } from '@lingui/core/macro';
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
      <WorkshopHead title={t`Info pages`} facts={t`About, terms and privacy, with placeholders for data of the site`} />
      <Table
        caption={t`Info pages`}
        rows={pages}
        keyOf={({ key }) => key}
        columns={[
          {
            head: t`Page`,
            kind: 'name',
            cell: ({ key }) => (
              <RowName to={href('/admin/info-pages/:name', { name: key })} name={pageNames[key]()} note={`/${key}`} />
            ),
          },
          { head: t`Text`, cell: ({ isChanged }) => <TextState isChanged={isChanged} /> },
        ]}
      />
      <div className="mt-10">
        <RetentionForm retention={retention} />
      </div>
    </>
  );
}

const pageNames: Record<InfoPageName, () => string> = {
  about: () => t`About`,
  terms: () => t`Terms`,
  privacy: () => t`Privacy`,
};

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
    ['logDays', t`Days until logs are deleted`],
    ['backupDays', t`Days until backups are deleted`],
  ] as const;
  return (
    <SettingsSection
      title={t`Data retention`}
      help={t`The privacy policy says it. Only you know how long your server keeps logs and backups; leave it empty to promise no number.`}
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
