/** What an address asks for before anything was pressed (spec §2, "Query parameters"). */
export type Landing = {
  /** Trimmed; opens the sign-up modal for whoever is not logged in. */
  promoCode: string | undefined;
  /** By an advertisement on Facebook or Instagram. */
  isPaidLink: boolean;
};

const paidSources = ['facebook', 'instagram'];

/** @param search with or without its question mark */
export function landingOf(search: string): Landing {
  const query = new URLSearchParams(search);
  const promoCode = query.get('promoCode')?.trim();
  return {
    promoCode: promoCode === '' ? undefined : promoCode,
    isPaidLink: paidSources.includes(query.get('utm_source')?.trim().toLowerCase() ?? ''),
  };
}
