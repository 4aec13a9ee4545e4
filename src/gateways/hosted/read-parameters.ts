export type Parameters = Record<string, string>;

/** @returns undefined when a name comes twice: nobody could say which one was signed */
export function readParameters(encoded: string): Parameters | undefined {
  const entries = [...new URLSearchParams(encoded)];
  const parameters: Parameters = Object.fromEntries(entries);
  return Object.keys(parameters).length === entries.length ? parameters : undefined;
}

/** Our random reference; anything else did not come from this site. */
export function referenceIn(value: string | undefined): string | undefined {
  return value !== undefined && /^[0-9a-f]{32}$/.test(value) ? value : undefined;
}

/** A number of the provider as text, since it may be longer than numbers are exact. */
export function numberIn(value: string | undefined): string | undefined {
  return value !== undefined && /^\d{1,24}$/.test(value) ? value : undefined;
}

/** End of a day such as `2027-01-15` or `20270115`, with or without a time: the charge comes within that day. */
export function endOfDay(day: string | undefined): Date | undefined {
  const [, year, month, date] = /^(\d{4})-?(\d\d)-?(\d\d)/.exec(day ?? '') ?? [];
  const end = new Date(`${year}-${month}-${date}T23:59:59Z`);
  return Number.isNaN(end.getTime()) ? undefined : end;
}
