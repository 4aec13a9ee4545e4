import { LocalTime } from '../../workshop/local-time.tsx';
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { href, Link, useRevalidator } from 'react-router';
import type { Section, SectionName, SectionValues, SiteSettings } from '#domain/admin/site/site-settings.ts';
import { formatMoney } from '#formats/numbers.ts';
import { features } from '#domain/settings/rules.ts';
import type { Answer } from '../../api.ts';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { ConflictNotice } from '../../workshop/forms/conflict-notice.tsx';
import { SwitchRow } from '../../workshop/forms/switch-row.tsx';
import { useAskBeforeLeaving } from '../../workshop/forms/use-ask-before-leaving.ts';
import type { SettingField, Typed } from './setting-fields.ts';
import { featureTexts, limitFields, membershipFields, readTyped, typedOf } from './setting-fields.ts';
import { useAdminAct } from '../second-factor/step-up.tsx';

type SettingsPageProps = {
  settings: SiteSettings;
  /** Sections that can only be viewed and tested, with their names. */
  checks: { id: string; label: string; isBad: boolean }[];
  children?: ReactNode;
};

const labels: Record<SectionName, string> = {
  membership: 'Prices and trial',
  features: 'Features',
  limits: 'Limits',
};

type Fields = Record<string, unknown>;
type Draft = { membership: Typed; features: SectionValues['features']; limits: Typed };

function labelOf(path: string): string {
  if (path in featureTexts) return featureTexts[path as keyof typeof featureTexts].label;
  return [...membershipFields, ...limitFields].find((field) => field.path === path)?.label ?? path;
}

function draftOf(settings: SiteSettings): Draft {
  return {
    membership: typedOf(settings.membership.value, membershipFields),
    features: settings.features.value,
    limits: typedOf(settings.limits.value, limitFields),
  };
}

/** Unsaved input, so that visiting another page loses nothing. Kept until the tab closes. */
let kept: { base: SiteSettings; draft: Draft } | undefined;

