import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import X from 'lucide-react/icons/x';
import type { FooterValue } from '#domain/look/forms.ts';
import { lookLengths } from '#domain/look/rules.ts';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { moved } from '#web/workshop/forms/hand-order.tsx';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import { actNamed } from './settings-section.tsx';
import { type PartFacts, LookSection } from './look-section.tsx';

type Group = NonNullable<FooterValue['groups']>[number];

/** The default footer, to start from. */
const ownLinks = (): Group[] => [
  {
    title: null,
    links: [
      { label: t`Blog`, to: '/blog' },
      { label: t`Gift cards`, to: '/gift-card' },
      { label: t`Terms of Service`, to: '/terms' },
      { label: t`Privacy Policy`, to: '/privacy' },
    ],
  },
];

/** Line and links of the footer on every page. */
export function LookFooter({ part, now }: { part: PartFacts & { value: FooterValue }; now: number }) {
  const { revision } = part;
  const edited = useEdited<FooterValue>({
    key: 'look footer',
    subject: { type: 'settings', id: 'look-footer' },
    saved: part.value,
    send: (value) => answerOf(api.admin.look.footer.$put({ json: { value, revision } })),
    done: t`Footer saved`,
  });
  const { line, groups } = edited.values;
  const setGroups = (next: Group[] | null) => edited.change({ groups: next });
  const setGroup = (at: number, group: Group) =>
    setGroups((groups ?? []).map((one, index) => (index === at ? group : one)));
  return (
    <LookSection
      part="footer"
      title={t`Footer`}
      help={t`Below every page, after the copyright with the year and the name. Keep links to your terms and your privacy policy.`}
      facts={part}
      now={now}
      edited={edited}
    >
      <Field
        label={t`Line`}
        value={line ?? ''}
        placeholder={t`For listeners aged 18 and over.`}
        maxLength={lookLengths.footerLine}
        onChange={(event) => edited.change({ line: event.target.value === '' ? null : event.target.value })}
      />
      {groups === null ? (
        <div>
          <p className="hint mb-2">
            <Trans>The links of the site: Blog, Gift cards, Terms of Service, Privacy Policy.</Trans>
          </p>
          <Button size="sm" onClick={() => setGroups(ownLinks())}>
            {t`Change the links`}
          </Button>
        </div>
      ) : (
        <>
          {groups.map((group, index) => (
            <GroupFields
              key={index}
              number={index + 1}
              group={group}
              onChange={(next) => setGroup(index, next)}
              onRemove={() => setGroups(groups.toSpliced(index, 1))}
            />
          ))}
          <div className="flex flex-wrap gap-2">
            <Button
              size="sm"
              disabled={groups.length >= 6}
              onClick={() => setGroups([...groups, { title: null, links: [{ label: '', to: '/' }] }])}
            >
              {t`Add a group`}
            </Button>
            <Button size="sm" variant="ghost" onClick={() => setGroups(null)}>
              {t`Use the links of the site`}
            </Button>
          </div>
        </>
      )}
    </LookSection>
  );
}

type GroupFieldsProps = { number: number; group: Group; onChange: (group: Group) => void; onRemove: () => void };

function GroupFields({ number, group, onChange, onRemove }: GroupFieldsProps) {
  const { title, links } = group;
  const setLink = (at: number, change: Partial<Group['links'][number]>) =>
    onChange({ ...group, links: links.map((link, index) => (index === at ? { ...link, ...change } : link)) });
  return (
    <fieldset className="field-list rounded-card border border-line p-4">
      <legend className="px-1 font-semibold">{t`Group ${number}`}</legend>
      <Field
        label={t`Heading of group ${number}`}
        isOptional
        value={title ?? ''}
        maxLength={lookLengths.footerTitle}
        onChange={(event) => onChange({ ...group, title: event.target.value === '' ? null : event.target.value })}
      />
      {links.map((link, index) => {
        const place = index + 1;
        const name = link.label === '' ? t`Link ${place}` : link.label;
        return (
          <div key={index} className="flex flex-wrap items-end gap-2">
            <Field
              className="min-w-32 flex-1"
              label={t`Text of link ${place}`}
              value={link.label}
              maxLength={lookLengths.footerLabel}
              onChange={(event) => setLink(index, { label: event.target.value })}
            />
            <Field
              className="min-w-40 flex-1"
              label={t`Address of link ${place}`}
              value={link.to}
              maxLength={500}
              onChange={(event) => setLink(index, { to: event.target.value })}
            />
            <span className="flex">
              {([-1, 1] as const).map((by) => (
                <IconButton
                  key={by}
                  label={by < 0 ? t`Move up: ${name}` : t`Move down: ${name}`}
                  icon={by < 0 ? ArrowUp : ArrowDown}
                  disabled={links[index + by] === undefined}
                  onClick={() => onChange({ ...group, links: moved(links, index, index + by) })}
                />
              ))}
              <IconButton
                label={t`Remove: ${name}`}
                icon={X}
                disabled={links.length === 1}
                onClick={() => onChange({ ...group, links: links.toSpliced(index, 1) })}
              />
            </span>
          </div>
        );
      })}
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          onClick={() => onChange({ ...group, links: [...links, { label: '', to: '/' }] })}
          {...actNamed(t`Add a link`, t`Group ${number}`)}
        />
        <Button size="sm" variant="ghost" onClick={onRemove} {...actNamed(t`Remove`, t`Group ${number}`)} />
      </div>
    </fieldset>
  );
}
