import { z } from 'zod';
import { i18n } from '#i18n';
import { isEmpty, isPlain, isPlainLine, notColor, notOneLine, tooLong, tooMany } from '../kernel/forms.ts';
import { isHex, lookLengths } from './rules.ts';

/** Values of the parts of the look. Stored as they are, so that each schema turns `{}` into the defaults. */

const maxLinks = 40;

/** One line of text; an empty one means the default. */
const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max, tooLong(max))
    .refine(isPlainLine, notOneLine)
    .transform((text) => (text === '' ? null : text))
    .nullable()
    .default(null);

export const NameForm = z.strictObject({ name: line(lookLengths.name) });

const Color = z.string().refine(isHex, notColor).toLowerCase();
const ThemeColors = z.strictObject({ accent: Color, ground: Color }).nullable().default(null);
export const ColorsForm = z.strictObject({ dark: ThemeColors, light: ThemeColors });

export const HeroForm = z.strictObject({ title: line(lookLengths.heroTitle), text: line(lookLengths.heroText) });

export const SignUpForm = z.strictObject({ note: line(lookLengths.note) });

const fileKey = (types: string) => z.string().regex(new RegExp(`^look/[0-9a-f]{64}\\.(?:${types})$`));
const side = z.int().min(1).max(10_000);
const Logo = z
  .strictObject({ key: fileKey('svg|png'), width: side, height: side })
  .nullable()
  .default(null);
/** `light`: for the light theme; when absent, the other one serves both. */
export const LogoValue = z.strictObject({ dark: Logo, light: Logo });
export const IconValue = z.strictObject({
  icon: z
    .strictObject({
      /** Absent when the icon was made from a PNG. */
      svg: fileKey('svg').nullable(),
      png180: fileKey('png'),
      png192: fileKey('png'),
      png512: fileKey('png'),
      maskable: fileKey('png'),
    })
    .nullable()
    .default(null),
});
export const CardValue = z.strictObject({ key: fileKey('jpg').nullable().default(null) });
export const HeroPictureValue = z.strictObject({
  picture: z
    .strictObject({ small: fileKey('webp'), large: fileKey('webp'), width: side, height: side })
    .nullable()
    .default(null),
});

/** A page of this site, a page of another one by https, or an email address. */
const Address = z
  .string()
  .trim()
  .max(500)
  .refine(
    (text) =>
      isPlain(text) &&
      (/^\/(?![/\\])[^\s\\<>"]*$/.test(text) ||
        (/^https:\/\/[^\s<>"]+$/.test(text) && URL.canParse(text)) ||
        /^mailto:[^\s@<>"]+@[^\s@<>"]+$/.test(text)),
    {
      error: () =>
        i18n._(
          /*i18n*/ {
            id: 'look-form.address',
            message: 'Use a page of this site such as /about, an address with https:// or mailto:',
          },
        ),
    },
  );
const required = (max: number) =>
  z.string().trim().min(1, isEmpty).max(max, tooLong(max)).refine(isPlainLine, notOneLine);

/** A word of the menus: in the footer, or above a rail. */
export const MenuWord = required(lookLengths.railTitle);

export const FooterForm = z.strictObject({
  /** After the copyright. `{site}` is the name of the site. */
  line: line(lookLengths.footerLine),
  /** Null: the links of the site. */
  groups: z
    .array(
      z.strictObject({
        title: line(lookLengths.footerTitle),
        links: z
          .array(z.strictObject({ label: required(lookLengths.footerLabel), to: Address }))
          .min(1, { error: () => i18n._(/*i18n*/ { id: 'look-form.no-link', message: 'A group needs a link' }) }),
      }),
    )
    .max(6, tooMany(6))
    .refine((groups) => groups.reduce((sum, { links }) => sum + links.length, 0) <= maxLinks, {
      error: () =>
        i18n._(/*i18n*/ { id: 'look-form.links', message: 'Use at most {maxLinks} links', values: { maxLinks } }),
    })
    .nullable()
    .default(null),
});
export type FooterValue = z.output<typeof FooterForm>;

/** Rails that the site fills automatically. `continue` and `recent` are about the listener, so visitors have none. */
export const siteRails = [
  'new',
  'creators',
  'categories',
  'playlists',
  'series',
  'listeners-playlists',
  'continue',
  'recent',
  'for-you',
] as const;
/** Rails with one item that the operator chose. */
export const chosenRails = ['category', 'playlist', 'one-series', 'tag'] as const;

const Rail = z
  .strictObject({
    kind: z.enum([...siteRails, ...chosenRails]),
    /** Slug of the chosen item. */
    slug: z
      .string()
      .max(100)
      .regex(/^[a-z0-9-]+$/)
      .nullable()
      .default(null),
    title: line(lookLengths.railTitle),
  })
  .refine(({ kind, slug }) => chosenRails.some((one) => one === kind) === (slug !== null), {
    error: () => i18n._(/*i18n*/ { id: 'look-form.rail', message: 'Choose what the rail shows' }),
  });
export type Rail = z.output<typeof Rail>;

const railKey = ({ kind, slug }: Rail) => `${kind} ${slug ?? ''}`;
const Rails = z
  .array(Rail)
  .max(24, tooMany(24))
  .refine((rails) => new Set(rails.map(railKey)).size === rails.length, {
    error: () => i18n._(/*i18n*/ { id: 'look-form.repeated', message: 'Each rail can be there once' }),
  })
  .nullable()
  .default(null);
/** Null: the default. */
export const HomeForm = z.strictObject({ visitors: Rails, listeners: Rails });
export type HomeValue = z.output<typeof HomeForm>;
