import { readFile } from 'node:fs/promises';
import { formatMoney } from '../membership/mails.ts';
import type { Offer } from '../membership/settings.ts';
import { renderMarkdown } from './markdown.ts';

export const infoPageNames = ['about', 'terms', 'privacy'] as const;
export type InfoPageName = (typeof infoPageNames)[number];

export type InfoPage = {
  title: string;
  description: string;
  /** Made safe; see `renderMarkdown`. */
  html: string;
};

/** Who answers for the site; what the operator has not said is left out. */
export type Operator = { name?: string | undefined; address?: string | undefined; email?: string | undefined };

type InfoFacts = {
  /** Stands wherever a text says `{site}`. */
  name: string;
  operator?: Operator | undefined;
  /** Figures also go to a service of the operator's. */
  isForwarding?: boolean | undefined;
};

/**
 * The texts of `texts/*.md`: first line `# title`, second paragraph the description.
 * @returns writes a page with what the site costs at that moment
 */
export async function loadInfoPages(facts: InfoFacts): Promise<(name: InfoPageName, offer: Offer) => InfoPage> {
  const texts = await Promise.all(
    infoPageNames.map(
      async (name) => [name, await readFile(new URL(`./texts/${name}.md`, import.meta.url), 'utf8')] as const,
    ),
  );
  const sources = Object.fromEntries(texts) as Record<InfoPageName, string>;
  const ofSite = valuesOfSite(facts);
  return (name, offer) => {
    const values = { ...ofSite, ...valuesOfOffer(offer) };
    const source = sources[name].replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '');
    const [heading = '', description = '', ...rest] = source.split(/\n{2,}/);
    return {
      title: heading.replace(/^#\s*/, ''),
      description: unescapeMarkdown(description),
      html: renderMarkdown(rest.join('\n\n')),
    };
  };
}

/** What stands in a text for `{month}`, `{year}` and so on. */
function valuesOfOffer({ plans, currency, trialDays }: Offer): Record<string, string> {
  const [month, year] = (['month', 'year'] as const).map((period) => plans.find((plan) => plan.period === period));
  const money = (amount = 0) => formatMoney(amount, currency);
  return {
    month: money(month?.amount),
    year: money(year?.amount),
    yearPerMonth: money(year?.perMonth),
    begins: trialDays === 0 ? '' : 'It begins with a free trial.',
    trial:
      trialDays === 0
        ? 'There is none: the first payment is taken when you subscribe.'
        : `A first subscription begins with a free trial of ${trialDays} ${trialDays === 1 ? 'day' : 'days'}. We ask for a card at the beginning. Nothing is charged during the trial. Unless you cancel before it ends, the subscription then starts and the first payment is taken. There is one trial for each person and card.`,
  };
}

/** And for `{site}`, `{operator}`, `{imprint}`, and what becomes of figures. */
function valuesOfSite({ name, operator = {}, isForwarding = false }: InfoFacts): Record<string, string> {
  const site = escapeMarkdown(name);
  return {
    site,
    operator: operator.name === undefined ? `the operator of ${site}` : escapeMarkdown(operator.name),
    imprint: imprintOf(operator) ?? `The operator of ${site} has not entered a name and an address yet.`,
    forwarding: isForwarding
      ? 'The same figures are passed on, by our server and not by your browser, to a service that draws tables of them for us; without a name they carry nothing that tells one listener from another.'
      : 'They stay on this server.',
    named: isForwarding
      ? 'While they are on, the number of your account and your e-mail address go with them to that service. Switched off again, nothing more that bears your name is passed on, and nothing here says any more which figures were yours.'
      : 'Switched off again, nothing says any more which figures were yours.',
    service: isForwarding ? '\n- the **service for usage figures**, which gets what is said of it above;' : '',
  };
}

/** One paragraph, a line for each part. */
function imprintOf({ name, address, email }: Operator): string | undefined {
  const lines = [name, ...(address ?? '').split(';')].map((line) => escapeMarkdown(line?.trim() ?? ''));
  if (email !== undefined) lines.push(`[${escapeMarkdown(email)}](mailto:${encodeURI(email)})`);
  const said = lines.filter((line) => line !== '');
  return said.length === 0 ? undefined : said.join('  \n');
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#+.!|&-]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function unescapeMarkdown(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
