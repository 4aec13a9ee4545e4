/**
 * Runs work in which a browser may fail by chance; retries once, and reports it.
 * @returns the result, or the error's first line after the second failure
 */
export async function tryTwice<Result>(
  name: string,
  work: () => Promise<Result>,
  { print = console.log, givenUp }: { print?: (line: string) => void; givenUp?: AbortSignal } = {},
): Promise<{ ok: true; result: Result } | { ok: false; reason: string }> {
  for (let count = 1; ; count += 1) {
    try {
      return { ok: true, result: await work() };
    } catch (error) {
      const reason = reasonOf(error);
      const isLast = count === 2 || givenUp?.aborted === true;
      print(`${name}: ${reason}; ${isLast ? 'going on without it' : 'trying again'}`);
      if (isLast) return { ok: false, reason };
    }
  }
}

/** The first line of an error and of each of its causes: a failed query names its reason only there. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const line = error.message.split('\n', 1)[0] ?? '';
  return error.cause === undefined ? line : `${line} (${reasonOf(error.cause)})`;
}
