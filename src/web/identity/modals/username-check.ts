/** Whether a username is available. `unknown`: not requested (yet), or no answer. */
export type Availability = 'unknown' | 'checking' | 'available' | 'unavailable';

type UsernameCheckOptions = {
  ask(username: string, signal: AbortSignal): Promise<Exclude<Availability, 'checking'>>;
  onChange(availability: Availability): void;
  /** The user’s own username, which needs no call (spec §5). */
  current?: string | undefined;
  /** Debounce in milliseconds. */
  delay?: number;
};

/**
 * Checks a username while it is typed. An older answer never overwrites a newer one, and an unchanged name is not
 * requested again.
 */
export function createUsernameCheck({ ask, onChange, current, delay = 300 }: UsernameCheckOptions) {
  let typed: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: AbortController | undefined;

  function stop() {
    clearTimeout(timer);
    asking?.abort();
    asking = undefined;
  }

  async function askNow(username: string) {
    const own = new AbortController();
    asking = own;
    const availability = await ask(username, own.signal);
    if (asking !== own) return;
    asking = undefined;
    // No answer: the same name may be requested again.
    if (availability === 'unknown') typed = undefined;
    onChange(availability);
  }

  return {
    /** @param username normalized; undefined when invalid or empty */
    change(username: string | undefined): void {
      if (username === typed) return;
      typed = username;
      stop();
      if (username === undefined || username === current) return onChange('unknown');
      onChange('checking');
      timer = setTimeout(() => void askNow(username), delay);
    },
    stop,
  };
}
