/** Normalizes a term like the server. */
export function tidyTerm(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
