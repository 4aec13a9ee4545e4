type HydrationContext = { state?: unknown };

/**
 * Removes the hydration data that the server wrote into the page: after a log-out it would still contain the user’s
 * data. React Router has copied what it needs.
 */
export function removeHydrationData(): void {
  for (const script of document.querySelectorAll('script:not([src])'))
    if (script.textContent?.includes('__reactRouterContext') === true) script.textContent = '';
  const { __reactRouterContext: context } = window as { __reactRouterContext?: HydrationContext };
  if (context !== undefined) context.state = undefined;
  Reflect.deleteProperty(window, '__reactRouterContext');
}
