/**
 * Ends work that takes longer than `limitMs`: aborts its signal, and rejects even when the work ignores that.
 * @throws with the code ETIMEDOUT
 */
export async function inTime<Result>(limitMs: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const limit = new AbortController();
  const late = Promise.withResolvers<never>();
  // Cleared, unlike that of `AbortSignal.timeout`, which keeps what the work holds for its whole time.
  const timer = setTimeout(() => {
    const error = Object.assign(new Error(`No answer within ${limitMs} ms`), { code: 'ETIMEDOUT' });
    late.reject(error);
    limit.abort(error);
  }, limitMs);
  try {
    return await Promise.race([work(limit.signal), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
