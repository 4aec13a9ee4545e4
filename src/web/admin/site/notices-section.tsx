import { t } from '@lingui/core/macro';
import type { SiteSettings } from '#domain/admin/site/site-settings.ts';
import { type NoticeKind, noticeKinds } from '#domain/notices/rules.ts';
import { kindText } from '#domain/notices/wording-rules.ts';
import { answerOf, api } from '#web/api.ts';
import { Field } from '#web/ui/fields/field.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { SwitchRow } from '#web/workshop/forms/switch-row.tsx';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import { ChangedBy, SettingsSection } from './settings-section.tsx';

type Typed = { zone: string; holidays: string } & Record<NoticeKind, boolean>;

/** Kinds of notices that hide what they are about, and the calendar of working days. */
export function NoticesSection({ section }: { section: SiteSettings['notices'] }) {
  const { zone, holidays, hides } = section.value;
  const switches = Object.fromEntries(noticeKinds.map((kind) => [kind, hides.includes(kind)]));
  const edited = useEdited<Typed>({
    key: 'settings notices',
    subject: { type: 'settings', id: 'notices' },
    saved: { zone, holidays: holidays.join('\n'), ...(switches as Record<NoticeKind, boolean>) },
    send: (typed) =>
      answerOf(
        api.admin.settings.notices.$put({
          json: {
            value: {
              zone: typed.zone.trim(),
              holidays: typed.holidays.split(/\s+/).filter((day) => day !== ''),
              hides: noticeKinds.filter((kind) => typed[kind]),
            },
            revision: section.revision,
          },
        }),
      ),
  });
  return (
    <SettingsSection
      id="notices"
      title={t`Notices`}
      help={t`A notice of these kinds hides what it is about until someone decides. Seven working days by this calendar are there for a decision; what is overdue hides itself.`}
      facts={<ChangedBy section={section} />}
      edited={edited}
    >
      <div>
        {noticeKinds.map((kind) => (
          <SwitchRow
            key={kind}
            label={kindText(kind)}
            text={t`Hide until decided`}
            isOn={edited.values[kind]}
            onChange={(isOn) => edited.change({ [kind]: isOn })}
          />
        ))}
      </div>
      <Field
        label={t`Time zone`}
        value={edited.values.zone}
        hint={t`Such as Europe/Vienna.`}
        autoComplete="off"
        onChange={({ target }) => edited.change({ zone: target.value })}
      />
      <TextArea
        label={t`Holidays`}
        isOptional
        rows={4}
        value={edited.values.holidays}
        onChange={({ target }) => edited.change({ holidays: target.value })}
      />
      <p className="hint -mt-3">{t`One day per line, such as 2026-12-25. Saturdays and Sundays never count.`}</p>
    </SettingsSection>
  );
}
