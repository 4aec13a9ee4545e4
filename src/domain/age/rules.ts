/** Asked of visitors before they enter; strictest last. */
export const ageRules = ['none', 'statement', 'proof'] as const;
export type AgeRule = (typeof ageRules)[number];

/** How long an answer counts. `device`: as long as the device keeps it. */
export const askedAgain = ['device', 'year', 'quarter'] as const;
export type AskedAgain = (typeof askedAgain)[number];

const days: Record<AskedAgain, number> = { device: Number.POSITIVE_INFINITY, year: 365, quarter: 90 };
const dayMs = 24 * 60 * 60 * 1000;

/** An ISO 3166-1 country (`FR`) or a state of the United States (`US-TX`). */
export type Region = string;

/** The place of the rule for regions without one, and for unknown ones. */
export const elsewhere = 'elsewhere';

export type PlaceRule = { place: Region | typeof elsewhere; rule: AgeRule; again: AskedAgain };

/** Ways to prove an age, as they are offered. The stand-in is for sites that only their own machine can open. */
export const ageWays = ['wallet', 'provider', 'stand-in'] as const;
export type AgeWay = (typeof ageWays)[number];

export const ageMethods = ['statement', ...ageWays] as const;
export type AgeMethod = (typeof ageMethods)[number];

/** `unchecked`: the answer does not fit the request, or its signatures do not hold. */
export const proofRefusals = ['not-of-age', 'denied', 'unchecked'] as const;
export type ProofRefusal = (typeof proofRefusals)[number];

/** An answer that a device or an account keeps. */
export type Confirmation = { method: AgeMethod; place: string; again: AskedAgain; until: Date | undefined };
/** `at`: when it was given. */
export type AccountConfirmation = { method: AgeMethod; at: Date };

/** The missing answer; `open`: none is missing. */
export type AgeGate = 'open' | 'statement' | 'proof';

/** `open`: legal texts, the account and its payments. `sound`: whatever lets people hear or read an audio. */
export type AgeClass = 'open' | 'page' | 'sound';

/** The server enforces it in front of every route, call and cache, beside `canPlay`. */
export function mayEnter(gate: AgeGate, of: AgeClass): boolean {
  return of === 'open' || gate === 'open' || (gate === 'statement' && of === 'page');
}

/** @param known what this device and this account have confirmed */
export function ageGate(
  { rule, again }: PlaceRule,
  known: { device?: Confirmation | undefined; account?: AccountConfirmation | undefined },
  now = new Date(),
): AgeGate {
  if (rule === 'none') return 'open';
  const { device, account } = known;
  const isStrong = (method: AgeMethod) => rule === 'statement' || method !== 'statement';
  const byDevice =
    device !== undefined &&
    isStrong(device.method) &&
    (device.until === undefined || device.until > now) &&
    days[device.again] <= days[again];
  // A proof for each new device is none for all devices of an account.
  const byAccount =
    account !== undefined &&
    isStrong(account.method) &&
    !(rule === 'proof' && again === 'device') &&
    account.at.getTime() + days[again] * dayMs > now.getTime();
  return byDevice || byAccount ? 'open' : rule;
}

/** Feeds and apps have no device that keeps a cookie: a proof for each new device counts there, once it was given. */
export function ageGateOfAccount(rule: PlaceRule, account: AccountConfirmation | undefined, now?: Date): AgeGate {
  const asYear: PlaceRule = rule.rule === 'proof' && rule.again === 'device' ? { ...rule, again: 'year' } : rule;
  return ageGate(asYear, { account }, now);
}

/** When an answer given now ends; undefined: never. */
export function endOf(again: AskedAgain, now = new Date()): Date | undefined {
  return again === 'device' ? undefined : new Date(now.getTime() + days[again] * dayMs);
}

/** The stricter of a state's rule and its country's, else the one for everywhere else. */
export function ruleFor(
  rules: ReadonlyMap<string, PlaceRule>,
  others: PlaceRule,
  region: Region | undefined,
): PlaceRule {
  if (region === undefined) return others;
  const own = rules.get(region);
  const dash = region.indexOf('-');
  const ofCountry = dash < 0 ? undefined : rules.get(region.slice(0, dash));
  if (own === undefined || ofCountry === undefined) return own ?? ofCountry ?? others;
  return byStrictness(own, ofCountry) <= 0 ? own : ofCountry;
}

function byStrictness(one: PlaceRule, other: PlaceRule): number {
  return ageRules.indexOf(other.rule) - ageRules.indexOf(one.rule) || days[one.again] - days[other.again];
}

/** Places keep the rule that they have. */
export function withRules<Rule extends { place: string }>(rules: readonly Rule[], added: readonly Rule[]): Rule[] {
  const has = new Set(rules.map(({ place }) => place));
  return [...rules, ...added.filter(({ place }) => !has.has(place))];
}

type RuleSet = { rules: readonly PlaceRule[]; others: PlaceRule };

/** Places whose visitors are asked for less than before, or less often. */
export function weakenedPlaces(before: RuleSet, after: RuleSet): string[] {
  const ruleIn = ({ rules, others }: RuleSet) => {
    const byPlace = new Map(rules.map((rule) => [rule.place, rule]));
    return (place: string) => ruleFor(byPlace, others, place === elsewhere ? undefined : place);
  };
  const [old, now] = [ruleIn(before), ruleIn(after)];
  const named = new Set([...before.rules, ...after.rules].map(({ place }) => place));
  return [...named, elsewhere].filter((place) => byStrictness(old(place), now(place)) < 0);
}
