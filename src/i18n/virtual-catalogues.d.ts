declare module 'virtual:catalogues' {
  import type { AllFacts } from '#formats/format-facts.ts';
  import type { Language } from '#formats/languages.ts';

  const catalogues: Record<string, Record<string, string> | undefined>;
  export const facts: Record<Language, AllFacts>;
  export default catalogues;
}
