import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useEffect, useRef, useState } from 'react';
import { Link, href } from 'react-router';
import type { Suggestions } from '#suggestions/suggester.ts';
import { forgotten, suggesterOf } from '../../listening/suggestions/own-suggestions.ts';
import { AsleepRow } from '../../listening/night/asleep-row.tsx';
import { useListener, usePlayerCommands } from '../../listening/player-provider.tsx';
import { useRootData } from '../../root-data.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { Note } from '../../ui/note.tsx';
import { ForYouCard } from './for-you-card.tsx';
import stylesheet from './for-you.css?url';
import { type Asked, HowDialog, WhyDialog } from './for-you-dialogs.tsx';
import { useSuggestionSwitch, wasTurnedOff } from './use-suggestion-switch.ts';

const places = 10;

type ForYouProps = {
  /** Five audios were heard: what is shown before that is known better has the size of the suggestions. */
  isEnough: boolean;
  title?: string | undefined;
};

/** Suggestions, put together by this browser. */
export function ForYou({ isEnough, title = t`For you` }: ForYouProps) {
  const { isDiscreet = false, hasNoSuggestions = false } = useRootData()?.preferences ?? {};
  const [isHowShown, setIsHowShown] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const [isWhyShown, setIsWhyShown] = useState(false);
  return (
    <>
      {/* Below “Continue listening”, without code in the first load. */}
      <AsleepRow />
      <section
        className={classNames('section for-you', isDiscreet && 'for-you--discreet')}
        aria-label={title}
        data-for-you
      >
        {/* Not in the first load of visitors, and before the place of the cards is laid out. */}
        <link rel="stylesheet" href={stylesheet} precedence="site" />
        <div className="flex items-baseline justify-between gap-4 mb-5 max-md:mb-4">
          <div>
            <h2 className="text-26 max-md:text-[1.5rem]">{title}</h2>
            {!hasNoSuggestions && (
              <p className="text-14 text-muted">
                <Trans>Put together on this device, from what you play.</Trans>
              </p>
            )}
          </div>
          {!hasNoSuggestions && (
            <button type="button" className="more" onClick={() => setIsHowShown(true)}>
              {t`How it works`}
              <Icon of={ChevronRight} size={16} />
            </button>
          )}
        </div>
        {hasNoSuggestions ? (
          <TurnedOff />
        ) : isEnough ? (
          <Places
            title={title}
            isDiscreet={isDiscreet}
            onWhy={(about) => {
              setAsked(about);
              setIsWhyShown(true);
            }}
          />
        ) : (
          <TooLittle />
        )}
        {isHowShown && <HowDialog onClose={() => setIsHowShown(false)} />}
        {/* Closed before it is gone, so that it gives the focus where it should be. */}
        {asked && <WhyDialog {...asked} open={isWhyShown} listName={title} onClose={() => setIsWhyShown(false)} />}
      </section>
    </>
  );
}

type PlacesProps = { title: string; isDiscreet: boolean; onWhy: (asked: Asked) => void };

function Places({ title, isDiscreet, onWhy }: PlacesProps) {
  const viewer = useListener();
  const { getSnapshot } = usePlayerCommands();
  const [found, setFound] = useState<Suggestions | 'failed'>();
  const [times, setTimes] = useState(0);
  const listener = viewer.kind === 'user' ? viewer.id : '';
  useEffect(() => {
    const putTogetherAnew = () => {
      setFound(undefined);
      setTimes((before) => before + 1);
    };
    return forgotten.subscribe(putTogetherAnew);
  }, []);
  useEffect(() => {
    let isLeft = false;
    const { queuedIds } = getSnapshot();
    suggesterOf(viewer)
      .suggest(places, ({ id }) => queuedIds.has(id))
      .then(
        (suggestions) => !isLeft && setFound(suggestions),
        () => !isLeft && setFound('failed'),
      );
    return () => {
      isLeft = true;
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each listener
  }, [listener, times]);
  const items = typeof found === 'object' ? found.items : [];
  const isLoading = found === undefined;
  return (
    <div className="relative">
      <ul className="for-you__list" aria-busy={isLoading || undefined}>
        {items.map((suggestion) => (
          <li key={suggestion.audio.id}>
            <ForYouCard
              suggestion={suggestion}
              listName={title}
              isDiscreet={isDiscreet}
              onWhy={(rest) => onWhy({ suggestion, rest })}
            />
          </li>
        ))}
        {/* Keep their size where there are fewer, so that nothing below moves. */}
        {Array.from({ length: places - items.length }, (_, place) => (
          <li key={place} aria-hidden="true" data-empty={isLoading ? undefined : ''}>
            <span className="cover" />
            <span className="for-you__text">
              <span className="for-you__bone" />
              <span className="for-you__bone" />
            </span>
          </li>
        ))}
      </ul>
      {!isLoading && items.length === 0 && (
        <div className="for-you__note">
          {found === 'failed' ? (
            <Note tone="error">
              <Trans>Suggestions could not be loaded. Nothing is lost: open this page again to see them.</Trans>
            </Note>
          ) : found.isEnough ? (
            <EmptyState title={t`Nothing new for now`} text={t`You know all that would be suggested here.`} />
          ) : (
            <TooLittle />
          )}
        </div>
      )}
    </div>
  );
}

function TooLittle() {
  return (
    <EmptyState title={t`For you starts with a few plays`} text={t`After five audios you find ten suggestions here.`}>
      <Button variant="outline" render={<Link to={href('/audios')} />}>
        {t`New audios`}
      </Button>
    </EmptyState>
  );
}

function TurnedOff() {
  const { isBusy, turn } = useSuggestionSwitch();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (wasTurnedOff.now) button.current?.focus();
    wasTurnedOff.now = false;
  }, []);
  return (
    <div className="flex flex-wrap items-center gap-4">
      <p className="text-14 text-muted">
        <Trans>Suggestions from your history are off.</Trans>
      </p>
      <Button ref={button} size="sm" busy={isBusy ? t`Turning on…` : undefined} onClick={() => void turn(true)}>
        {t`Turn on`}
      </Button>
    </div>
  );
}
