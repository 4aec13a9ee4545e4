import { type Language, firstKnown } from '#formats/languages.ts';
import { emailPattern, normalizeEmail } from '../../identity/rules.ts';
import { readCsv } from '../../kernel/csv.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import { isPlainLine } from '../../kernel/forms.ts';
import { dropUnwanted } from '../../kernel/rules.ts';
import { type MemberColumn, type MemberRefusal, maxImportedMembers, maxPaidYears, memberColumns } from './rules.ts';

/** A line of the file; what cannot be read is null, and `reason` says why the line is refused. */
type ReadMember = {
  line: number;
  email: string | null;
  paidUntil: Date | null;
  plan: string | null;
  language: Language | null;
  customerId: string | null;
  reason: MemberRefusal | null;
};

export type ReadMembers =
  | { ok: true; members: ReadMember[] }
  | { ok: false; reason: Extract<ErrorCode, `member-import/${string}`> };

const planLength = 100;
const dayMs = 24 * 60 * 60 * 1000;

/** Reads a file of members. It has been decoded as UTF-8. */
export function readMembers(text: string, now = new Date()): ReadMembers {
  // U+FFFD: it was not UTF-8.
  const rows = text.includes('\uFFFD') ? undefined : readCsv(text);
  if (rows === undefined) return { ok: false, reason: 'member-import/not-csv' };
  const [head, ...lines] = rows;
  const columns = columnsOf(head?.cells ?? []);
  if (columns.email === undefined || (columns.paidUntil ?? columns.customerId) === undefined)
    return { ok: false, reason: 'member-import/no-columns' };
  if (lines.length === 0) return { ok: false, reason: 'member-import/empty' };
  if (lines.length > maxImportedMembers) return { ok: false, reason: 'member-import/too-many' };
  const emails = new Set<string>();
  const customers = new Set<string>();
  const members = lines.map(({ line, cells }) => {
    const member = readMember(line, (column) => cells[columns[column] ?? -1]?.trim() ?? '', now);
    const { email, customerId } = member;
    if (member.reason === null && email !== null && emails.has(email)) member.reason = 'twice';
    if (member.reason === null && customerId !== null && customers.has(customerId)) member.reason = 'customer-twice';
    if (member.reason === null) {
      if (email !== null) emails.add(email);
      if (customerId !== null) customers.add(customerId);
    }
    return member;
  });
  return { ok: true, members };
}

/** Letters alone, in lower case: `Paid until` and `paid_until` are the same. */
const plainName = (name: string) =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

function columnsOf(head: string[]): Partial<Record<MemberColumn, number>> {
  const names = head.map(plainName);
  const found: Partial<Record<MemberColumn, number>> = {};
  for (const [column, known] of Object.entries(memberColumns) as [MemberColumn, readonly string[]][]) {
    // In the order of the list: a file may have several columns that would do.
    const name = known.map(plainName).find((one) => names.includes(one));
    if (name !== undefined) found[column] = names.indexOf(name);
  }
  return found;
}

function readMember(line: number, cellOf: (column: MemberColumn) => string, now: Date): ReadMember {
  const email = normalizeEmail(cellOf('email'));
  const isEmail = email.length <= 254 && emailPattern.test(email);
  const customer = cellOf('customerId');
  const until = cellOf('paidUntil');
  const paidUntil = until === '' ? null : (readTime(until) ?? null);
  const member: ReadMember = {
    line,
    email: isEmail ? email : null,
    paidUntil,
    plan: readPlan(cellOf('plan')),
    language: firstKnown([cellOf('language').replaceAll('_', '-')]) ?? null,
    customerId: isCustomer(customer) ? customer : null,
    reason: null,
  };
  const latest = new Date(now);
  latest.setUTCFullYear(now.getUTCFullYear() + maxPaidYears);
  if (!isEmail) member.reason = 'no-email';
  else if (customer !== '' && member.customerId === null) member.reason = 'bad-customer';
  // The time that is paid at the provider counts, whatever the file says.
  else if (member.customerId !== null) member.paidUntil = null;
  else if (until === '') member.reason = 'no-time';
  else if (paidUntil === null || paidUntil > latest) member.reason = 'bad-date';
  else if (paidUntil <= now) member.reason = 'over';
  return member;
}

/** Ids of Stripe. */
function isCustomer(text: string): boolean {
  return /^cus_[A-Za-z0-9]{1,100}$/.test(text);
}

function readPlan(text: string): string | null {
  const plan = [...dropUnwanted(text)].slice(0, planLength).join('');
  return plan !== '' && isPlainLine(plan) ? plan : null;
}

/**
 * `2027-03-31`, `31.03.2027`, or with a time: `2027-03-31 10:00`, `2027-03-31T10:00:00Z`. In UTC, unless it names another
 * zone; a day is paid for whole. Not `3/4/2027`, which is another day in America than in Europe.
 */
function readTime(text: string): Date | undefined {
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? [];
  const iso = year === undefined ? text : `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
  const parts = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?) ?(Z|UTC|[+-]\d\d:?\d\d)?)?$/i.exec(iso);
  if (parts === null) return undefined;
  const [, date = '', clock, zone = 'Z'] = parts;
  const start = new Date(`${date}T00:00:00Z`);
  // `2027-02-31` would be 3 March.
  if (Number.isNaN(start.getTime()) || start.toISOString().slice(0, 10) !== date) return undefined;
  if (clock === undefined) return new Date(start.getTime() + dayMs);
  const named = /^(?:Z|UTC)$/i.test(zone) ? 'Z' : zone.replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2');
  const withZone = `${date}T${clock}${named}`;
  const at = new Date(withZone);
  return Number.isNaN(at.getTime()) ? undefined : at;
}
