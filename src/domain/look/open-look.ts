import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { bind } from '../kernel/bind.ts';
import type { Db } from '../kernel/db.ts';
import type { Settings } from '../settings/open-settings.ts';
import { purgeLookFiles } from './files.ts';
import type { FooterForm, HeroForm, HeroPictureValue, HomeValue, IconValue } from './forms.ts';
import { lookSettings, siteNameOf } from './settings.ts';
import { pageColors, stylesheetOf } from './stylesheet.ts';

/** The parts of a changed look that pages need; undefined for the default look. */
export type PageLook = {
  /** Address of the stylesheet. */
  css?: string;
  /** Colors of the browser's own parts. */
  grounds?: { dark: string; light: string };
  icon?: NonNullable<z.output<typeof IconValue>['icon']>;
  /** Address of the picture for shared links. */
  card?: string;
  signUpNote?: string;
  footer?: z.output<typeof FooterForm>;
};

export type HeroLook = z.output<typeof HeroForm> & z.output<typeof HeroPictureValue>;

/** The current look, computed again only when a setting changes. */
export function openLook({ db, settings, siteName }: { db: Db; settings: Settings; siteName: string }) {
  const parts = ['name', 'colors', 'logo', 'icon', 'card', 'sign-up', 'footer'] as const;
  const { words } = settings;
  type Made = { of: unknown[]; page: PageLook | undefined; sheet: { name: string; css: string } | undefined };
  /** By language. */
  const known = new WeakMap<object, Made>();
  let askedAt = 0;

  function current() {
    const sections = parts.map((part) => settings.read(lookSettings[part]));
    const made = known.get(words.version());
    if (made !== undefined && sections.every((value, index) => value === made.of[index])) return made;
    const next = { of: sections, ...make() };
    known.set(words.version(), next);
    return next;
  }

  /** In the language of the request. */
  function inLanguage<Text extends string | null>(part: string, field: string, text: Text): Text {
    return text === null ? text : ((words.find('look', part, field) ?? text) as Text);
  }
  const menuWord = <Text extends string | null>(word: Text): Text =>
    word === null ? word : ((words.find('menu', word, 'label') ?? word) as Text);

  function make() {
    const [colors, icon] = [settings.read(lookSettings.colors), settings.read(lookSettings.icon).icon];
    const css = stylesheetOf(colors, settings.read(lookSettings.logo));
    const name = css && `${createHash('sha256').update(css).digest('hex').slice(0, 20)}.css`;
    const sheet = css === undefined || name === undefined ? undefined : { name, css };
    const { key: card } = settings.read(lookSettings.card);
    const note = inLanguage('sign-up', 'note', settings.read(lookSettings['sign-up']).note);
    const { line, groups } = settings.read(lookSettings.footer);
    const footer = {
      line: inLanguage('footer', 'line', line)?.replaceAll('{site}', siteNameOf(settings, siteName)) ?? null,
      groups:
        groups?.map(({ title, links }) => ({
          title: menuWord(title),
          links: links.map(({ label, to }) => ({ label: menuWord(label), to })),
        })) ?? null,
    };
    const { dark, light } = pageColors(colors);
    const page: PageLook = {
      ...(sheet && { css: `/look/${sheet.name}` }),
      ...((colors.dark ?? colors.light) && { grounds: { dark: dark.ground, light: light.ground } }),
      ...(icon && { icon }),
      ...(card !== null && { card: `/${card}` }),
      ...(note !== null && { signUpNote: note }),
      ...((footer.line !== null || footer.groups !== null) && { footer }),
    };
    return { page: Object.keys(page).length === 0 ? undefined : page, sheet };
  }

  return {
    /** Undefined for the default look. */
    page: (): PageLook | undefined => current().page,
    /** `SITE_NAME`, the default name. */
    ofEnvironment: siteName,
    name: () => siteNameOf(settings, siteName),
    colors: () => pageColors(settings.read(lookSettings.colors)),
    hasColors(): boolean {
      const { dark, light } = settings.read(lookSettings.colors);
      return (dark ?? light) !== null;
    },
    /** Undefined: the default. */
    hero(): HeroLook | undefined {
      const [texts, { picture }] = [settings.read(lookSettings.hero), settings.read(lookSettings['hero-picture'])];
      if ((texts.title ?? texts.text ?? picture) === null) return undefined;
      const { title, text } = texts;
      return { title: inLanguage('hero', 'title', title), text: inLanguage('hero', 'text', text), picture };
    },
    /** The current rails for visitors or listeners; null: the default. */
    rails: (who: keyof HomeValue) =>
      settings.read(lookSettings.home)[who]?.map((rail) => ({ ...rail, title: menuWord(rail.title) })) ?? null,
    /**
     * The stylesheet. For an address from another process's newer look, the settings are read again, at most once a
     * second.
     * @returns whether it is the requested one; undefined when there is none
     */
    async stylesheet(name: string): Promise<{ css: string; isAsked: boolean } | undefined> {
      if (current().sheet?.name !== name && Date.now() - askedAt > 1000) {
        askedAt = Date.now();
        await settings.refresh();
      }
      const { sheet } = current();
      return sheet && { css: sheet.css, isAsked: sheet.name === name };
    },
    ...bind(db, { purgeLookFiles }),
  };
}
