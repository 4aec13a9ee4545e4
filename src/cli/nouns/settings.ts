import { sections } from '#domain/admin/site/site-settings.ts';
import type { SectionName } from '#domain/admin/site/site-settings.ts';
import { operator } from '#domain/kernel/actor.ts';
import { giftCardMonths, membershipBounds } from '#domain/membership/rules.ts';
import { hasCents } from '#formats/numbers.ts';
import { features, limitBounds } from '#domain/settings/rules.ts';
import type { Site } from '#domain/site.ts';
import { UsageError } from '../command.ts';
import { defineNoun, done, readForm } from '../noun.ts';

type Value = string | number | boolean | null;
type Place = { section: SectionName; path: string[]; bounds?: readonly [number, number] };

const { cents, trialDays, graceDays } = membershipBounds;

/** Names of settings, such as `price.month`, and their path in their section. */
const places: Record<string, Place> = {
  currency: { section: 'membership', path: ['currency'] },
  'price.month': { section: 'membership', path: ['plans', 'month'], bounds: cents },
  'price.year': { section: 'membership', path: ['plans', 'year'], bounds: cents },
  'trial.days': { section: 'membership', path: ['trialDays'], bounds: trialDays },
  'grace.days': { section: 'membership', path: ['graceDays'], bounds: graceDays },
  ...placesOf('gift-card', giftCardMonths, (months) => ({
    section: 'membership',
    path: ['giftCards', String(months)],
    bounds: cents,
  })),
  ...placesOf('feature', features, (feature) => ({ section: 'features', path: [feature] })),
  ...placesOf('limit', Object.keys(limitBounds) as (keyof typeof limitBounds)[], (limit) => ({
    section: 'limits',
    path: [limit],
    bounds: limitBounds[limit],
  })),
};

function placesOf<Key extends string | number>(prefix: string, keys: readonly Key[], placeOfKey: (key: Key) => Place) {
  const inWords = (key: Key) => String(key).replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return Object.fromEntries(keys.map((key) => [`${prefix}.${inWords(key)}`, placeOfKey(key)]));
}

function placeOf(name: string): Place {
  const place = Object.hasOwn(places, name) ? places[name] : undefined;
  if (place === undefined) throw new UsageError(`there is no setting "${name}"; see settings list`);
  return place;
}

function readAt(value: unknown, path: string[]): Value {
  return path.reduce((part, key) => (part as Record<string, unknown>)[key], value) as Value;
}

function withAt(value: unknown, [key = '', ...rest]: string[], given: Value): Record<string, unknown> {
  const before = value as Record<string, unknown>;
  return { ...before, [key]: rest.length === 0 ? given : withAt(before[key], rest, given) };
}

const written = (value: Value) =>
  value === true ? 'on' : value === false ? 'off' : value === null ? 'default' : String(value);

/** Without a value of their own, the one of the environment applies. */
const hasServerDefault = new Set(['limit.uploads-per-day', 'limit.upload-gigabytes-per-day']);

/** Parsed like the existing value: switches are on or off, everything but the currency is a whole number. */
function readValue(name: string, text: string): Value {
  const { section, bounds: [min, max] = [0, Infinity] } = placeOf(name);
  if (section === 'features') {
    if (text !== 'on' && text !== 'off') throw new UsageError(`"${text}" is neither on nor off`);
    return text === 'on';
  }
  if (name === 'currency') {
    if (!/^[a-z]{3}$/.test(text) || !hasCents(text))
      throw new UsageError(`"${text}" is not a currency with cents, such as usd`);
    return text;
  }
  if (text === 'default' && hasServerDefault.has(name)) return null;
  if (!/^\d{1,9}$/.test(text) || Number(text) < min || Number(text) > max)
    throw new UsageError(`"${text}" is not a whole number from ${min} to ${max}`);
  return Number(text);
}

async function change(site: Site, name: string, valueOf: (standard: unknown) => Value): Promise<string> {
  const { section, path } = placeOf(name);
  const { value: before, standard, revision } = (await site.admin.site.findSiteSettings(operator))[section];
  const value = readForm(sections[section].setting.schema, withAt(before, path, valueOf(standard)));
  done(await site.admin.site.changeSection(operator, section, { value: value as never, revision }));
  return `${name} is ${written(readAt(value, path))}.`;
}

export const settingsCommand = defineNoun(
  'settings',
  `Settings that change while the site runs. Prices are in cents, switches are on or off. Current subscribers keep their price. Settings of the environment are not among them.`,
  {
    list: {
      description: 'every setting with its value',
      async run({ site }, { context }) {
        const all = await site.admin.site.findSiteSettings(operator);
        for (const [name, { section, path }] of Object.entries(places)) {
          const { value, standard } = all[section];
          const [now, usual] = [readAt(value, path), readAt(standard, path)];
          context.print(`${name.padEnd(32)}${written(now)}${now === usual ? '' : `  (by default ${written(usual)})`}`);
        }
        return undefined;
      },
    },
    get: {
      words: '<setting>',
      description: 'prints its value',
      check: ({ words: [name = ''] }) => void placeOf(name),
      async run({ site }, { words: [name = ''] }) {
        const { section, path } = placeOf(name);
        return written(readAt((await site.admin.site.findSiteSettings(operator))[section].value, path));
      },
    },
    set: {
      words: '<setting> <value>',
      description: 'changes it, such as settings set price.month 899',
      check: ({ words: [name = '', text = ''] }) => void readValue(name, text),
      run: ({ site }, { words: [name = '', text = ''] }) => change(site, name, () => readValue(name, text)),
    },
    reset: {
      words: '<setting>',
      description: 'resets it to its default',
      check: ({ words: [name = ''] }) => void placeOf(name),
      run: ({ site }, { words: [name = ''] }) => change(site, name, (standard) => readAt(standard, placeOf(name).path)),
    },
  },
);
