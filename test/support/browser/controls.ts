import type { Page } from 'playwright-core';

/** `opens`: it says that it opens something, which may take a while; other buttons may open a window or do anything else. */
export type Control = { id: string; name: string; opens: boolean };

/** Marks the controls in sight that open something above the page, each kind once. */
export function findControls(page: Page, seen: string[]): Promise<Control[]> {
  return page.evaluate((seen) => {
    const known = new Set(seen);
    const found: { id: string; name: string; opens: boolean }[] = [];
    const controls = document.querySelectorAll<HTMLElement>(
      'summary:has(+ [data-menu], + form, + nav), [aria-haspopup], button[aria-expanded], main button:not([type=submit])',
    );
    for (const [index, control] of [...controls].entries()) {
      const { width, height } = control.getBoundingClientRect();
      if (
        width < 2 ||
        height < 2 ||
        control.matches(':disabled, [aria-disabled=true], [role=switch], [role=tab]') ||
        !control.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      )
        continue;
      const [kind] = (control.ariaLabel ?? control.textContent).trim().split(/\s/);
      const name = `${kind} ${control.className}`;
      if (known.has(name)) continue;
      known.add(name);
      control.dataset['control'] = String(index);
      const opens = control.matches('summary, [aria-haspopup], [aria-expanded]');
      found.push({ id: String(index), name, opens });
    }
    return found;
  }, seen);
}

/** Acts of the pressed buttons fail. With a route of Playwright, no script of a page would come from the cache. */
export function refuseWrites(): void {
  const send = window.fetch;
  window.fetch = (input, init) =>
    new Request(input, init).method === 'GET'
      ? send(input, init)
      : Promise.reject(new TypeError('This test changes nothing'));
}
