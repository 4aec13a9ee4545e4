/**
 * Does work that a browser may spoil by chance; a second time when it fails, saying so.
 * @returns the result, or the error's first line after the second failure
 */
export async function tryTwice<Result>(
  name: string,
  work: () => Promise<Result>,
  say: (line: string) => void = console.log,
): Promise<{ ok: true; result: Result } | { ok: false; reason: string }> {
  for (let count = 1; ; count += 1) {
    try {
      return { ok: true, result: await work() };
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
      say(`${name}: ${reason}; ${count === 1 ? 'trying again' : 'going on without it'}`);
      if (count === 2) return { ok: false, reason };
    }
  }
}
