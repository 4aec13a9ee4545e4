import { browserLimits, inTime } from '#player/browser-limits.ts';

/**
 * Passes a request on as it is: with a signal, a navigation would become another kind of request. Rejects after seconds
 * when there is a stored answer: a connection may accept requests and never answer.
 */
export async function passOn(request: Request, hasStored: () => Promise<boolean>): Promise<Response> {
  // oxlint-disable-next-line no-restricted-globals -- limited below
  const answer = fetch(request);
  const patience = hasStored().then(
    (has) => (has ? browserLimits.storedPage : browserLimits.document),
    () => browserLimits.document,
  );
  return Promise.race([answer, patience.then((limitMs) => inTime(answer, limitMs))]);
}
