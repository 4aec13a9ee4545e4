import { readFile } from 'node:fs/promises';
import { Marked } from 'marked';

export const infoPageNames = ['about', 'terms', 'privacy'] as const;
export type InfoPageName = (typeof infoPageNames)[number];

export type InfoPage = {
  title: string;
  description: string;
  /** Made from the repository's own Markdown, so it is trusted. */ html: string;
};

/**
 * The texts of `texts/*.md`: first line `# title`, second paragraph the description.
 * @param siteName stands wherever the text says `{site}`
 */
export async function loadInfoPages(siteName: string): Promise<Record<InfoPageName, InfoPage>> {
  const marked = new Marked({ gfm: true });
  const pages = await Promise.all(
    infoPageNames.map(async (name) => {
      const source = (await readFile(new URL(`./texts/${name}.md`, import.meta.url), 'utf8')).replaceAll(
        '{site}',
        escapeMarkdown(siteName),
      );
      const [heading = '', description = '', ...rest] = source.split(/\n{2,}/);
      const page: InfoPage = {
        title: heading.replace(/^#\s*/, ''),
        description,
        html: await marked.parse(rest.join('\n\n')),
      };
      return [name, page] as const;
    }),
  );
  return Object.fromEntries(pages) as Record<InfoPageName, InfoPage>;
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#+.!|&-]/g, (character) => `&#${character.charCodeAt(0)};`);
}
