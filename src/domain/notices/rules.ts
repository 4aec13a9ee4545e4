/** Rules of notices that the server, the pages and the mails share. */

export const noticeKinds = ['illegal', 'consent', 'minor', 'copyright', 'rights', 'rules'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** `page`: an address of the site that nobody but its operators wrote. */
export const noticeSubjects = ['audio', 'voice', 'comment', 'user', 'user-playlist', 'page'] as const;
export type NoticeSubject = (typeof noticeSubjects)[number];

export const noticeVerbs = ['keep', 'hide', 'remove'] as const;
export type NoticeVerb = (typeof noticeVerbs)[number];

export const noticeGrounds = ['none', 'law', 'consent', 'minor', 'copyright', 'rights', 'rules'] as const;
export type NoticeGround = (typeof noticeGrounds)[number];

/** Standard reasons of decisions; their words are in `wording-rules.ts`. */
export const cannedReasons = [
  'consent-withdrawn',
  'consent-on-record',
  'free-of-copyright',
  'work-of-others',
  'advertising',
  'no-violation',
] as const;
export type CannedReason = (typeof cannedReasons)[number];

export type NoticeSide = 'reporter' | 'owner';

/** Characters. */
export const noticeLengths = { line: 200, details: 5000, reasons: 2000 } as const;

/** For a decision. */
export const workingDays = 7;
export const appealMonths = 6;
/**
 * Name and email of a reporter stay this long after the last decision: six months in which one can appeal, and six in
 * which a body for disputes or a court may ask (DSA, articles 20 and 21).
 */
export const contactMonths = 12;
/** For marks of networks, by which the desk sees many reports from one place. */
export const networkDays = 30;
/** Mails follow after them, so that a decision can be undone. */
export const undoSeconds = 10;

export type ReportFields = {
  about: string;
  kind: string;
  country: string;
  law: string;
  work: string;
  owner: string;
  details: string;
  name: string;
  email: string;
  goodFaith: string;
};
export type ReportField = keyof ReportFields;
export const reportFields = [
  'about',
  'kind',
  'country',
  'law',
  'work',
  'owner',
  'details',
  'name',
  'email',
  'goodFaith',
] as const satisfies readonly ReportField[];

/** Fields that a kind asks for beside the details. */
const ofKind: Partial<Record<string, readonly ReportField[]>> = {
  illegal: ['country', 'law'],
  copyright: ['work', 'owner'],
};

/** Reporters of a minor need not say who they are. */
export function needsContact(kind: string): boolean {
  return kind !== 'minor';
}

export function asksFor(field: ReportField, kind: string): boolean {
  return ofKind[kind]?.includes(field) ?? false;
}

const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/u;

/** The fields that are missing or wrong, in the order of the form. */
export function faultsOf(fields: ReportFields): ReportField[] {
  const isEmpty = (field: ReportField) => fields[field].trim() === '';
  const { kind } = fields;
  return reportFields.filter((field) => {
    if (field === 'kind') return !(noticeKinds as readonly string[]).includes(kind);
    if (field === 'country' || field === 'law' || field === 'work' || field === 'owner')
      return asksFor(field, kind) && isEmpty(field);
    if (field === 'name') return needsContact(kind) && isEmpty(field);
    if (field === 'email') return isEmpty(field) ? needsContact(kind) : !emailPattern.test(fields.email.trim());
    return isEmpty(field);
  });
}

/** `N-2026-1148` */
export function numberOf({ number, createdAt }: { number: number; createdAt: Date }): string {
  return `N-${createdAt.getUTCFullYear()}-${number}`;
}

/** `r…h@adeyemi.example` */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = '', ...rest] = email.slice(0, at);
  return `${first}…${rest.at(-1) ?? ''}${email.slice(at)}`;
}

/** The place that a text names, such as “0:16 to 0:52”, in seconds. */
export function placeIn(text: string): { from: number; to: number } | undefined {
  const times = Array.from(
    text.matchAll(/\b(?:(\d{1,2}):)?(\d{1,3}):([0-5]\d)\b/g),
    ([, hours = '0', minutes = '0', seconds = '0']) => Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds),
  );
  const [from, to] = times;
  if (from === undefined) return undefined;
  return { from, to: to !== undefined && to > from ? to : from + 5 };
}
