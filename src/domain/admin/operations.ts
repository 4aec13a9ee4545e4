/** Facts about the running process, which the domain cannot read itself. */
export type Operations = {
  /** From package.json. */
  version: string;
  readJobs(): Promise<JobCounts>;
  isSearchReady(): boolean;
};

export type JobCounts = {
  running: number;
  waiting: number;
  failed: number;
  /** Names of the kinds that failed. */
  failedNames: string[];
  /** How long the oldest waiting one has been due. */
  lagSeconds: number;
};
