import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { formatMoney } from '#formats/numbers.ts';
import { type Language, languageCodes, sourceLanguage } from '#formats/languages.ts';
import { formatNames } from '#formats/names.ts';
import { socialNames } from '../identity/social-rules.ts';
import { isPlain, notPlain, tooLong } from '../kernel/forms.ts';
import type { Sentence } from '../kernel/errors.ts';
import type { Offer } from '../membership/shapes.ts';
import type { Setting } from '../settings/setting.ts';
import { renderMarkdown } from './markdown.ts';
import { i18n, inLanguage, language } from '#i18n';

export const infoPageNames = ['about', 'terms', 'privacy'] as const;
export type InfoPageName = (typeof infoPageNames)[number];

export type InfoPage = {
  title: string;
  description: string;
  /** Sanitized by `renderMarkdown`. */
  html: string;
  /** Its sections, in order; each has its id in the HTML. */
  contents: { id: string; title: string }[];
  /** Absent: that of the reader. */
  language?: Language;
};

/** The operator's legal details; missing ones are omitted. */
export type Operator = { name?: string | undefined; address?: string | undefined; email?: string | undefined };

export type InfoFacts = {
  /** Replaces `{site}` in the texts. */
  name: string;
  operator?: Operator | undefined;
  /** Analytics are also forwarded to a third-party service. */
  isForwarding?: boolean | undefined;
  /** Host of the service that drafts transcripts. */
  speechHost?: string | undefined;
  /** Names of the payment providers. */
  paymentTitles: readonly string[];
};

export const infoTextLength = 100_000;

const InfoText = z.object({
  text: z
    .string(notPlain)
    .max(infoTextLength, tooLong(infoTextLength))
    .refine(isPlain, notPlain)
    .transform((text) => text.replaceAll('\r\n', '\n').trim())
    .nullable()
    .default(null),
});

/** The operator's text of a page; null: the site's own. */
export function infoPageSetting(name: InfoPageName): Setting<typeof InfoText> {
  return { key: `info-${name}`, schema: InfoText };
}

const notDays = {
  error: () => i18n._(/*i18n*/ { id: 'retention-form.days', message: 'Write a whole number from 1 to 3650' }),
};
const days = z.number(notDays).int(notDays).min(1, notDays).max(3650, notDays);

const Retention = z.object({
  logDays: days.nullable().default(null),
  backupDays: days.nullable().default(null),
});
export type Retention = z.output<typeof Retention>;

/** How long the operator keeps logs and backups; only they know. Null: not stated. */
export const retention: Setting<typeof Retention> = { key: 'retention', schema: Retention };

/** The placeholders of the texts, with their meaning for operators. */
export const infoPlaceholders = {
  site: () => i18n._(/*i18n*/ { id: 'info.placeholder.site', message: 'Name of the site' }),
  operator: () => i18n._(/*i18n*/ { id: 'info.placeholder.operator', message: 'Name of the operator' }),
  imprint: () =>
    i18n._(/*i18n*/ { id: 'info.placeholder.imprint', message: 'Name, address and email of the operator' }),
  month: () => i18n._(/*i18n*/ { id: 'info.placeholder.month', message: 'Price of a month' }),
  year: () => i18n._(/*i18n*/ { id: 'info.placeholder.year', message: 'Price of a year' }),
  yearPerMonth: () => i18n._(/*i18n*/ { id: 'info.placeholder.yearPerMonth', message: 'Price of a year, per month' }),
  begins: () =>
    i18n._(/*i18n*/ { id: 'info.placeholder.begins', message: 'A sentence on the free trial; empty without one' }),
  trial: () => i18n._(/*i18n*/ { id: 'info.placeholder.trial', message: 'A paragraph on the free trial' }),
  grace: () => i18n._(/*i18n*/ { id: 'info.placeholder.grace', message: 'Sentences on access after a failed payment' }),
  logs: () => i18n._(/*i18n*/ { id: 'info.placeholder.logs', message: 'How long logs are kept' }),
  backups: () => i18n._(/*i18n*/ { id: 'info.placeholder.backups', message: 'How long deleted data stays in backups' }),
  forwarding: () => i18n._(/*i18n*/ { id: 'info.placeholder.forwarding', message: 'Where analytics go' }),
  named: () => i18n._(/*i18n*/ { id: 'info.placeholder.named', message: 'What linked analytics mean' }),
  payments: () => i18n._(/*i18n*/ { id: 'info.placeholder.payments', message: 'Names of the payment providers' }),
  social: () => i18n._(/*i18n*/ { id: 'info.placeholder.social', message: 'Names of the providers of social sign-in' }),
  service: () =>
    i18n._(
      /*i18n*/ {
        id: 'info.placeholder.service',
        message: 'The analytics service as an item of a list; empty without one',
      },
    ),
} as const;

