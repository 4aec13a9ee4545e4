import { browserLimits, inTime } from '#player/browser-limits.ts';

/**
 * Forwards a request unchanged: a signal would turn a navigation into another kind of request. Rejects after seconds when
 * there is a stored answer, because a connection may accept requests and never answer.
 */
export async function forward(request: Request, hasStored: () => Promise<boolean>): Promise<Response> {
  // oxlint-disable-next-line no-restricted-globals -- limited below
  const answer = fetch(request);
  const limit = hasStored().then(
    (has) => (has ? browserLimits.storedPage : browserLimits.document),
    () => browserLimits.document,
  );
  return Promise.race([answer, limit.then((limitMs) => inTime(answer, limitMs))]);
}
