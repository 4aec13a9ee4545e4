import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { type Plugin, type Rolldown, build } from 'vite';
import { browserTarget } from '../start/supported-browsers.ts';

/**
 * Builds the script and the style of frames on other sites as a separate program: `build/embed.json`. Their page has both
 * inline, so that a frame costs one request, and also works in a sandbox, whose origin may load no scripts of this site.
 * @param root of the repository
 */
export function embedBuild(root: string): Plugin {
  return {
    name: 'sotto:embed',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    // After the build of the pages, which empties the folder of files.
    buildApp: { order: 'post', handler: () => buildEmbed(root) },
  };
}

/** Texts are in the page, in its language. */
const withoutTexts: Plugin = {
  name: 'sotto:without-texts',
  enforce: 'pre',
  resolveId: (id) => (id === '#i18n' ? '\0without-texts' : undefined),
  load: (id) => (id === '\0without-texts' ? 'export const i18n = undefined;' : undefined),
};

async function buildEmbed(root: string): Promise<void> {
  const built = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: [withoutTexts, tailwindcss()],
    build: {
      target: browserTarget,
      write: false,
      copyPublicDir: false,
      modulePreload: false,
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: join(root, 'src', 'embed', 'embed.ts'),
        // The fonts are those of the pages.
        output: { assetFileNames: 'assets/[name]-[hash:7][extname]' },
      },
    },
  });
  const { output } = built as Rolldown.RolldownOutput;
  const texts = { script: '', style: '' };
  for (const file of output) {
    if (file.type === 'chunk') texts.script += file.code;
    else if (file.fileName.endsWith('.css')) texts.style += Buffer.from(file.source).toString();
    else await writeFile(join(root, 'build', 'client', file.fileName), file.source);
  }
  await writeFile(join(root, 'build', 'embed.json'), JSON.stringify(texts));
}
