/** The site's mark on pages without React; `web/ui/images/logo.tsx` has it for the others. */
export const logoMark =
  '<svg class="logo__mark" viewBox="0 0 32 24" fill="none" stroke="currentColor" stroke-linecap="round" stroke-width="2" aria-hidden="true"><path d="M2 3.5C11 4.5 18 10 25 12M2 12H25M2 20.5C11 19.5 18 14 25 12"/><circle cx="27" cy="12" r="3.2" fill="currentColor" stroke="none"/></svg>';
