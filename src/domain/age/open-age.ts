import { LRUCache } from 'lru-cache';
import { bind } from '../kernel/bind.ts';
import type { Db } from '../kernel/db.ts';
import type { Settings } from '../settings/open-settings.ts';
import * as confirmations from './confirmations.ts';
import { countryChoices, nameOf, placeChoices } from './places.ts';
import { agePresets, presetsWrittenOn } from './presets.ts';
import {
  type AgeMethod,
  type AgeRule,
  type Confirmation,
  type PlaceRule,
  type Region,
  elsewhere,
  endOf,
  ruleFor,
} from './rules.ts';
import { openSeeAs } from './see-as.ts';
import { openSeal } from './sealed.ts';
import * as proofs from './proof-requests.ts';
import { type AgeIssuers, type AgeSettings, ageSetting } from './settings.ts';
import { type AgeProvider, openWays } from './ways.ts';

/** `headers` are set by the proxy; the database is a file that knows the regions of addresses. */
export type RegionSources = { headers: readonly string[] | undefined; hasDatabase: boolean };

/** Rules of age by region, and the confirmations of devices and accounts. */
export function openAge({
  db,
  settings,
  secret,
  isOnlyLocal,
  siteUrl,
  provider,
  regionSources = { headers: undefined, hasDatabase: false },
}: {
  db: Db;
  settings: Pick<Settings, 'read'>;
  /** Key of the signed cookies. */
  secret: string;
  /** No other machine can open the site. */
  isOnlyLocal: boolean;
  siteUrl: string;
  /** Undefined: the operator has named none. */
  provider?: AgeProvider | undefined;
  regionSources?: RegionSources | undefined;
}) {
  const { seal, open } = openSeal(secret);
  /** For everybody until an operator sets another one. */
  const standard: Pick<PlaceRule, 'rule' | 'again'> = { rule: isOnlyLocal ? 'none' : 'statement', again: 'device' };
  const ways = openWays({ settings, provider, isOnlyLocal, siteUrl });
  // It proves nothing on a site that others can open, which may have been local before.
  const counts = (method: AgeMethod) => method !== 'stand-in' || isOnlyLocal;
  // Each check of a signature costs some microseconds, and the same devices come again.
  const opened = new LRUCache<string, { confirmation: Confirmation | undefined }>({ max: 10_000 });
  let made: { of: AgeSettings; rules: Map<string, PlaceRule>; others: PlaceRule; strictest: AgeRule } | undefined;

  function current() {
    const of = settings.read(ageSetting);
    if (made?.of === of) return made;
    const others: PlaceRule = { ...(of.others ?? standard), place: elsewhere };
    const all = [...of.rules, others];
    const has = (rule: AgeRule) => all.some((one) => one.rule === rule);
    return (made = {
      of,
      rules: new Map(of.rules.map((rule) => [rule.place, rule])),
      others,
      strictest: has('proof') ? 'proof' : has('statement') ? 'statement' : 'none',
    });
  }

  return {
    ...bind(db, confirmations),
    async findConfirmation(userId: string) {
      const found = await confirmations.findConfirmation(db, userId);
      return found && counts(found.method) ? found : undefined;
    },
    standard,
    ways,
    proofs: bind(db, proofs),
    regionSources,
    /** For the form of the rules. */
    placeChoices,
    countryChoices,
    nameOf,
    presets: agePresets,
    presetsWrittenOn,
    /** Others can open the site, and no operator has set the rule for everywhere else. */
    isDefaultUnseen: () => !isOnlyLocal && current().of.others === null,
    /** Proof is asked for only where there is a way to give it. */
    hasWayFor: (of: AgeSettings = settings.read(ageSetting), issuers?: AgeIssuers) => {
      const { rules, others } = of;
      return (
        ways.offered(of, issuers).length > 0 || ![...rules, others ?? standard].some(({ rule }) => rule === 'proof')
      );
    },
    /** The strictest rule of the site: nothing needs to be checked where it is `none`. */
    strictest: () => current().strictest,
    /** Whether a statement is asked for before anything, or at the first press on Play. */
    asksFirst: () => current().of.asks === 'first',
    /** Whether pages and feeds say that they are for adults. */
    isLabelled: () => current().of.ratingLabel,
    ruleFor(region: Region | undefined): PlaceRule {
      const { rules, others } = current();
      return ruleFor(rules, others, region);
    },
    /** For a device or an account that confirms now. */
    confirmationOf(method: AgeMethod, { place, again }: PlaceRule): Confirmation {
      return { method, place, again, until: endOf(again) };
    },
    ...openSeeAs(secret),
    seal,
    /** @returns undefined for what this site has not signed */
    open(sealed: string): Confirmation | undefined {
      const known = opened.get(sealed) ?? { confirmation: open(sealed) };
      opened.set(sealed, known);
      return known.confirmation && counts(known.confirmation.method) ? known.confirmation : undefined;
    },
  };
}
export type Age = ReturnType<typeof openAge>;
