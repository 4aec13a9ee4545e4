import { dropUnwanted } from '#domain/kernel/rules.ts';
/** Search, state and cursor of a list from its address; an invalid state is ignored. */
export function readListQuery<State extends string>(
  parameters: URLSearchParams,
  states: readonly State[],
): { q: string; state: State | undefined; cursor: string | undefined } {
  return {
    q: dropUnwanted(parameters.get('q') ?? '')
      .trim()
      .slice(0, 200),
    state: states.find((state) => state === parameters.get('state')),
    cursor: parameters.get('cursor') ?? undefined,
  };
}
