import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { href, Link } from 'react-router';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { HeroLook } from '#domain/look/open-look.ts';
import hero1000 from '#web/art/hero-1000.avif';
import hero2000 from '#web/art/hero-2000.avif';
import { formatTime } from '#formats/durations.ts';
import { useSession } from '#web/identity/session-provider.tsx';
import { useSubscribePrompt } from '#web/identity/prompts.tsx';
import { PlayButton } from '#web/listening/play-button.tsx';
import { useIsOn } from '#web/root-data.ts';
import { Button } from '#web/ui/button.tsx';
import { Waveform } from '#web/ui/images/waveform.tsx';
import { onPlainPress } from '#web/ui/plain-press.ts';
import './hero.css';

/** First view for visitors: what the site is, and a preview to play. @param props.bars of the preview */
export function Hero({
  preview,
  bars,
  own,
}: {
  preview: AudioItem | null;
  bars: string | null;
  /** The operator's texts and picture; absent: the default ones. */
  own: HeroLook | undefined;
}) {
  const picture = own?.picture;
  const [small, large] = picture ? [`/${picture.small}`, `/${picture.large}`] : [hero1000, hero2000];
  const { user } = useSession();
  return (
    <section className="hero" data-theme="dark" aria-label={t`Welcome`}>
      {/* On a phone the image is far wider than the screen and mostly cropped. */}
      <img
        src={large}
        srcSet={`${small} 1000w, ${large} 2000w`}
        sizes="(max-width: 767px) 500px, max(100vw, 1228px)"
        alt=""
        // Between phone and wide screens, the bright disc would lie behind the text.
        className="[@media_(min-width:768px)_and_(max-width:1227px)]:object-[34%_30%]"
        width={picture?.width ?? 2000}
        height={picture?.height ?? 1076}
        fetchPriority="high"
      />
      <div className="wrap pt-[300px] pb-6 md:pt-0 md:pb-14">
        <h1 className="max-w-[9.5em] text-84">{own?.title ?? t`Stories told close to the ear`}</h1>
        <p className="mt-3.5 max-w-[42ch] text-16 leading-normal text-pretty text-[#e6d8d0] md:mt-5 md:text-18">
          {own?.text ??
            t`Romance, longing and sleep, read aloud by voices you will want to keep. Unlimited listening, cancel anytime.`}
        </p>
        <div className="mt-[22px] flex flex-wrap items-center gap-3 md:mt-7">
          <StartTrialButton />
          {/* As the only button it needs an outline. */}
          <Button variant={user === null ? 'ghost' : 'outline'} size="lg" className="px-7" render={<Link to="#new" />}>
            {t`Browse first`}
          </Button>
        </div>
        {preview && (
          <div className="preview noscript:hidden">
            <PlayButton audios={[preview]} index={0} source="preview" variant="round" />
            <div className="min-w-0 flex-1">
              <small>
                <Trans>Preview</Trans>
              </small>
              <b className="truncate block">{preview.title}</b>
            </div>
            <div className="max-md:hidden w-26">
              <Waveform bars={bars} count={28} height={32} />
            </div>
            <span className="tabular-nums text-13 text-[#d9cac2]">{formatTime(preview.numberDuration)}</span>
          </div>
        )}
      </div>
    </section>
  );
}

/** Primary action of the front page. Without JavaScript it links to a page with instructions. */
function StartTrialButton() {
  const { user, preloadModals } = useSession();
  const askToSubscribe = useSubscribePrompt();
  const takesAccounts = useIsOn('signUp');
  if (user !== null || !takesAccounts) return null;
  return (
    <Button
      variant="primary"
      size="lg"
      render={<Link to={href('/library')} data-keep-press />}
      onClick={onPlainPress(() => askToSubscribe())}
      onPointerEnter={preloadModals}
      onFocus={preloadModals}
    >
      {t`Start free trial`}
    </Button>
  );
}
