/** What only the process knows about how the site runs. */
export type Operations = {
  /** Of the package. */
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
