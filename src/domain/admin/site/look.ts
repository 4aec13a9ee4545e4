import { isDeepStrictEqual } from 'node:util';
import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import type { z } from 'zod';
import { i18n } from '#i18n';
import { categories, playlists, series, tags } from '../../catalogue/tables.ts';
import type { Blobs, Covers } from '../../gateways.ts';
import { findSettingChange } from '../../identity/setting-changes.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import { keepLookFile } from '../../look/files.ts';
import type { chosenRails, HomeValue, Rail } from '../../look/forms.ts';
import { type ThemeName, checkColors, themes } from '../../look/rules.ts';
import { type LookPart, lookParts, lookSettings, partNames } from '../../look/settings.ts';
import { cleanSvg } from '../../look/svg.ts';
import { type StoredSetting, findSetting } from '../../settings/change-setting.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { changeSiteSetting } from '../settings.ts';

export type LookTools = { db: Db; blobs: Blobs; covers: Covers };

type ValueOf<Part extends LookPart> = z.output<(typeof lookSettings)[Part]['schema']>;
export type TextPart = Exclude<LookPart, PicturePart>;
export type PicturePart = 'logo' | 'icon' | 'card' | 'hero-picture';

export type LookRefusal = Extract<ErrorCode, `look/${string}`> | 'picture/unreadable';
export type LookOutcome = { ok: true; removed?: string[] } | { ok: false; reason: LookRefusal; message?: string };

export type StoredPart<Part extends LookPart = LookPart> = Omit<StoredSetting<ValueOf<Part>>, 'changedBy'> & {
  /** The default. */
  isDefault: boolean;
  /** Username; null: the command line, or a deleted account. */
  changedBy: string | null;
};

/** Every part, with the user who changed it last. @throws DomainError `request/not-found` */
export async function findLook(db: Db, actor: Actor): Promise<{ [Part in LookPart]: StoredPart<Part> }> {
  administratorsOnly(actor);
  const parts = await Promise.all(
    lookParts.map(async (part) => {
      const stored = await findSetting(db, lookSettings[part]);
      const isDefault = isDeepStrictEqual(stored.value, lookSettings[part].schema.parse({}));
      const change = await findSettingChange(db, lookSettings[part].key);
      return [part, { ...stored, isDefault, changedBy: change?.by ?? null }] as const;
    }),
  );
  return Object.fromEntries(parts) as { [Part in LookPart]: StoredPart<Part> };
}

/** Changes a part other than a picture. @param change.revision of the value that the operator saw */
export async function changeLook<Part extends TextPart>(
  { db }: Pick<LookTools, 'db'>,
  actor: Actor,
  part: Part,
  change: { value: ValueOf<Part>; revision: number },
): Promise<LookOutcome> {
  administratorsOnly(actor);
  const refusal = await refusalOf(db, part, change.value);
  return refusal === undefined ? save(db, actor, part, change) : { ok: false, ...refusal };
}

/** Resets a part to the default. */
export function resetLook({ db }: Pick<LookTools, 'db'>, actor: Actor, part: LookPart, revision: number) {
  return save(db, actor, part, { value: lookSettings[part].schema.parse({}), revision });
}

async function save<Part extends LookPart>(
  db: Db,
  actor: Actor,
  part: Part,
  change: { value: ValueOf<Part>; revision: number },
): Promise<LookOutcome> {
  const subject = { setting: lookSettings[part], name: partNames[part], conflict: 'look/changed' } as const;
  // The compiler does not relate the part's schema to its value.
  await changeSiteSetting(db, actor, subject, change as never);
  return { ok: true };
}

/** A problem of a value that its schema cannot detect. */
export async function refusalOf(
  db: Db,
  part: LookPart,
  value: unknown,
): Promise<{ reason: LookRefusal; message?: string } | undefined> {
  if (part === 'colors') {
    const message = contrastRefusal(value as ValueOf<'colors'>);
    return message === undefined ? undefined : { reason: 'look/contrast', message };
  }
  if (part === 'home') return (await unknownRail(db, value as HomeValue)) && { reason: 'look/unknown-content' };
  return undefined;
}

function contrastRefusal(colors: ValueOf<'colors'>): string | undefined {
  for (const theme of themes) {
    const given = colors[theme];
    if (given === null) continue;
    const { problems, better } = checkColors(theme, given);
    const [problem] = problems;
    if (problem === undefined) continue;
    const { of, ratio, needed } = problem;
    const values = { theme, of, color: given[of], ratio, needed, instead: better?.[of] ?? 'none' };
    return i18n._(
      /*i18n*/ {
        id: 'look.contrast',
        message:
          '{theme, select, light {In the light theme} other {In the dark theme}}, {of, select, ground {the ground} other {the accent}} {color} is hard to tell from other colors: the contrast is {ratio}, and has to be {needed}.{instead, select, none {} other { {instead} works.}}',
        values,
      },
    );
  }
  return undefined;
}

async function unknownRail(db: Db, { visitors, listeners }: HomeValue): Promise<Rail | undefined> {
  for (const rail of [...(visitors ?? []), ...(listeners ?? [])])
    if (rail.slug !== null && !(await isKnown(db, rail.kind, rail.slug))) return rail;
  return undefined;
}

async function isKnown(db: Db, kind: Rail['kind'], slug: string): Promise<boolean> {
  const table = { category: categories, playlist: playlists, 'one-series': series, tag: tags }[kind as string];
  if (table === undefined) return false;
  const rows = await db.select({ slug: table.slug }).from(table).where(eq(table.slug, slug)).limit(1);
  return rows.length > 0;
}

/** Limit of choices in one list. */
const maxChoices = 300;

export type RailChoice = { kind: (typeof chosenRails)[number]; slug: string; label: string };

