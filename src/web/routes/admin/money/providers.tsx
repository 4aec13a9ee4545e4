import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect } from 'react';
import { href, Link, useRevalidator } from 'react-router';
import { type ProviderName, providerTitles } from '#domain/membership/capabilities.ts';
import type { MoveProgress } from '#domain/admin/money/provider-moves.ts';
import type { ProviderState } from '#domain/admin/money/providers.ts';
import type { MovePlan } from '#domain/membership/moving/plan-move.ts';
import { formatCount } from '#formats/numbers.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { useConfirm } from '#web/admin/consequence-dialog.tsx';
import { capabilityWords, kindActs, kindNames, moveStates, problemText } from '#web/admin/money/provider-words.ts';
import { Part } from '#web/workshop/forms/settings-part.tsx';
import { useCall } from '#web/admin/use-call.ts';
import { answerOf, api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Fact, Facts } from '#web/workshop/facts.tsx';
import { LocalTime } from '#web/workshop/local-time.tsx';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import type { Route } from './+types/providers';

export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const { money } = site.admin;
  const [providers, moves] = await Promise.all([money.listProviders(viewer), money.listProviderMoves(viewer)]);
  const main = providers.find(({ isMain }) => isMain);
  const left = providers.find(({ name, isMain }) => name === url.searchParams.get('from') && !isMain);
  const plan = left && main && (await money.planProviderMove(viewer, { from: left.name, to: main.name }));
  return { providers, moves, plan: plan ?? null, titles: providerTitles };
}

/** Milliseconds between two looks at a move. */
const pollMs = 2000;

export default function AdminProviders({ loaderData: { providers, moves, plan, titles } }: Route.ComponentProps) {
  const isUnderWay = moves.some(({ state }) => state === 'running');
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isUnderWay) return undefined;
    const timer = setInterval(() => void revalidate(), pollMs);
    return () => clearInterval(timer);
  }, [isUnderWay, revalidate]);
  const main = providers.find(({ isMain }) => isMain);
  const hasOpen = moves.some(({ state }) => state !== 'done');
  return (
    <>
      <WorkshopHead
        title={t`Payment providers`}
        facts={t`New subscriptions, gift cards and promo codes are made at the main one. The others go on serving those who pay there.`}
      />
      <div className="max-w-[1000px]">
        <Part
          id="providers"
          title={t`Providers`}
          help={t`Make another one the main one first; then move the subscriptions of the former one.`}
        >
          <div className="grid gap-4">
            {providers.map((one) => (
              <Provider key={one.name} provider={one} main={main} mayMove={!hasOpen} />
            ))}
          </div>
        </Part>
        {plan !== null && !hasOpen && <Plan plan={plan} titles={titles} />}
        {moves.length > 0 && (
          <Part id="moves" title={t`Moves`} help={t`A move goes on by itself, also after a restart of the site.`}>
            <div className="grid gap-4">
              {moves.map((move) => (
                <Move key={move.id} move={move} titles={titles} />
              ))}
            </div>
          </Part>
        )}
      </div>
    </>
  );
}

const subscriptionsText = (count: number) =>
  plural(count, { one: '# running subscription', other: '# running subscriptions' });

type ProviderProps = { provider: ProviderState; main: ProviderState | undefined; mayMove: boolean };

