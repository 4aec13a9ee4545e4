import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { languageCodes } from '#formats/languages.ts';
import type { Db } from '#domain/kernel/db.ts';
import { translations } from '#domain/settings/tables.ts';
import type { Demo } from './catalogue-rows.ts';

const Texts = z.record(z.string(), z.partialRecord(z.enum(languageCodes), z.record(z.string(), z.string())));
const DemoTranslations = z.object({ category: Texts, playlist: Texts, tag: Texts });

/** Names and sentences of categories, playlists and the most used tags, in the other languages of the site. */
export async function insertTranslations(tx: Db, demoDir: string, { catalogue, idOf }: Demo): Promise<void> {
  const texts = DemoTranslations.parse(JSON.parse(await readFile(join(demoDir, 'site-texts.json'), 'utf8')));
  const sources: Record<keyof typeof texts, Map<string, Record<string, unknown>>> = {
    category: new Map(catalogue.categories.map((category) => [category.slug, category])),
    playlist: new Map(catalogue.playlists.map((playlist) => [playlist.slug, playlist])),
    tag: new Map(catalogue.audios.flatMap(({ tags }) => tags.map((label) => [label, { label }]))),
  };
  const rows = (Object.keys(texts) as (keyof typeof texts)[]).flatMap((kind) =>
    Object.entries(texts[kind]).flatMap(([name, byLanguage]) =>
      languageCodes.flatMap((language) =>
        Object.entries(byLanguage[language] ?? {}).map(([field, text]) => {
          const source = sources[kind].get(name)?.[field];
          if (typeof source !== 'string') throw new Error(`The demo translates ${kind} ${name}, which it lacks`);
          return { kind, subject: idOf(kind, name), field, language, text, source };
        }),
      ),
    ),
  );
  await tx.insert(translations).values(rows);
}
