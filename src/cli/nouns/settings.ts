import { sections } from '#domain/admin/site-settings.ts';
import type { SectionName } from '#domain/admin/site-settings.ts';
import { operator } from '#domain/kernel/actor.ts';
import { hasCents } from '#domain/membership/settings.ts';
import type { Site } from '#domain/site.ts';
import { UsageError } from '../command.ts';
import { defineNoun, done, readForm } from '../noun.ts';

type Value = string | number | boolean | null;
type Place = { section: SectionName; path: string[] };

/** Names of settings, such as `price.month`, and their path in their section. */
const places: Record<string, Place> = {
  currency: { section: 'membership', path: ['currency'] },
  'price.month': { section: 'membership', path: ['plans', 'month'] },
  'price.year': { section: 'membership', path: ['plans', 'year'] },
  'trial.days': { section: 'membership', path: ['trialDays'] },
  'grace.days': { section: 'membership', path: ['graceDays'] },
  'gift-card.1': { section: 'membership', path: ['giftCards', '1'] },
  'gift-card.3': { section: 'membership', path: ['giftCards', '3'] },
  'gift-card.6': { section: 'membership', path: ['giftCards', '6'] },
  'gift-card.12': { section: 'membership', path: ['giftCards', '12'] },
  'feature.sign-up': { section: 'features', path: ['signUp'] },
  'feature.comments': { section: 'features', path: ['comments'] },
  'feature.user-playlists': { section: 'features', path: ['userPlaylists'] },
  'feature.gift-cards': { section: 'features', path: ['giftCards'] },
  'feature.blog': { section: 'features', path: ['blog'] },
  'limit.comments-per-hour': { section: 'limits', path: ['commentsPerHour'] },
  'limit.reports-to-hide': { section: 'limits', path: ['reportsToHide'] },
  'limit.uploads-per-day': { section: 'limits', path: ['uploadsPerDay'] },
  'limit.upload-gigabytes-per-day': { section: 'limits', path: ['uploadGigabytesPerDay'] },
  'limit.unfinished-uploads': { section: 'limits', path: ['unfinishedUploads'] },
};

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

/** Parsed like the existing value: switches are on or off, everything but the currency is a whole number. */
function readValue(name: string, text: string): Value {
  const { section } = placeOf(name);
  if (section === 'features') {
    if (text !== 'on' && text !== 'off') throw new UsageError(`"${text}" is neither on nor off`);
    return text === 'on';
  }
  if (name === 'currency') {
    if (!/^[a-z]{3}$/.test(text) || !hasCents(text))
      throw new UsageError(`"${text}" is not a currency with cents, such as usd`);
    return text;
  }
  if (text === 'default') return null;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`"${text}" is not a whole number`);
  return Number(text);
}

async function change(site: Site, name: string, valueOf: (standard: unknown) => Value): Promise<string> {
  const { section, path } = placeOf(name);
  const { value: before, standard, revision } = (await site.admin.findSiteSettings(operator))[section];
  const value = readForm(sections[section].setting.schema, withAt(before, path, valueOf(standard)));
  done(await site.admin.changeSection(operator, section, { value: value as never, revision }));
  return `${name} is ${written(readAt(value, path))}.`;
}

export const settingsCommand = defineNoun(
  'settings',
  `Settings that change while the site runs. Prices are in cents, switches are on or off. Current subscribers keep their price. Settings of the environment are not among them.`,
  {
    list: {
      description: 'every setting with its value',
      async run({ site }, { context }) {
        const all = await site.admin.findSiteSettings(operator);
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
        return written(readAt((await site.admin.findSiteSettings(operator))[section].value, path));
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
