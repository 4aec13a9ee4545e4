/**
 * Modules that Node loads itself, with what it compiled before. Vitest's own loader takes twice as long, and it is needed
 * only for tests and for what the build turns into scripts of the browser.
 */
export const nativeSources = [/\/src\/(?!web\/|player\/)(?!.*\.test\.ts$).*\.ts$/];
