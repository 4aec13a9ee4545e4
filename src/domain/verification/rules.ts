/** Decisions of operators on a check that was made outside of the site. */
export const decisions = ['verified', 'refused', 'withdrawn'] as const;
export type Decision = (typeof decisions)[number];

export const verificationStates = ['none', 'waiting', 'verified', 'ends-soon', 'refused', 'withdrawn'] as const;
/** `none`: never checked, or the check has ended. */
export type VerificationState = (typeof verificationStates)[number];

/** Owners are reminded this long before a check ends. */
export const reminderDays = 30;

export const verificationLengths = { method: 120, reference: 120, reason: 1000, appeal: 2000 } as const;

type Facts = {
  decision: Decision | null;
  /** Days, as `2026-11-30`. */
  verifiedUntil: string | null;
  askAgainOn: string | null;
  isAsked: boolean;
};

/** A check counts on its last day, too. @param today as `2026-11-30` */
export function isVerified(
  { decision, verifiedUntil }: Pick<Facts, 'decision' | 'verifiedUntil'>,
  today: string,
): boolean {
  return decision === 'verified' && verifiedUntil !== null && verifiedUntil >= today;
}

/** A request does not end a check that still counts. */
export function verificationStateOf(facts: Facts, today: string): VerificationState {
  if (isVerified(facts, today)) {
    const soon = new Date(Date.parse(today) + reminderDays * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
    return (facts.verifiedUntil ?? today) <= soon ? 'ends-soon' : 'verified';
  }
  if (facts.isAsked) return 'waiting';
  return facts.decision === null || facts.decision === 'verified' ? 'none' : facts.decision;
}

/**
 * An owner may send a request, an appeal against the last decision, or nothing. A provider may check them unless an
 * operator has decided against them, which only an operator can change.
 */
export function findRights(
  facts: Facts,
  today: string,
): { mayAsk: boolean; mayAppeal: boolean; mayBeChecked: boolean } {
  const state = verificationStateOf(facts, today);
  const isDecidedAgainst = state === 'refused' || state === 'withdrawn';
  const isOver = state === 'refused' && facts.askAgainOn !== null && facts.askAgainOn <= today;
  const isOpen = facts.decision === null || facts.decision === 'verified';
  return {
    mayBeChecked: (isOpen && state !== 'verified') || isOver,
    mayAsk: !facts.isAsked && (state === 'none' || state === 'ends-soon' || isOver),
    mayAppeal: !facts.isAsked && isDecidedAgainst,
  };
}

export const todayOf = (now = new Date()): string => now.toISOString().slice(0, 10);

export const agreementLength = 50_000;

/** A heading or a paragraph of an agreement. */
export type AgreementBlock = { kind: 'heading' | 'paragraph'; text: string; isNew: boolean };

const blocksIn = (text: string) =>
  text
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== '');

/** @param former the text that was agreed to; undefined: none was, so nothing is marked */
export function agreementBlocks(text: string, former: string | undefined): AgreementBlock[] {
  const known = former === undefined ? undefined : new Set(blocksIn(former));
  return blocksIn(text).map((block) => {
    const [, heading] = /^#+\s+(.*)$/s.exec(block) ?? [];
    const isNew = known !== undefined && !known.has(block);
    return {
      kind: heading === undefined ? 'paragraph' : 'heading',
      text: (heading ?? block).replaceAll('\n', ' '),
      isNew,
    };
  });
}

export const consentStates = ['asked', 'given', 'refused', 'withdrawn'] as const;
export type ConsentState = (typeof consentStates)[number];

/** Performers agree to these, in the order in which they are asked. Publication needs the first two. */
export const consentParts = ['recorded', 'published', 'downloaded'] as const;
export type ConsentPart = (typeof consentParts)[number];

export const performerNameLength = 80;
/** An unanswered link ends after this time. */
export const linkDays = 14;
/** Performers of one audio. */
export const maxPerformers = 50;

/** `h…n@post.example`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const letters = Array.from(email.slice(0, at));
  return `${letters[0] ?? ''}…${letters.length > 2 ? (letters.at(-1) ?? '') : ''}${email.slice(at)}`;
}
