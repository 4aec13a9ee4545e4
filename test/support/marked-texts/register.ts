import { registerHooks } from 'node:module';

const own = new URL('catalogue.ts', import.meta.url).href;

/** For `node --import`: the process has `catalogue.ts` in place of the translations. */
registerHooks({
  load(url, context, next) {
    if (!url.endsWith('/src/i18n/catalogues.ts')) return next(url, context);
    return { format: 'module', source: `export * from ${JSON.stringify(own)};`, shortCircuit: true };
  },
});
