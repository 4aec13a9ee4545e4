/** An ESTree node with its position in the source. */
type Node = { type: string; start: number; end: number; id?: { name: string } | null; body?: unknown };

const never = `throw Error('Left out of the build by unused-router-code.ts')`;

/**
 * React Router functions that this site never needs in a browser, each with a replacement body. This removes a fifth of
 * the router. By file in `react-router/dist/production/lib`.
 */
export const unusedRouterCode: Record<string, Record<string, string>> = {
  'components.js': {
    // <HydratedRouter> is used without `useTransitions`.
    getOptimisticRouterState: 'return newState',
  },
  'hooks.js': {
    // Each component that navigates is inside a data router.
    useNavigate: 'return useNavigateStable()',
    // The root route has its own error boundary.
    DefaultErrorComponent: 'return null',
    RSCErrorHandler: 'return children',
  },
  'errors.js': {
    // Digests come with React Server Components.
    decodeRouteErrorResponseDigest: '',
  },
  'dom/lib.js': {
    // Forms call the API, or open a page (page-form.tsx).
    useFormAction: never,
    useSubmit: never,
    useViewTransitionState: 'return false',
  },
  'dom/ssr/components.js': {
    // No link has `prefetch`.
    usePrefetchBehavior: 'return [false, null, {}]',
    PrefetchPageLinks: 'return null',
  },
  'dom/ssr/errorBoundaries.js': {
    // Reached only when the root’s own error boundary throws.
    RemixRootDefaultErrorBoundary: `
      console.error(error);
      return React$1.createElement('html', { lang: 'en' },
        React$1.createElement('body', null, React$1.createElement('h1', null, 'Something went wrong')));`,
  },
  'dom/ssr/fallback.js': {
    // No route has a client loader to wait for.
    RemixRootDefaultHydrateFallback: 'return null',
  },
  'dom/ssr/fog-of-war.js': {
    // The manifest has all routes (react-router.config.ts).
    isFogOfWarEnabled: 'return false',
    getPartialManifest: never,
    getPatchRoutesOnNavigationFunction: '',
    useFogOFWarDiscovery: '',
  },
  'dom/ssr/links.js': {
    // Only the server writes hints for scripts.
    getModuleLinkHrefs: 'return []',
    isPageLinkDescriptor: 'return false',
  },
  'dom/ssr/routes.js': {
    // No route has an action, a client loader or split parts, and there is no hot replacement.
    createClientRoutesWithHMRRevalidationOptOut: never,
    getShouldRevalidateFunction: 'return route.shouldRevalidate',
    noActionDefinedError: never,
    preventInvalidServerHandlerCall: '',
    fetchServerAction: never,
    prefetchRouteModuleChunks: '',
  },
  'dom/ssr/single-fetch.js': {
    // Pages are rendered on the server; no actions, no fetchers.
    nonSsrStrategy: never,
    singleFetchActionStrategy: never,
    singleFetchLoaderFetcherStrategy: never,
  },
  'router/history.js': {
    // Warnings for developers, which the development build has.
    warning: '',
  },
  'router/instrumentation.js': {
    consumeInstrumentationClientResultMetaReceiver: '',
    getRouteInstrumentationUpdates: 'return {}',
    instrumentClientSideRouter: 'return router',
  },
  'router/utils.js': {
    // A message for developers, which the development build has.
    getInvalidPathError: `return ''`,
  },
  'router/router.js': {
    // Actions and submissions: forms call the API.
    createClientSideRequest:
      'return new Request(history.createURL(stripHashFromPath(location)).toString(), { signal })',
    getActionDataForCommit: 'return {}',
    // Each address has a route (`*` in routes.ts), so that these messages are never shown.
    getInternalRouterError: 'return new ErrorResponseImpl(status, "", Error(), true)',
    getLoadingNavigation: `return { state: 'loading', location, matches, historyAction }`,
    getSubmissionFromNavigation: '',
    getUpdatedActionData: '',
    handleAction: never,
    isMutationMethod: 'return false',
    normalizeNavigateOptions: 'return { path }',
    // Fetchers: components load by the API.
    abortFetcher: '',
    abortStaleFetchLoads: 'return false',
    deleteFetcher: '',
    fetch: never,
    getFetcher: never,
    getTargetedDataStrategyMatches: never,
    getUpdatedRevalidatingFetchers: never,
    markFetchRedirectsDone: 'return false',
    queueFetcherForDeletion: never,
    resetFetcher: never,
    // Blockers.
    deleteBlocker: '',
    getBlocker: never,
    shouldBlockNavigation: '',
    updateBlocker: '',
    // Lazily discovered or hot-replaced routes.
    _internalSetRoutes: never,
    checkFogOfWar: 'return { active: false, matches: null }',
    discoverRoutes: never,
    patchRoutes: never,
    // Instrumentation, view transitions, and the strategy that single fetch replaces.
    defaultDataStrategyWithMiddleware: never,
    getInstrumentationNavigateMeta: '',
    persistAppliedTransitions: '',
    restoreAppliedTransitions: '',
  },
};

/**
 * @param bodies by name of the function
 * @param parse as in the context of a Rollup plugin
 * @throws Error if the code has not exactly one function of each name
 */
export function replaceBodies(code: string, bodies: Record<string, string>, parse: (code: string) => unknown): string {
  const places = new Map<string, Node>();
  const seen: unknown[] = [parse(code)];
  while (seen.length > 0) {
    const value = seen.pop();
    if (typeof value !== 'object' || value === null) continue;
    const { type, id, body } = value as Partial<Node>;
    if (type === 'FunctionDeclaration' && id && Object.hasOwn(bodies, id.name)) {
      if (places.has(id.name)) throw new Error(`It has two functions ${id.name} now`);
      places.set(id.name, body as Node);
    }
    seen.push(...Object.values(value));
  }
  const missing = Object.keys(bodies).filter((name) => !places.has(name));
  if (missing.length > 0) throw new Error(`It has no function ${missing.join(', ')} now`);
  return [...places]
    .toSorted(([, a], [, b]) => b.start - a.start)
    .reduce((text, [name, { start, end }]) => `${text.slice(0, start)}{${bodies[name]}}${text.slice(end)}`, code);
}
