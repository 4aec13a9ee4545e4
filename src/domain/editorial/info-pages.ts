import { readFile } from 'node:fs/promises';
import { countOf } from '../kernel/rules.ts';
import { formatMoney } from '../kernel/rules.ts';
import type { Offer } from '../membership/settings.ts';
import { renderMarkdown } from './markdown.ts';

export const infoPageNames = ['about', 'terms', 'privacy'] as const;
export type InfoPageName = (typeof infoPageNames)[number];

export type InfoPage = {
  title: string;
  description: string;
  /** Sanitized by `renderMarkdown`. */
  html: string;
  /** Its sections, in order; each has its id in the HTML. */
  contents: { id: string; title: string }[];
};

/** The operator's legal details; missing ones are omitted. */
export type Operator = { name?: string | undefined; address?: string | undefined; email?: string | undefined };

export type InfoFacts = {
  /** Replaces `{site}` in the texts. */
  name: string;
  operator?: Operator | undefined;
  /** Analytics are also forwarded to a third-party service. */
  isForwarding?: boolean | undefined;
};

/**
 * Loads the texts of `texts/*.md`: first line `# title`, second paragraph the description.
 * @returns renders a page with the current offer
 */
export async function loadInfoPages(facts: InfoFacts): Promise<(name: InfoPageName, offer: Offer) => InfoPage> {
  const texts = await Promise.all(
    infoPageNames.map(
      async (name) => [name, await readFile(new URL(`./texts/${name}.md`, import.meta.url), 'utf8')] as const,
    ),
  );
  const sources = Object.fromEntries(texts) as Record<InfoPageName, string>;
  return (name, offer) => {
    const values = { ...valuesOfSite(facts), ...valuesOfOffer(offer) };
    const source = sources[name].replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '');
    const [heading = '', description = '', ...rest] = source.split(/\n{2,}/);
    return {
      title: heading.replace(/^#\s*/, ''),
      description: unescapeMarkdown(description),
      ...withContents(rest.join('\n\n')),
    };
  };
}

function withContents(source: string): Pick<InfoPage, 'html' | 'contents'> {
  const titles = [...source.matchAll(/^## (.+)$/gm)].map(([, title = '']) => unescapeMarkdown(title));
  const contents = titles.map((title, index) => ({ id: `section-${index + 1}`, title }));
  let next = 0;
  const html = renderMarkdown(source).replaceAll('<h2>', () => `<h2 id="${contents[next++]?.id}">`);
  return { html, contents };
}

/** Values of the placeholders `{month}`, `{year}` and so on. */
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
        : `A first subscription begins with a free trial of ${countOf(trialDays, 'day')}. We ask for a card at the beginning. Nothing is charged during the trial. Unless you cancel before it ends, the subscription then starts and the first payment is taken. There is one trial for each person and card.`,
  };
}

/** Values for `{site}`, `{operator}`, `{imprint}` and the analytics texts. */
function valuesOfSite({ name, operator = {}, isForwarding = false }: InfoFacts): Record<string, string> {
  const site = escapeMarkdown(name);
  return {
    site,
    operator: operator.name === undefined ? `the operator of ${site}` : escapeMarkdown(operator.name),
    imprint: imprintOf(operator) ?? `The operator of ${site} has not entered a name and an address yet.`,
    forwarding: isForwarding
      ? 'Our server, not your browser, also passes them on to an analytics service; unless you linked them to your account, they carry nothing that tells one listener from another.'
      : 'They stay on this server.',
    named: isForwarding
      ? 'While it is on, the number of your account and your email address go with it to the analytics service. Once you turn it off, nothing more that contains your name is passed on, and nothing here says which data was yours.'
      : 'Once you turn it off, nothing here says which data was yours.',
    service: isForwarding ? '\n- the **analytics service**, which gets what is described above;' : '',
  };
}

/** One paragraph with one line per part. */
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
