import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BabelFileResult, type PluginItem, transformAsync } from '@babel/core';
import macros from '@lingui/babel-plugin-lingui-macro';
import { makeConfig } from '@lingui/conf';
import type { Plugin, Rolldown } from 'vite';
import { factsOf } from '../formats/format-facts.ts';
import { type Language, languageCodes, sourceLanguage } from '../formats/languages.ts';
import { readCatalogue } from './catalogues.ts';
import { markTexts } from './mark-texts.ts';
import { folderOf, inFolder } from '../formats/script-folders.ts';
import { createWriter } from './write-texts.ts';

const config = makeConfig(
  { locales: [...languageCodes], runtimeConfigModule: { i18n: ['#i18n', 'i18n'], Trans: ['#i18n', 'Trans'] } },
  { skipValidation: true },
);

/** Lingui's macros become calls of `#i18n`: on the server, in development and in tests. */
export function texts(): Plugin {
  const catalogues = '\0virtual:catalogues';
  return {
    name: 'sotto:texts',
    enforce: 'pre',
    // `builtTexts` does it there.
    applyToEnvironment: ({ name, config }) => name !== 'client' || config.command !== 'build',
    resolveId: (id) => (id === 'virtual:catalogues' ? catalogues : undefined),
    load(id) {
      if (id !== catalogues) return undefined;
      const all = languageCodes.map((code) => [code, Object.fromEntries(readCatalogue(code))]);
      const facts = languageCodes.map((code) => [code, factsOf(code)]);
      return `export default ${JSON.stringify(Object.fromEntries(all))};
export const facts = ${JSON.stringify(Object.fromEntries(facts))};`;
    },
    transform: {
      filter: { id: /\/src\/.*\.tsx?(?:\?|$)/, code: /@lingui\/(?:core|react)\/macro/ },
      handler: (code, id) => replaceMacros(code, id, []),
    },
    hotUpdate({ file }) {
      const module = file.endsWith('.po') && this.environment.moduleGraph.getModuleById(catalogues);
      return module ? [module] : undefined;
    },
  };
}

/** @param more plugins of Babel that run after it */
export async function replaceMacros(code: string, id: string, more: PluginItem[]) {
  let result: { code: string; map: BabelFileResult['map'] } = { code, map: undefined };
  for (const plugin of [[macros, { linguiConfig: config, descriptorFields: 'message' }], ...more] as PluginItem[]) {
    const done = await transformAsync(result.code, {
      filename: id.replace(/\?.*$/, ''),
      configFile: false,
      babelrc: false,
      sourceMaps: true,
      inputSourceMap: result.map,
      parserOpts: { plugins: ['typescript', 'jsx'] },
      plugins: [plugin],
    });
    result = { code: done?.code ?? '', map: done?.map };
  }
  return { code: result.code, map: result.map as Rolldown.ExistingRawSourceMap };
}

/**
 * In the browser's build each text becomes a mark, and after it a literal: one script for each language, without a
 * catalogue or code that looks it up. English stays in `assets/`, other languages get a folder in it (decision 069).
 */
export function builtTexts(root: string): Plugin {
  const sources = new Map<string, string>();
  const idsOf = new Map<string, string[]>();
  const facts = JSON.stringify(languageCodes.map(factsOf));
  const translations = languageCodes.map((code): [Language, Map<string, string>] => [
    code,
    code === sourceLanguage ? sources : readCatalogue(code),
  ]);
  return {
    name: 'sotto:built-texts',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'client',
    resolveId: (id) => (id === '#i18n' ? join(root, 'src/i18n/i18n.built.ts') : undefined),
    transform: {
      filter: { id: /\/src\/.*\.tsx?(?:\?|$)/, code: /@lingui\/(?:core|react)\/macro|'#i18n'/ },
      handler(code, id) {
        const ids: string[] = [];
        idsOf.set(id, ids);
        return replaceMacros(code, id, [
          markTexts((text, message) => {
            sources.set(text, message);
            ids.push(text);
            return translations.map(([, texts]) => texts.get(text) ?? message);
          }),
        ]);
      },
    },
    // A script with a new translation needs a new name, because browsers keep the old one for a year. Facts are new with
    // a version of Node only.
    augmentChunkHash({ moduleIds }) {
      const ids = moduleIds.flatMap((id) => idsOf.get(id) ?? []);
      const written = ids.flatMap((id) => translations.map(([, texts]) => texts.get(id) ?? ''));
      return [facts, ...written].join('\n');
    },
    buildApp: {
      // After React Router wrote its manifest.
      order: 'post',
      async handler() {
        const assets = join(root, 'build', 'client', 'assets');
        // React Router's manifest is written by `packedAssets`.
        const names = (await readdir(assets)).filter((name) => /(?<!manifest-[0-9a-f]{8})\.js$/.test(name));
        for (const code of languageCodes) if (code !== sourceLanguage) await mkdir(join(assets, code));
        for (const name of names) {
          const write = createWriter(await readFile(join(assets, name), 'utf8'), name);
          for (const [code, texts] of translations) {
            const find = (id: string) => texts.get(id) ?? sources.get(id);
            const script = write(find, code);
            await writeFile(join(assets, folderOf(code), name), inFolder(script, code));
          }
        }
      },
    },
  };
}