function Provider({ provider, main, mayMove }: ProviderProps) {
  const { name, title, isMain, capabilities, running } = provider;
  const { call, isBusy } = useCall();
  const { confirm, dialog } = useConfirm();
  const mainTitle = main?.title ?? '';
  const make = () =>
    call('main', () => api.admin['payment-providers'][':name'].main.$put({ param: { name } }), {
      done: t`${title} is the main provider now`,
    });
  return (
    <article className="panel p-5">
      <h3 className="flex flex-wrap items-center gap-2.5 text-18">
        {title}
        {isMain && <span className="tag tone-ok">{t`Main`}</span>}
        {capabilities === null && <span className="tag tag--warn">{t`Gone`}</span>}
      </h3>
      <p className="mt-1 text-muted tabular-nums">{subscriptionsText(running)}</p>
      {capabilities === null ? (
        <p className="mt-2">
          <Trans>The site has no settings of it any more, so it cannot be asked for anything.</Trans>
        </p>
      ) : (
        <ul className="mt-3 grid gap-1 text-14">
          {capabilityWords(capabilities).map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      {!isMain && (
        <div className="mt-4 flex flex-wrap items-center gap-3">
          {capabilities !== null && (
            <Button
              busy={isBusy ? t`One moment…` : undefined}
              onClick={() =>
                confirm({
                  title: t`Make ${title} the main provider`,
                  consequences: t`New subscriptions, gift cards and promo codes are made at ${{ title }} from now on. Promo codes of ${{ mainTitle }} are not offered any more. Nobody is moved.`,
                  verb: t`Make main`,
                  onConfirm: make,
                })
              }
            >
              {t`Make main`}
            </Button>
          )}
          {running > 0 && main !== undefined && mayMove && (
            <Link className="link" to={`${href('/admin/payment-providers')}?from=${name}#plan`}>
              {t`Move subscriptions to ${mainTitle}`}
            </Link>
          )}
        </div>
      )}
      {dialog}
    </article>
  );
}

const daysText = (count: number) => plural(count, { one: '# day', other: '# days' });

type Titles = { titles: Record<ProviderName, string> };

/** A dry run, and the button that makes it real. */
function Plan({ plan, titles }: { plan: MovePlan } & Titles) {
  const { call, isBusy } = useCall();
  const { confirm, dialog } = useConfirm();
  const [former, next] = [titles[plan.from], titles[plan.to]];
  const total = plan.kinds.reduce((sum, { count }) => sum + count, 0);
  const acts = kindActs(plan);
  const start = () =>
    call('start', () => api.admin['provider-moves'].$post({ json: { from: plan.from, to: plan.to } }), {
      done: t`The move begins within seconds`,
      leavesTo: href('/admin/payment-providers'),
    });
  return (
    <Part
      id="plan"
      title={t`Plan: from ${former} to ${next}`}
      help={t`Nothing has been done yet. Nobody loses access, nobody is charged twice, and each subscriber gets one email.`}
    >
      <Facts>
        {plan.kinds.map(({ kind, count }) => (
          <Fact key={kind} name={kindNames()[kind]}>
            <span>
              <b>{formatCount(count)}</b> · {acts[kind]}
            </span>
          </Fact>
        ))}
        <Fact name={t`With gift time behind`}>{formatCount(plan.withGiftTime)}</Fact>
        {plan.confirming > 0 && (
          <Fact name={t`Waiting for their bank`}>
            <span>
              <b>{formatCount(plan.confirming)}</b> · {t`They are left. Move again once they run.`}
            </span>
          </Fact>
        )}
        <Fact name={t`Time that is kept`}>{daysText(plan.paidDays)}</Fact>
      </Facts>
      {total > 0 && (
        <Button
          variant="primary"
          className="mt-4"
          busy={isBusy ? t`One moment…` : undefined}
          onClick={() =>
            confirm({
              title: t`Move to ${next}`,
              consequences: t`${{ count: plural(total, { one: '# subscription', other: '# subscriptions' }) }} at ${{ former }} become time of this site, and their subscribers are emailed. This cannot be undone.`,
              verb: t`Start the move`,
              onConfirm: start,
            })
          }
        >
          {t`Start the move`}
        </Button>
      )}
      {dialog}
    </Part>
  );
}

/** Progress of a move, with what went wrong. */
function Move({ move, titles }: { move: MoveProgress } & Titles) {
  const { call, busy } = useCall();
  const [former, next] = [titles[move.from], titles[move.to]];
  const act = (name: 'pause' | 'resume' | 'retry') =>
    void call(name, () =>
      answerOf(api.admin['provider-moves'][':id'].act.$post({ param: { id: move.id }, json: { act: name } })),
    );
  const mayRetry = move.failed + move.unstopped > 0;
  const done = formatCount(move.total - move.waiting);
  const all = formatCount(move.total);
  return (
    <article className="panel p-5">
      <h3 className="flex flex-wrap items-center gap-2.5 text-18">
        {t`From ${former} to ${next}`}
        <span className={move.state === 'done' ? 'tag tone-ok' : 'tag tag--warn'}>{moveStates()[move.state]}</span>
      </h3>
      <p className="mt-1 text-muted">
        <LocalTime at={move.startedAt} style="date" />
      </p>
      {move.state !== 'done' && (
        <progress className="mt-3 w-full" max={move.total} value={move.total - move.waiting} aria-label={t`Progress`} />
      )}
      <Facts className="mt-3">
        <Fact name={t`Progress`}>{t`${done} of ${all}`}</Fact>
        <Fact name={t`Moved`}>{formatCount(move.moved)}</Fact>
        <Fact name={t`Not stopped at ${former} yet`}>{formatCount(move.unstopped)}</Fact>
        <Fact name={t`Have to cancel at ${former}`}>{formatCount(move.asked)}</Fact>
        <Fact name={t`Had ended before their turn`}>{formatCount(move.left)}</Fact>
        <Fact name={t`Went on at ${former}`}>{formatCount(move.livedOn)}</Fact>
        <Fact name={t`Charged there after the move`}>{formatCount(move.charged)}</Fact>
        <Fact name={t`Failed`}>{formatCount(move.failed)}</Fact>
      </Facts>
      {move.problems.length > 0 && (
        <details className="mt-3">
          <summary>
            <Trans>Show which</Trans>
          </summary>
          <ul className="mt-2 grid gap-1.5 text-13">
            {move.problems.map((problem, index) => (
              <li key={problem.userId ?? index} className="wrap-anywhere">
                {problem.userId === null ? (
                  t`A deleted account`
                ) : (
                  <Link className="link" to={href('/admin/subscriptions/:id', { id: problem.userId })}>
                    {problem.username ?? problem.userId}
                  </Link>
                )}
                {': '}
                {problemText(problem)}
                {problem.error !== null && <span lang="en"> {problem.error}</span>}
              </li>
            ))}
          </ul>
        </details>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        {move.state === 'running' && (
          <Button busy={busy === 'pause' ? t`One moment…` : undefined} onClick={() => act('pause')}>
            {t`Pause`}
          </Button>
        )}
        {move.state === 'paused' && (
          <Button variant="primary" busy={busy === 'resume' ? t`One moment…` : undefined} onClick={() => act('resume')}>
            {t`Go on`}
          </Button>
        )}
        {mayRetry && (
          <Button busy={busy === 'retry' ? t`One moment…` : undefined} onClick={() => act('retry')}>
            {t`Try again`}
          </Button>
        )}
      </div>
    </article>
  );
}
