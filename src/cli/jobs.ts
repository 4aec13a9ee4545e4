import { openForCommand } from '#db/command-database.ts';
import type { CommandDatabase } from '#db/command-database.ts';
import { isId } from '#domain/kernel/ids.ts';
import { operator } from '#domain/kernel/actor.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { findJob, listJobs, listJobsOf } from '../jobs/job-records.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, parseCommandLine, UsageError } from './command.ts';

export const jobsCommand: Command = {
  help: `jobs [<name>] | retry <id> | cancel <id>

Lists the site's background jobs: schedule (cron, UTC), how many wait, run and failed, and when one last finished.
With a name it lists the latest jobs of that kind, unfinished and failed ones first. A failed job was tried several
times; its next scheduled run takes place all the same.

  retry   retries a failed job
  cancel  cancels a waiting job, or one running in a process that hangs`,
  async run(args, context) {
    const [act] = args;
    if (act === 'retry' || act === 'cancel') return change(act, args.slice(1), context);
    if (args.length > 1) throw new UsageError(`"${args[1]}" is one word too many`);
    return withPool(context, async ({ database: { pool } }) => {
      const jobs = await listJobs(pool);
      if (act === undefined) {
        for (const { name, schedule = 'when needed', waiting, running, failed, doneAt } of jobs)
          context.print(
            `${name.padEnd(28)}  ${schedule.padEnd(11)}  ${waiting} waiting, ${running} running, ${failed} failed; ${
              doneAt === undefined ? 'not done yet' : `done ${doneAt.toISOString()}`
            }`,
          );
        if (jobs.length === 0) context.note('No site has run jobs on this database yet.');
        return 0;
      }
      if (!jobs.some(({ name }) => name === act)) throw new UsageError(`There is no job "${act}"`);
      for (const { id, state, createdAt, tries, outcome } of await listJobsOf(pool, act))
        context.print(
          `${id}  ${createdAt.toISOString()}  ${state.padEnd(9)}  ${tries} tried${outcome === undefined ? '' : `  ${outcome}`}`,
        );
      return 0;
    });
  },
};

async function change(act: 'retry' | 'cancel', args: string[], context: CommandContext): Promise<number> {
  const { positionals } = parseCommandLine(args, {}, ['<id>'] as const);
  const [id] = positionals;
  if (!isId(id)) throw new UsageError(`"${id}" is not the id of a job`);
  const { withSite } = await import('./open/with-site.ts');
  return withSite(context, async ({ site, pool }) => {
    const job = await findJob(pool, id);
    if (job === undefined) throw new CommandError(`there is no job ${id}`);
    await site.admin.site.changeJob(operator, id, act).catch((error: unknown) => {
      if (!(error instanceof DomainError) || error.code !== 'system/job-state') throw error;
      throw new CommandError(
        act === 'retry'
          ? `this job is ${job.state}; only a failed one can be tried again`
          : `this job is ${job.state} already`,
      );
    });
    context.print(act === 'retry' ? `${job.name} will be retried.` : `${job.name} is canceled.`);
    return 0;
  });
}

async function withPool<Result>(
  context: CommandContext,
  act: (opened: CommandDatabase) => Promise<Result>,
): Promise<Result> {
  const opened = await openForCommand(context.readConfig(), { create: false, schema: 'current', note: context.note });
  try {
    return await act(opened);
  } finally {
    await opened.close();
  }
}
