/** Whether a username can be had. `unknown`: not asked (yet), or no answer came. */
export type Availability = 'unknown' | 'checking' | 'available' | 'unavailable';

type UsernameCheckOptions = {
  ask(username: string, signal: AbortSignal): Promise<Exclude<Availability, 'checking'>>;
  onChange(availability: Availability): void;
  /** The user's own; it needs no call (spec §5). */
  current?: string | undefined;
  /** Milliseconds without a change before it asks. */
  delay?: number;
};

/** Asks while a username is typed. An older answer never overwrites a newer one, and the same name is not asked for twice. */
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
    // No answer: the same name may be asked for again.
    if (availability === 'unknown') typed = undefined;
    onChange(availability);
  }

  return {
    /** @param username as it would be kept; undefined where it is no username, or empty */
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
