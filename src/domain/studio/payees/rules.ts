export const payeeKinds = ['person', 'company'] as const;
export type PayeeKind = (typeof payeeKinds)[number];

/** `kept`: the account that was saved before, of which the form shows the last four characters only. */
export const accountWays = ['kept', 'iban', 'other'] as const;
export type AccountWay = (typeof accountWays)[number];

export const payeeLengths = { name: 200, address: 300, account: 300, taxNumber: 60, taxForm: 200 } as const;

/** Without spaces and hyphens, in capitals, as it is stored. */
export function plainAccount(text: string): string {
  return text.replaceAll(/[\s-]/g, '').toUpperCase();
}

/** Checks form and check digits (ISO 13616). @param iban as `plainAccount` returns it */
export function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(iban)) return false;
  const digits = (iban.slice(4) + iban.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 'A'.charCodeAt(0) + 10),
  );
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}

/** Checks the form (ISO 9362). @param bic as `plainAccount` returns it */
export function isBic(bic: string): boolean {
  return /^[A-Z\d]{4}[A-Z]{2}[A-Z\d]{2}([A-Z\d]{3})?$/.test(bic);
}
