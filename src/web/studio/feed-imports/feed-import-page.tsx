import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import MailCheck from 'lucide-react/icons/mail-check';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Square from 'lucide-react/icons/square';
import { useEffect, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { FeedImport, ListedFeedItem } from '#domain/studio/feed-imports/import-state.ts';
import { type ItemFilter, isAtWork } from '#domain/studio/feed-imports/rules.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { LocalTime } from '../../workshop/local-time.tsx';
import { Pane } from '../../workshop/pane.tsx';
import { WorkshopHead } from '../../workshop/workshop-head.tsx';
import { Banner } from '../verification/banner.tsx';
import { FeedForm, OwnerCode } from './feed-form.tsx';
import { FeedItems } from './feed-items.tsx';
import { ImportPlan } from './import-plan.tsx';
import { ImportProgress, ImportResult, useRunAgain } from './import-progress.tsx';
import { ImportSteps } from './import-steps.tsx';
import { feedFailureTexts } from './import-texts.ts';

const lookMs = 2000;

type FeedImportPageProps = {
  voice: { id: string; slug: string };
  found: FeedImport | null;
  page: { items: ListedFeedItem[]; nextCursor: string | null };
  show: ItemFilter | undefined;
  categories: { id: string; label: string }[];
  feedUrl: string;
};

/** A feed of another host becomes audios: address, plan, import, result. */
export function FeedImportPage(props: FeedImportPageProps) {
  const { voice, found } = props;
  useLooks(found !== null && (isAtWork(found.state) || found.counts.underWay > 0));
  const facts = t`Titles, texts, dates, covers and sound of your podcast`;
  if (found === null || found.state === 'failed')
    return (
      <>
        <WorkshopHead title={t`Import from a feed`} facts={facts} />
        <ImportSteps state={undefined} />
        <FeedForm
          key={found?.id ?? ''}
          voiceId={voice.id}
          url={found?.url ?? ''}
          failure={found?.failure ? feedFailureTexts()[found.failure] : undefined}
        />
      </>
    );
  return <Found key={found.id} {...props} found={found} facts={facts} />;
}

function Found({
  voice,
  found,
  page,
  show,
  categories,
  feedUrl,
  facts,
}: FeedImportPageProps & { found: FeedImport; facts: string }) {
  const { state, counts } = found;
  const { isBusy, run, stop, drop, choose: chooseNow } = useRunAgain(found);
  const [leftOut, setLeftOut] = useState<ReadonlySet<number>>(new Set());
  const isFinished = state === 'done' || state === 'stopped';
  const canDrop = state !== 'running' && state !== 'reading' && counts.underWay === 0;

  function choose(positions: number[], comes: boolean): void {
    const changed = new Set(leftOut);
    for (const position of positions) {
      if (comes) changed.delete(position);
      else changed.add(position);
    }
    setLeftOut(changed);
  }

  const list = (
    <FeedItems
      voiceSlug={voice.slug}
      found={found}
      {...page}
      show={show}
      {...(state === 'planned' && { choice: { leftOut, onChange: choose } })}
      {...((state === 'running' || state === 'stopped') && { onChoose: chooseNow })}
    />
  );
  return (
    <>
      <WorkshopHead title={t`Import from a feed`} facts={facts}>
        {state === 'running' && (
          <Button busy={isBusy ? t`Stopping…` : undefined} onClick={stop}>
            <Icon of={Square} size={18} />
            <Trans>Stop</Trans>
          </Button>
        )}
        {state === 'stopped' && (
          <Button variant="primary" busy={isBusy ? t`Starting the import…` : undefined} onClick={run}>
            <Trans>Go on</Trans>
          </Button>
        )}
        {canDrop && (
          <Button variant="ghost" onClick={drop}>
            <Trans>Another feed</Trans>
          </Button>
        )}
      </WorkshopHead>
      <ImportSteps state={state} />
      {state === 'reading' && (
        <Pane title={t`Reading the feed…`}>
          <output className="text-14 block text-muted">
            <Trans>Large feeds take a minute. You can leave this page.</Trans>
          </output>
        </Pane>
      )}
      {state === 'asking' && <OwnerCode id={found.id} ownerHint={found.ownerHint ?? ''} />}
      {state === 'planned' && found.archive === null && <Whose found={found} />}
      {(state === 'running' || state === 'stopped') && <ImportProgress found={found} />}
      {isFinished && (
        <ImportResult found={found} voiceId={voice.id} voiceSlug={voice.slug} feedUrl={feedUrl} onAgain={run} />
      )}
      {state === 'planned' && (
        <div className="main-and-aside">
          <section aria-labelledby="episodes">
            <div className="workshop-section__head">
              <h2 id="episodes" className="wrap-anywhere" dir="auto">
                {plural({ count: counts.all }, { one: '# episode', other: '# episodes' })}
                {found.title !== '' && <span className="text-muted"> · {found.title}</span>}
              </h2>
            </div>
            {list}
          </section>
          <aside className="stack">
            <ImportPlan found={found} categories={categories} leftOut={leftOut} />
          </aside>
        </div>
      )}
      {(state === 'running' || isFinished) && (
        <section aria-labelledby="episodes">
          <div className="workshop-section__head">
            <h2 id="episodes" className="wrap-anywhere" dir="auto">
              {found.title || t`Episodes`}
            </h2>
          </div>
          {list}
        </section>
      )}
    </>
  );
}

/** The proof that the feed may be imported. */
function Whose({ found: { confirmedAt, ownerHint, isByOperator } }: { found: FeedImport }) {
  if (isByOperator)
    return (
      <Banner icon={ShieldCheck} tone="quiet" title={t`Read by an operator`}>
        <Trans>Operators need no code from the feed’s owner.</Trans>
      </Banner>
    );
  if (confirmedAt === null) return null;
  return (
    <Banner icon={MailCheck} title={t`The feed is yours`}>
      <Trans>
        A code went to the feed’s owner address, {ownerHint}, and was entered{' '}
        <LocalTime at={confirmedAt} style="full" />.
      </Trans>
    </Banner>
  );
}

/** Reads the page again while a job works, and the page is visible. */
function useLooks(isBusy: boolean): void {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (!isBusy || state !== 'idle') return undefined;
    const timer = setTimeout(() => void (document.hidden || revalidate()), lookMs);
    // A page in the background is read again as soon as it is seen.
    const seen = () => void (document.hidden || revalidate());
    document.addEventListener('visibilitychange', seen);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [isBusy, state, revalidate]);
}
