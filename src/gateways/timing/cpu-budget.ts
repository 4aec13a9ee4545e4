import { spawn } from 'node:child_process';

/** Processor time of this program and of those that it starts; the system limits each process by itself. */
export type CpuBudget = {
  /** Seconds. */
  left(): number;
  /** Ends this program as the system's limit does, when nothing is left. */
  spend(seconds: number): void;
};

export function createCpuBudget(seconds: number): CpuBudget {
  let ofOthers = 0;
  const left = () => {
    const { user, system } = process.cpuUsage();
    return seconds - ofOthers - (user + system) / 1_000_000;
  };
  return {
    left,
    spend(used) {
      ofOthers += used;
      if (left() <= 0) process.kill(process.pid, 'SIGXCPU');
    },
  };
}

/** Seconds after which a program is ended: the largest batch of lines takes one. */
const longestRun = 60;

/** `times` prints the shell's own seconds, then those of what it ran: user, and system. */
const timesLine = /(?<!\d)(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/;

/**
 * Starts a program whose processor time counts.
 * @returns `ended`: whether it did its work
 */
export function startCounted(command: string[], budget: CpuBudget) {
  const seconds = Math.max(1, Math.ceil(budget.left()));
  const counted = ['sh', '-c', `ulimit -t ${seconds}; "$@"; status=$?; times >&2; exit $status`, 'sh', ...command];
  const [program = '', ...args] = process.platform === 'linux' ? counted : command;
  // A group of its own, so that the shell does not end alone.
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), longestRun * 1000);
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-200)));
  const ended = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  }).finally(() => {
    clearTimeout(timer);
    const [, ...times] = timesLine.exec(said) ?? [];
    const [userMinutes = 0, user = 0, systemMinutes = 0, system = 0] = times.map(Number);
    budget.spend(60 * (userMinutes + systemMinutes) + user + system);
  });
  return { child, ended };
}
