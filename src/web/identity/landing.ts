/** Query parameters that act on arrival (spec §2, “Query parameters”). */
export type Landing = {
  /** Trimmed; opens the sign-up modal for visitors. */
  promoCode: string | undefined;
  /** From an advertisement on Facebook or Instagram. */
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
