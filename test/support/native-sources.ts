/**
 * Modules that Node loads itself, from its compile cache. Vitest's own loader takes twice as long, and only tests and
 * browser code need it.
 */
export const nativeSources = [/\/src\/(?!web\/|player\/)(?!.*\.test\.ts$).*\.ts$/];
