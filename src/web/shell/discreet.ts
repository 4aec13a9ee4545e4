import { keepCookie } from './preference-cookie.ts';

/** Discreet mode: neutral tab title, lock-screen text and artwork. Kept for a year; pages follow when they are next asked for. */
export function keepDiscreet(discreet: boolean): void {
  keepCookie('sotto_discreet', discreet ? '1' : undefined);
}
