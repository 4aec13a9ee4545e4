import { serialize } from 'hono/utils/cookie';
import type { Age } from '#domain/age/open-age.ts';
import type { Confirmation } from '#domain/age/rules.ts';
import { seeAsMinutes } from '#domain/age/see-as.ts';

/** Browsers keep a cookie for 400 days at most. */
const longest = 400 * 24 * 60 * 60;
const pattern = /(?:^|;\s*)(?:__Host-)?sotto_age=([\w.-]{20,200})(?:;|$)/;
/** The secret of a request for a proof, and where it leads. */
const checkPattern = /(?:^|;\s*)(?:__Host-)?sotto_age_check=([\w-]{43})(?:;|$)/;
const checkSeconds = 10 * 60;
const underPattern = /(?:^|;\s*)sotto_under_age=1(?:;|$)/;

/** Confirmations of an operator who sees the site as a visitor: apart from those that count. */
export const triedName = 'sotto_tried_age';
const triedPattern = /(?:^|;\s*)sotto_tried_age=([\w.-]{20,200})(?:;|$)/;

/** The confirmation of this device. @param cookies the Cookie header, or empty */
export function confirmationIn(age: Pick<Age, 'open'>, cookies: string, isTried = false): Confirmation | undefined {
  const sealed = (isTried ? triedPattern : pattern).exec(cookies)?.[1];
  return sealed === undefined ? undefined : age.open(sealed);
}

export function saysUnderAge(cookies: string): boolean {
  return underPattern.test(cookies);
}

export function confirmationLine(
  age: Pick<Age, 'seal'>,
  given: Confirmation,
  { secure, isTried = false }: { secure: boolean; isTried?: boolean },
): string {
  const seconds = given.until === undefined ? longest : Math.floor((given.until.getTime() - Date.now()) / 1000);
  const name = isTried ? triedName : secure ? '__Host-sotto_age' : 'sotto_age';
  return serialize(name, age.seal(given), {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    maxAge: Math.min(isTried ? seeAsMinutes * 60 : longest, seconds),
  });
}

/** The secret of this browser's request for a proof. @param cookies the Cookie header, or empty */
export function checkSecretIn(cookies: string): string | undefined {
  return checkPattern.exec(cookies)?.[1];
}

/** For as long as an answer can come. The browser sends it, too, when a provider leads back here. */
export function checkLine(secret: string, secure: boolean): string {
  const options = { path: '/', httpOnly: true, sameSite: 'Lax', secure } as const;
  return serialize(secure ? '__Host-sotto_age_check' : 'sotto_age_check', secret, { ...options, maxAge: checkSeconds });
}

/** The page that a provider's visitors go on to: it is none of the provider's business. */
export function returnLine(to: string, secure: boolean): string {
  const options = { path: '/age', httpOnly: true, sameSite: 'Lax', secure } as const;
  return serialize('sotto_age_to', to, { ...options, maxAge: checkSeconds });
}

/** Scripts read it, so that they show the page of that answer and do not ask again. */
export function underAgeLine(isUnder: boolean, secure: boolean): string {
  const options = { path: '/', sameSite: 'Lax', secure } as const;
  return serialize('sotto_under_age', isUnder ? '1' : '', { ...options, maxAge: isUnder ? longest : 0 });
}