/** Settings that change while the site runs. Each section is saved by itself, so that two operators rarely get a conflict. */
export function SettingsPage({ settings, checks, children }: SettingsPageProps) {
  const act = useAdminAct();
  const showToast = useToast();
  const { revalidate } = useRevalidator();
  /** The values and revisions that the draft is made of; behind `settings` where another operator has saved. */
  const [base, setBase] = useState(() => kept?.base ?? settings);
  const [draft, setDraft] = useState(() => kept?.draft ?? draftOf(settings));
  const [faults, setFaults] = useState<Typed>({});
  const [isSaving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  /** Sections that another operator changed since. */
  const [conflicts, setConflicts] = useState<SectionName[]>([]);
  const names = Object.keys(labels) as SectionName[];
  const [before, stored] = [draftOf(base), draftOf(settings)];
  const changed = names.filter((name) => JSON.stringify(draft[name]) !== JSON.stringify(before[name]));
  useAskBeforeLeaving(changed.length > 0);
  useEffect(() => {
    kept = changed.length > 0 ? { base, draft } : undefined;
  });
  // Sections without unsaved changes follow the site; the others keep what was typed and the revision it belongs to.
  const behind = names.filter((name) => !changed.includes(name) && base[name].revision !== settings[name].revision);
  if (behind.length > 0) takeStored(behind);

  const overtaken = conflicts.filter((name) => base[name].revision !== settings[name].revision);
  if (overtaken.length > 0) rebase(overtaken);

  /** Onto what the other operator saved: what was typed here stays, to be chosen or saved. */
  function rebase(sections: SectionName[]): void {
    const typed = sections.map((section): [SectionName, Fields] => [
      section,
      Object.fromEntries(
        Object.entries(draft[section]).filter(([path, value]) => value !== (before[section] as Fields)[path]),
      ),
    ]);
    const ofSections = typed.map(([section, mine]) => [section, { ...stored[section], ...mine }]);
    setDraft({ ...draft, ...(Object.fromEntries(ofSections) as Partial<Draft>) });
    setBase({ ...base, ...Object.fromEntries(sections.map((section) => [section, settings[section]])) });
  }

  function conflictOf(section: SectionName) {
    const { changedAt: at, changedBy } = settings[section];
    const mine: Fields = draft[section];
    const theirs: Fields = stored[section];
    const differing = Object.keys(mine).filter((path) => mine[path] !== theirs[path]);
    return {
      change: at === null ? undefined : { by: changedBy?.username ?? null, at: new Date(at).toISOString() },
      fields: differing.map((name) => ({ name, label: labelOf(name), mine: mine[name], theirs: theirs[name] })),
    };
  }

  function takeTheirs(section: SectionName, path: string): void {
    setDraft((last) => ({ ...last, [section]: { ...last[section], [path]: (stored[section] as Fields)[path] } }));
  }

  function takeStored(sections: SectionName[]): void {
    const faultsOf = <Sections extends object>(all: Sections) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => sections.includes(name as SectionName)));
    setBase({ ...base, ...faultsOf(settings) });
    setDraft({ ...draft, ...faultsOf(stored) });
  }

  /** Adopts the stored values, and keeps unsaved input of other sections. */
  function undo(): void {
    takeStored(conflicts.length > 0 ? conflicts : names);
    setFaults({});
    setRefusal(undefined);
    setConflicts([]);
  }

  async function save(): Promise<void> {
    const membership = readTyped(base.membership.value, membershipFields, draft.membership);
    const limits = readTyped(base.limits.value, limitFields, draft.limits);
    const found = { ...('faults' in membership && membership.faults), ...('faults' in limits && limits.faults) };
    setFaults(found);
    setRefusal(undefined);
    setConflicts([]);
    if ('faults' in membership || 'faults' in limits) return;
    const values = { membership: membership.value, features: draft.features, limits: limits.value };
    const sends: Record<SectionName, () => Promise<Answer<undefined>>> = {
      membership: () =>
        answerOf(
          api.admin.settings.membership.$put({
            json: { value: membership.value, revision: base.membership.revision },
          }),
        ),
      features: () =>
        answerOf(
          api.admin.settings.features.$put({ json: { value: draft.features, revision: base.features.revision } }),
        ),
      limits: () =>
        answerOf(api.admin.settings.limits.$put({ json: { value: limits.value, revision: base.limits.revision } })),
    };
    setSaving(true);
    const refused: string[] = [];
    let saved = 0;
    for (const name of changed) {
      const answer = await act(sends[name]);
      if (answer?.ok) {
        saved += 1;
        const now = { ...base, [name]: { ...base[name], value: values[name] } };
        setBase((last) => ({ ...last, [name]: now[name] }));
        // Text that was typed during the save stays.
        setDraft((last) => (last[name] === draft[name] ? { ...last, [name]: draftOf(now)[name] } : last));
      } else if (answer !== undefined) {
        if (answer.message !== '') refused.push(`${labels[name]}: ${answer.message}`);
        if (answer.code === 'settings/changed') setConflicts((last) => [...last, name]);
      }
    }
    await revalidate();
    setSaving(false);
    if (refused.length > 0) setRefusal(refused.join(' '));
    else if (saved === changed.length) showToast({ text: 'Saved' });
  }

  const type = (section: 'membership' | 'limits') => (path: string, text: string) =>
    setDraft((before) => ({ ...before, [section]: { ...before[section], [path]: text } }));
  const yearly = Number((draft.membership['plans.year'] ?? '').replace(',', '.'));
  const perMonth =
    yearly > 0
      ? `Shown as ${formatMoney(Math.round((yearly * 100) / 12), settings.membership.value.currency)} per month, billed annually`
      : undefined;

  return (
    <>
      <div className="page-head">
        <div className="page-head__title">
          <h1>Settings</h1>
          <p className="page-head__facts">
            Changes are logged. Keys and passwords are set on the server and never shown.
          </p>
        </div>
      </div>
      <nav className="chips mb-5" aria-label="Sections">
        {[...Object.entries(labels).map(([id, label]) => ({ id, label, isBad: false })), ...checks].map(
          ({ id, label, isBad }) => (
            <a key={id} className="chip" href={`#${id}`}>
              {label}
              {isBad && <span className="up-bad"> (needs attention)</span>}
            </a>
          ),
        )}
      </nav>
      <form
        className="max-w-[1000px]"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSaving && changed.length > 0) void save();
        }}
      >
        <SectionFrame
          id="membership"
          title={labels.membership}
          help="New subscriptions only. Current subscribers keep their price. Saving creates the prices at the payment provider."
          section={settings.membership}
        >
          <Fields
            fields={membershipFields.map((field) =>
              field.path === 'plans.year' && perMonth !== undefined ? { ...field, hint: perMonth } : field,
            )}
            typed={draft.membership}
            standard={typedOf(settings.membership.standard, membershipFields)}
            faults={faults}
            onType={type('membership')}
          />
        </SectionFrame>
        <SectionFrame
          id="features"
          title={labels.features}
          help="What the site offers. All are on by default."
          section={settings.features}
        >
          {features.map((name) => (
            <SwitchRow
              key={name}
              label={featureTexts[name].label}
              text={featureTexts[name].text}
              isOn={draft.features[name]}
              onChange={(isOn) => setDraft((before) => ({ ...before, features: { ...before.features, [name]: isOn } }))}
            />
          ))}
        </SectionFrame>
        <SectionFrame
          id="limits"
          title={labels.limits}
          help="Limits per person, to prevent abuse."
          section={settings.limits}
        >
          <Fields
            fields={limitFields}
            typed={draft.limits}
            standard={typedOf(settings.limits.standard, limitFields)}
            faults={faults}
            onType={type('limits')}
          />
        </SectionFrame>
        {children}
        {conflicts.map((section) => (
          <ConflictNotice
            key={section}
            edited={{ conflict: conflictOf(section), takeTheirs: (path) => takeTheirs(section, path) }}
          />
        ))}
        <section className="stick" aria-label="Changes">
          <output className={refusal === undefined ? 'saved' : 'saved up-bad'}>
            {refusal ??
              (changed.length === 0 ? 'No changes' : `Not saved: ${changed.map((name) => labels[name]).join(', ')}`)}
          </output>
          <span className="ms-auto flex flex-wrap gap-2">
            {changed.length > 0 && (
              <Button variant="ghost" disabled={isSaving} onClick={undo}>
                {conflicts.length > 0 ? 'Load the current version' : 'Undo'}
              </Button>
            )}
            <Button
              type="submit"
              variant="primary"
              disabled={changed.length === 0}
              busy={isSaving ? 'Saving…' : undefined}
            >
              Save
            </Button>
          </span>
        </section>
      </form>
    </>
  );
}

