const key = 'sotto.promo-code';
// Where storage is blocked, it holds for this page only.
let keptHere: string | undefined;

/** Of a link with a promo code: for this tab, since the way to the payment may lead by other pages. */
export function keepPromoCode(code: string): void {
  keptHere = code;
  attempt(() => sessionStorage.setItem(key, code));
}

export function keptPromoCode(): string | undefined {
  return attempt(() => sessionStorage.getItem(key)) ?? keptHere;
}

export function forgetPromoCode(): void {
  keptHere = undefined;
  attempt(() => sessionStorage.removeItem(key));
}

function attempt<Value>(act: () => Value): Value | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