type Values = Record<keyof typeof infoPlaceholders, string>;

/** Reason why a text cannot be a page; undefined for a valid one. */
export function findInfoFault(text: string): Sentence | undefined {
  const unknown = [...text.matchAll(/\{(\w+)\}/g)].find(([, name = '']) => !Object.hasOwn(infoPlaceholders, name))?.[1];
  if (unknown !== undefined) {
    const all = Object.keys(infoPlaceholders).map((name) => `{${name}}`);
    return /*i18n*/ {
      id: 'info.unknown-placeholder',
      message: '{name} is no placeholder. These are: {all}.',
      values: { name: `{${unknown}}`, all: all.join(', ') },
    };
  }
  return /^# \S.*\n\s*\n\s*[^#\s]/.test(text)
    ? undefined
    : /*i18n*/ {
        id: 'info.no-heading',
        message: 'Begin with a line such as "# About", then an empty line and one paragraph that describes the page.',
      };
}

export type InfoPages = {
  /** The site's own texts. */
  defaults: Record<Language, Record<InfoPageName, string>>;
  /** @param own the operator's; undefined, or one with placeholders unknown to this version: the site's own is used */
  render(
    name: InfoPageName,
    own: { text: string; language: Language } | undefined,
    offer: Offer,
    kept: Retention,
  ): Promise<InfoPage>;
};

/** Loads the texts of `texts/`, in all languages: first line `# title`, second paragraph the description. */
export async function loadInfoPages(facts: InfoFacts): Promise<InfoPages> {
  const texts = Object.fromEntries(
    await Promise.all(languageCodes.map(async (code) => [code, await loadTexts(code)] as const)),
  ) as Record<Language, Record<InfoPageName, string>>;
  return {
    defaults: texts,
    async render(name, own, offer, kept) {
      const shown =
        own !== undefined && findInfoFault(own.text) === undefined
          ? own
          : { text: texts[language()][name], language: language() };
      const { language: code } = shown;
      const values: Values = inLanguage(code, () => ({
        ...valuesOfSite(facts),
        ...valuesOfOffer(offer),
        ...valuesOfRetention(kept),
      }));
      const filled = shown.text.replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key as keyof Values]);
      const [heading = '', description = '', ...rest] = filled.split(/\n{2,}/);
      return {
        title: unescapeMarkdown(heading.replace(/^#\s*/, '')),
        description: unescapeMarkdown(description),
        ...(await withContents(rest.join('\n\n'))),
        ...(code !== language() && { language: code }),
      };
    },
  };
}

async function loadTexts(code: Language): Promise<Record<InfoPageName, string>> {
  const folder = code === sourceLanguage ? './texts' : `./texts/${code}`;
  const texts = infoPageNames.map(async (name) => {
    const text = await readFile(new URL(`${folder}/${name}.md`, import.meta.url), 'utf8');
    // Translations begin with a note for whoever edits them.
    return [name, text.replace(/^<!--.*-->\n+/, '')] as const;
  });
  return Object.fromEntries(await Promise.all(texts)) as Record<InfoPageName, string>;
}

function valuesOfRetention({ logDays, backupDays }: Retention): Pick<Values, 'logs' | 'backups'> {
  return {
    logs:
      logDays === null
        ? i18n._(/*i18n*/ { id: 'info.logs', message: 'Logs are deleted once they are no longer needed for that.' })
        : i18n._(
            /*i18n*/ {
              id: 'info.logs-days',
              message:
                '{days, plural, one {Logs are deleted after # day at the latest.} other {Logs are deleted after # days at the latest.}}',
              values: { days: logDays },
            },
          ),
    backups:
      backupDays === null
        ? i18n._(
            /*i18n*/ { id: 'info.backups', message: 'It is gone from our backups once newer ones have replaced them.' },
          )
        : i18n._(
            /*i18n*/ {
              id: 'info.backups-days',
              message:
                '{days, plural, one {It is gone from our backups within # day after.} other {It is gone from our backups within # days after.}}',
              values: { days: backupDays },
            },
          ),
  };
}

async function withContents(source: string): Promise<Pick<InfoPage, 'html' | 'contents'>> {
  const contents: InfoPage['contents'] = [];
  const html = (await renderMarkdown(source)).replaceAll(/<h2>([\s\S]*?)<\/h2>/g, (_, inner: string) => {
    const id = `section-${contents.length + 1}`;
    contents.push({ id, title: toText(inner) });
    return `<h2 id="${id}">${inner}</h2>`;
  });
  return { html, contents };
}

