import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import type { Plugin } from 'vite';
import { defineConfig } from 'vite';

/**
 * Fails the browser build when it would ship server code: a component may take types from the domain, and values only
 * from its `rules.ts` and `forms.ts` (architecture, "Layout").
 */
function serverCodeStaysHome(): Plugin {
  return {
    name: 'sotto:server-code-stays-home',
    applyToEnvironment: (environment) => environment.name === 'client',
    load(id) {
      const path = id.split('?')[0]?.replaceAll('\\', '/') ?? '';
      if (!/\/src\/(domain|db|http|gateways|main|config|cli)(\/|\.)/.test(path)) return;
      if (/\/src\/domain\/[a-z-]+\/(rules|forms)\.ts$/.test(path)) return;
      this.error(
        `${path} is server code and may not reach the browser; import its type, or a value of rules.ts / forms.ts`,
      );
    },
  };
}

/**
 * Leaves a `.br` and a `.gz` beside each text file for browsers, so that no request pays for packing it. After the whole
 * build, since React Router writes its manifest last.
 */
function packedAssets(): Plugin {
  return {
    name: 'sotto:packed-assets',
    apply: 'build',
    buildApp: {
      order: 'post',
      async handler() {
        const assets = join(import.meta.dirname, 'build', 'client', 'assets');
        for (const name of await readdir(assets, { recursive: true })) {
          if (!/\.(js|css|svg|json)$/.test(name)) continue;
          const path = join(assets, name);
          const content = await readFile(path);
          const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
          await writeFile(`${path}.br`, await promisify(brotliCompress)(content, quality));
          await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
        }
      },
    },
  };
}

export default defineConfig({
  plugins: [serverCodeStaysHome(), packedAssets(), tailwindcss(), reactRouter()],
  build: { target: 'es2022', assetsInlineLimit: 0 },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // What every first load needs comes as one file instead of thirty. What only pages about money share stays with them.
          output: {
            codeSplitting: {
              groups: [{ name: 'site', tags: ['$initial'], minShareCount: 2, test: /^(?!.*\/src\/web\/membership\/)/ }],
            },
          },
        },
      },
    },
  },
});