type SectionFrameProps = {
  id: string;
  title: string;
  help: string;
  section: Pick<Section<unknown>, 'changedAt' | 'changedBy' | 'revision'>;
  children: ReactNode;
};

function SectionFrame({ id, title, help, section, children }: SectionFrameProps) {
  const { changedAt, changedBy } = section;
  return (
    <section className="settings-part" id={id} aria-labelledby={`${id}-heading`}>
      <header>
        <h2 id={`${id}-heading`}>{title}</h2>
        <p>{help}</p>
        <p>
          {changedAt === null ? (
            'Never changed.'
          ) : (
            <>
              Changed on <LocalTime at={changedAt} style="full" />
              {changedBy === null ? ' on the server' : ' by '}
              {changedBy !== null && (
                <Link className="ulink" to={href('/admin/users/:id', { id: changedBy.id })}>
                  {changedBy.username ?? 'an admin'}
                </Link>
              )}
              .
            </>
          )}
        </p>
      </header>
      <div>{children}</div>
    </section>
  );
}

type FieldsProps = {
  fields: SettingField[];
  typed: Typed;
  standard: Typed;
  faults: Typed;
  onType: (path: string, text: string) => void;
};

function Fields({ fields, typed, standard, faults, onType }: FieldsProps) {
  return (
    <div className="field-pair">
      {fields.map(({ path, label, hint, kind }) => {
        const [value, usual] = [typed[path] ?? '', standard[path] ?? ''];
        const isUsual = value === usual;
        return (
          <Field
            key={path}
            label={label}
            value={value}
            inputMode={kind === 'money' ? 'decimal' : kind === 'code' ? 'text' : 'numeric'}
            autoComplete="off"
            error={faults[path]}
            hint={
              hint === undefined && isUsual ? undefined : (
                <>
                  {hint}
                  {!isUsual && `${hint === undefined ? '' : ' '}Default: ${usual === '' ? 'empty' : usual}`}
                </>
              )
            }
            onChange={({ target }) => onType(path, target.value)}
          />
        );
      })}
    </div>
  );
}
