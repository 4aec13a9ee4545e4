import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Form } from '#web/workshop/form.tsx';
import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import type { Section } from '#domain/admin/site/site-settings.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { ConflictNotice } from '../../workshop/forms/conflict-notice.tsx';
import type { Edited } from '../../workshop/forms/edited-bar.tsx';
import { LocalTime } from '../../workshop/local-time.tsx';
import { Part } from '#web/workshop/forms/settings-part.tsx';

type SettingsSectionProps = {
  id?: string;
  title: string;
  help: string;
  /** The last change, and its author. */
  facts?: ReactNode;
  /** Absent: changes are saved at once. */
  edited?: Edited | undefined;
  /** Labels of the fields by name, for a conflict. */
  labels?: Record<string, string>;
  /** Whether the changes can be saved. */
  isReady?: boolean;
  /** Buttons after those that save. */
  acts?: ReactNode;
  children: ReactNode;
};

/** A button's words, and its name with what it acts on. An element for screen readers alone would be spoken after a space. */
export function actNamed(act: string, name: string) {
  return { 'aria-label': t`${{ act }}: ${{ name }}`, children: act };
}

/** One section of Settings or of the look, saved by itself. A newer version of others is shown beside what was typed. */
export function SettingsSection(props: SettingsSectionProps) {
  const { id, title, help, facts, edited, labels = {}, isReady = true, acts, children } = props;
  const named = (act: string) => actNamed(act, title);
  const conflict = edited?.conflict && {
    ...edited.conflict,
    fields: edited.conflict.fields.map((field) => ({ label: labels[field.name], ...field })),
  };
  return (
    <Part id={id} title={title} help={help} facts={facts}>
      <Form
        onSubmit={() => {
          if (isReady) void edited?.save();
        }}
      >
        {children}
        {edited && <ConflictNotice edited={{ ...edited, conflict }} />}
        {edited?.error !== undefined && <Note tone="error">{edited.error}</Note>}
        <div className="flex flex-wrap gap-2">
          {edited && (
            <Button
              type="submit"
              variant="primary"
              size="sm"
              disabled={!edited.isChanged || !isReady}
              busy={edited.isBusy ? t`Saving…` : undefined}
              {...named(edited.isConflict ? t`Save mine instead` : t`Save`)}
            />
          )}
          {edited?.isChanged && (
            <Button
              size="sm"
              variant="ghost"
              disabled={edited.isBusy}
              onClick={edited.reset}
              {...named(edited.isConflict ? t`Load theirs` : t`Undo`)}
            />
          )}
          {acts}
        </div>
      </Form>
    </Part>
  );
}

/** The last change of a section, and its author. */
export function ChangedBy({ section: { changedAt, changedBy } }: { section: Section<unknown> }) {
  if (changedAt === null) return t`Never changed.`;
  if (changedBy === null)
    return (
      <Trans>
        Changed on <LocalTime at={changedAt} style="full" /> on the server.
      </Trans>
    );
  const name = changedBy.username ?? t`an admin`;
  return (
    <Trans>
      Changed on <LocalTime at={changedAt} style="full" /> by{' '}
      <Link className="ulink" to={href('/admin/users/:id', { id: changedBy.id })}>
        {name}
      </Link>
      .
    </Trans>
  );
}
