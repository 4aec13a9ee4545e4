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
      this.error(`${path} is server code and may not reach the browser; import its type, or a value of rules.ts / forms.ts`);
    },
  };
}

export default defineConfig({
  plugins: [serverCodeStaysHome(), tailwindcss(), reactRouter()],
  build: { target: 'es2022', assetsInlineLimit: 0 },
  server: { hmr: { clientPort: undefined } },
});
