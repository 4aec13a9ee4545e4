import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { href, Link } from 'react-router';
import type { LogEntry } from '#domain/admin/site/log.ts';
import { Avatar } from '../../ui/images/avatar.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { LocalTime, useTimeZone } from '../../workshop/local-time.tsx';
import { areaName, fieldName, valueText, sentenceOf } from './act-words.tsx';
import { formatDate } from '#formats/times.ts';
import { addDays, dayAt } from '#formats/zones.ts';

/** Entries grouped by the reader's days. */
export function LogEntries({ entries, now }: { entries: LogEntry[]; now: Date }) {
  const zone = useTimeZone();
  // Not `Map.groupBy`, which Safari has only since 17.4.
  const days = new Map<string, LogEntry[]>();
  for (const entry of entries) {
    const day = dayAt(entry.at, zone);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  const today = dayAt(now, zone);
  return (
    <div className="grid">
      {[...days].map(([day, entriesOfDay]) => (
        <section key={day} aria-label={formatDate(day)}>
          <h2 className="font-ui text-13 leading-none font-semibold text-muted pt-5.5 pb-2.5 tracking-normal">
            {dayName(day, today)}
          </h2>
          {entriesOfDay.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </section>
      ))}
    </div>
  );
}

function dayName(day: string, today: string): string {
  const date = formatDate(day);
  if (day === today) return t`Today, ${date}`;
  return day === addDays(today, -1) ? t`Yesterday, ${date}` : date;
}

function Entry({ entry }: { entry: LogEntry }) {
  const zone = useTimeZone();
  const { before, after } = entry;
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (fields.length === 0)
    return (
      <div className="log-entry">
        <div className="grid grid-cols-[52px_32px_minmax(0,1fr)_auto_20px] gap-x-3.5 items-center min-h-13 py-1.5 px-2.5 cursor-pointer list-none text-14 max-md:grid-cols-[32px_minmax(0,1fr)_20px] max-md:gap-y-0.5 max-md:gap-x-3 max-md:py-2.5 max-md:px-0">
          <Line entry={entry} />
          <span />
        </div>
      </div>
    );
  return (
    <details className="log-entry">
      <summary>
        <Line entry={entry} />
        <Icon of={ChevronRight} size={16} />
      </summary>
      <div className="log-changes">
        <table>
          <thead>
            <tr>
              <th scope="col">
                <Trans>Field</Trans>
              </th>
              <th scope="col">
                <Trans>Before</Trans>
              </th>
              <th scope="col">
                <Trans>After</Trans>
              </th>
            </tr>
          </thead>
          <tbody>
            {fields.map((name) => (
              <tr key={name}>
                <th scope="row">{fieldName(name)}</th>
                <td>
                  {before !== null && name in before ? <del>{valueText(before[name], zone, name, before)}</del> : '–'}
                </td>
                <td>
                  {after !== null && name in after ? <ins>{valueText(after[name], zone, name, after)}</ins> : '–'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <footer>
          <span>{sourceText(entry)}</span>
          <SubjectLink entry={entry} />
        </footer>
      </div>
    </details>
  );
}

function sourceText({ role, voice, address }: LogEntry): string {
  const parts = [
    roleTexts[role](),
    voice && t`in ${{ creator: voice.name }}`,
    address !== null && t`from ${{ address }}`,
  ];
  return parts.filter(Boolean).join(', ');
}

const roleTexts: Record<LogEntry['role'], () => string> = {
  operator: () => t`From the command line, or automatic`,
  admin: () => t`As admin`,
  moderator: () => t`As moderator`,
  owner: () => t`As owner`,
  editor: () => t`As editor`,
  performer: () => t`By the link of a consent`,
};

function Line({ entry }: { entry: LogEntry }) {
  const { at, by, name, role, subject } = entry;
  const isOwn = by !== null && by.id === subject.id;
  const who =
    by?.username ??
    name ??
    (role === 'operator' ? t`Command line` : role === 'performer' ? t`A performer` : t`A deleted account`);
  return (
    <>
      <LocalTime at={at} style="clock" />
      <Avatar name={by?.icon ?? who} color={by?.color} size={24} />
      <span>
        {sentenceOf(entry.action, isOwn, {
          who: <b>{who}</b>,
          subject: <b>{isOwn ? t`themselves` : subject.name}</b>,
        })}
      </span>
      <span className="state-mark log-area">{areaName(entry.action.split('.')[0] ?? '')}</span>
    </>
  );
}

function SubjectLink({ entry: { subject } }: { entry: LogEntry }) {
  const to =
    subject.type === 'user'
      ? href('/admin/users/:id', { id: subject.id })
      : subject.type === 'audio'
        ? href('/audio/:slug', { slug: subject.id })
        : undefined;
  return (
    to && (
      <Link className="link text-13" to={to}>
        {t`Open ${{ name: subject.name }}`}
      </Link>
    )
  );
}
