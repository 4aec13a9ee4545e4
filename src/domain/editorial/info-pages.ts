import { readFile } from 'node:fs/promises';
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

/** The texts of `texts/*.md`: first line `# title`, second paragraph the description. */
export async function loadInfoPages(facts: InfoFacts): Promise<Record<InfoPageName, InfoPage>> {
  const fill = fillIn(facts);
  const pages = await Promise.all(
    infoPageNames.map(async (name) => {
      const source = fill(await readFile(new URL(`./texts/${name}.md`, import.meta.url), 'utf8'));
      const [heading = '', description = '', ...rest] = source.split(/\n{2,}/);
      const page: InfoPage = {
        title: heading.replace(/^#\s*/, ''),
        description: unescapeMarkdown(description),
        html: renderMarkdown(rest.join('\n\n')),
      };
      return [name, page] as const;
    }),
  );
  return Object.fromEntries(pages) as Record<InfoPageName, InfoPage>;
}

/** Puts the site's own facts into a text: `{site}`, `{operator}`, `{imprint}`, `{forwarding}`. */
function fillIn({ name, operator = {}, isForwarding = false }: InfoFacts): (text: string) => string {
  const site = escapeMarkdown(name);
  const values: Record<string, string> = {
    site,
    operator: operator.name === undefined ? `the operator of ${site}` : escapeMarkdown(operator.name),
    imprint: imprintOf(operator) ?? `The operator of ${site} has not entered a name and an address yet.`,
    forwarding: isForwarding
      ? 'The same figures are passed on, by our server and not by your browser, to a service that draws tables of them for us; without a name they carry nothing that tells one listener from another.'
      : 'They stay on this server.',
  };
  return (text) => text.replaceAll(/\{(site|operator|imprint|forwarding)\}/g, (_, key: string) => values[key] ?? '');
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