/** Categories, playlists, series and tags that Home can show as a rail. */
export async function findRailChoices(db: Db, actor: Actor): Promise<RailChoice[]> {
  administratorsOnly(actor);
  const [ofCategories, ofPlaylists, ofSeries, ofTags] = await Promise.all([
    db
      .select({ slug: categories.slug, label: categories.label })
      .from(categories)
      .where(isNull(categories.deletedAt))
      .orderBy(categories.label)
      .limit(maxChoices),
    db
      .select({ slug: playlists.slug, label: playlists.title })
      .from(playlists)
      .where(and(isNotNull(playlists.publishedAt), isNull(playlists.deletedAt)))
      .orderBy(playlists.title)
      .limit(maxChoices),
    // In an order that an index supports.
    db
      .select({ slug: series.slug, label: series.title })
      .from(series)
      .orderBy(series.sortTitle, series.id)
      .limit(maxChoices),
    db.select({ slug: tags.slug, label: tags.label }).from(tags).orderBy(tags.slug).limit(maxChoices),
  ]);
  const choices = (kind: RailChoice['kind'], rows: { slug: string; label: string }[]) =>
    rows.map((row) => ({ kind, ...row }));
  return [
    ...choices('category', ofCategories),
    ...choices('playlist', ofPlaylists),
    ...choices('one-series', ofSeries),
    ...choices('tag', ofTags),
  ];
}

export type PictureChange = {
  picture: Uint8Array;
  revision: number;
  /** The theme that the logo is for. */
  theme?: ThemeName | undefined;
};

/** Stores a new picture: SVG is sanitized, everything else is decoded and encoded again. */
export async function changeLookPicture(
  tools: LookTools,
  actor: Actor,
  part: PicturePart,
  { picture, revision, theme = 'dark' }: PictureChange,
): Promise<LookOutcome> {
  administratorsOnly(actor);
  const read = readPicture(picture, part);
  if (!read.ok) return read;
  const { source, svg, removed } = read;
  let value: unknown;
  if (part === 'logo') {
    const { value: before } = await findSetting(tools.db, lookSettings.logo);
    const logo = await makeLogo(tools, source, svg);
    value = logo && { ...before, [theme]: logo };
  } else if (part === 'icon') value = await makeIcon(tools, source, svg);
  else if (part === 'card') value = await makeCard(tools, source);
  else value = await makeHero(tools, source);
  if (value === undefined) return { ok: false, reason: svg === undefined ? 'picture/unreadable' : 'look/bad-svg' };
  const saved = await save(tools.db, actor, part, { value: value as ValueOf<PicturePart>, revision });
  return saved.ok && removed.length > 0 ? { ok: true, removed } : saved;
}

type ReadPicture =
  | { ok: true; source: Uint8Array; svg: Uint8Array | undefined; removed: string[] }
  | { ok: false; reason: LookRefusal };

function readPicture(picture: Uint8Array, part: PicturePart): ReadPicture {
  const text = new TextDecoder()
    .decode(picture.subarray(0, 4096))
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (!text.startsWith('<')) return { ok: true, source: picture, svg: undefined, removed: [] };
  if (part === 'card' || part === 'hero-picture') return { ok: false, reason: 'picture/unreadable' };
  const cleaned = cleanSvg(new TextDecoder().decode(picture));
  if (!cleaned.ok) return { ok: false, reason: cleaned.reason === 'too-large' ? 'look/svg-too-large' : 'look/bad-svg' };
  const svg = new TextEncoder().encode(cleaned.svg);
  return { ok: true, source: svg, svg, removed: cleaned.removed };
}

async function makeLogo(tools: LookTools, source: Uint8Array, svg: Uint8Array | undefined) {
  // Always rasterized, to prove that the file is valid and to learn its width.
  const drawn = await tools.covers.render(source, { width: 1200, height: 192, fit: 'inside', format: 'png' });
  if (drawn === undefined) return undefined;
  const { width, height, image } = drawn;
  return { key: await keepLookFile(tools, svg ?? image, svg === undefined ? 'png' : 'svg'), width, height };
}

/** `maskable` needs a margin: home screens crop icons to circles or rounded squares. */
async function makeIcon(tools: LookTools, source: Uint8Array, svg: Uint8Array | undefined) {
  const png = async (size: number, margin = 0) => {
    const drawn = await tools.covers.render(source, {
      width: size,
      height: size,
      fit: 'contain',
      format: 'png',
      margin,
    });
    return drawn && keepLookFile(tools, drawn.image, 'png');
  };
  const [png180, png192, png512, maskable] = await Promise.all([png(180), png(192), png(512), png(512, 0.1)]);
  if (png180 === undefined || png192 === undefined || png512 === undefined || maskable === undefined) return undefined;
  const own = svg === undefined ? null : await keepLookFile(tools, svg, 'svg');
  return { icon: { svg: own, png180, png192, png512, maskable } };
}

async function makeCard(tools: LookTools, source: Uint8Array) {
  const drawn = await tools.covers.render(source, { width: 1200, height: 630, fit: 'cover', format: 'jpeg' });
  return drawn && { key: await keepLookFile(tools, drawn.image, 'jpg') };
}

async function makeHero(tools: LookTools, source: Uint8Array) {
  const [small, large] = await Promise.all(
    [1000, 2000].map((width) => tools.covers.render(source, { width, height: 2000, fit: 'inside', format: 'webp' })),
  );
  if (small === undefined || large === undefined) return undefined;
  return {
    picture: {
      small: await keepLookFile(tools, small.image, 'webp'),
      large: await keepLookFile(tools, large.image, 'webp'),
      width: large.width,
      height: large.height,
    },
  };
}