/** Values of the placeholders `{month}`, `{year}` and so on. */
function valuesOfOffer({
  plans,
  currency,
  trialDays,
  graceDays,
}: Offer): Pick<Values, 'month' | 'year' | 'yearPerMonth' | 'begins' | 'trial' | 'grace'> {
  const [month, year] = (['month', 'year'] as const).map((period) => plans.find((plan) => plan.period === period));
  const money = (amount = 0) => formatMoney(amount, currency);
  return {
    month: money(month?.amount),
    year: money(year?.amount),
    yearPerMonth: money(year?.perMonth),
    begins: trialDays === 0 ? '' : i18n._(/*i18n*/ { id: 'info.begins', message: 'It begins with a free trial.' }),
    trial:
      trialDays === 0
        ? i18n._(
            /*i18n*/ { id: 'info.no-trial', message: 'There is none: the first payment is taken when you subscribe.' },
          )
        : i18n._(
            /*i18n*/ {
              id: 'info.trial',
              message:
                '{days, plural, one {A first subscription begins with a free trial of # day.} other {A first subscription begins with a free trial of # days.}} We ask for a card at the beginning. Nothing is charged during the trial. Unless you cancel before it ends, the subscription then starts and the first payment is taken. There is one trial for each person and card.',
              values: { days: trialDays },
            },
          ),
    grace:
      graceDays === 0
        ? i18n._(
            /*i18n*/ {
              id: 'info.no-grace',
              message: 'If a renewal cannot be charged, we tell you, and your access pauses until you set it right.',
            },
          )
        : i18n._(
            /*i18n*/ {
              id: 'info.grace',
              message:
                '{days, plural, one {If a renewal cannot be charged, we tell you and keep your access open for # day so that you can set it right.} other {If a renewal cannot be charged, we tell you and keep your access open for # days so that you can set it right.}} After that it pauses.',
              values: { days: graceDays },
            },
          ),
  };
}

/** Values for `{site}`, `{operator}`, `{imprint}` and the analytics texts. */
function valuesOfSite({
  name,
  operator = {},
  isForwarding = false,
  speechHost,
  paymentTitles,
}: InfoFacts): Pick<
  Values,
  'site' | 'operator' | 'imprint' | 'forwarding' | 'named' | 'payments' | 'social' | 'service'
> {
  const site = escapeMarkdown(name);
  return {
    site,
    operator:
      operator.name === undefined
        ? i18n._(/*i18n*/ { id: 'info.operator', message: 'the operator of {site}', values: { site } })
        : escapeMarkdown(operator.name),
    imprint:
      imprintOf(operator) ??
      i18n._(
        /*i18n*/ {
          id: 'info.imprint',
          message: 'The operator of {site} has not entered a name and an address yet.',
          values: { site },
        },
      ),
    forwarding: isForwarding
      ? i18n._(
          /*i18n*/ {
            id: 'info.forwarding',
            message:
              'Our server, not your browser, also passes them on to an analytics service; unless you linked them to your account, they carry nothing that tells one listener from another.',
          },
        )
      : i18n._(/*i18n*/ { id: 'info.no-forwarding', message: 'They are passed on to nobody.' }),
    named: isForwarding
      ? i18n._(
          /*i18n*/ {
            id: 'info.named-forwarding',
            message:
              'While it is on, the number of your account and your email address go with it to the analytics service. Once you turn it off, nothing more that contains your name is passed on, and nothing here says which data was yours.',
          },
        )
      : i18n._(/*i18n*/ { id: 'info.named', message: 'Once you turn it off, nothing here says which data was yours.' }),
    payments: formatNames([...paymentTitles], paymentTitles.length, 4),
    social: socialNames(),
    service: [
      ...(isForwarding
        ? [
            i18n._(
              /*i18n*/ {
                id: 'info.service',
                message: 'the **analytics service**, which gets what is described above;',
              },
            ),
          ]
        : []),
      ...(speechHost === undefined
        ? []
        : [
            i18n._(
              /*i18n*/ {
                id: 'info.speech',
                message:
                  'the **speech service** at {host}, which gets the sound of audios whose creators have it draft a transcript, and nothing about listeners;',
                values: { host: escapeMarkdown(speechHost) },
              },
            ),
          ]),
    ]
      .map((service) => `\n- ${service}`)
      .join(''),
  };
}

/** One paragraph with one line per part. */
function imprintOf({ name, address, email }: Operator): string | undefined {
  const lines = [name, ...(address ?? '').split(';')].map((line) => escapeMarkdown(line?.trim() ?? ''));
  if (email !== undefined) lines.push(`[${escapeMarkdown(email)}](mailto:${encodeURI(email)})`);
  const nonEmpty = lines.filter((line) => line !== '');
  return nonEmpty.length === 0 ? undefined : nonEmpty.join('  \n');
}

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };

/** Text of sanitized HTML. */
function toText(html: string): string {
  return html.replaceAll(/<[^<>]*>/g, '').replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? '');
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#+.!|&-]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function unescapeMarkdown(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
