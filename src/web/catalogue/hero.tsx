import { Link } from 'react-router';
import type { Audio } from '#domain/catalogue/audios.ts';
import hero1000 from '#web/art/hero-1000.webp';
import hero2000 from '#web/art/hero-2000.webp';
import { formatTime } from '#web/format.ts';
import { useSession } from '#web/identity/session-provider.tsx';
import { PlayButton } from '#web/listening/play-button.tsx';
import { Button } from '#web/ui/button.tsx';
import { WhisperLine } from '#web/ui/whisper-line.tsx';
import { StartTrialButton } from './start-trial-button.tsx';

/** The first thing a visitor sees: what this is, and a voice to hear at once. */
export function Hero({ preview }: { preview: Audio | null }) {
  const { user } = useSession();
  return (
    <section className="hero" aria-label="Welcome">
      {/* On a phone the drawing is far wider than the screen, most of it out of sight. */}
      <img
        src={hero2000}
        srcSet={`${hero1000} 1000w, ${hero2000} 2000w`}
        sizes="(max-width: 767px) 500px, max(100vw, 1228px)"
        alt=""
        // Between phone and wide screen the bright disc would come under the words.
        className="[@media_(min-width:768px)_and_(max-width:1227px)]:object-[34%_30%]"
        width={2000}
        height={1076}
        fetchPriority="high"
      />
      <div className="wrap hero__in">
        <h1 className="t-84 max-w-[9.5em]">Stories told close&nbsp;to&nbsp;the&nbsp;ear</h1>
        <p>
          Romance, longing and sleep, read aloud by voices you will want to keep. Unlimited listening, cancel anytime.
        </p>
        <div className="hero__cta">
          <StartTrialButton />
          {/* Alone, it needs an edge of its own. */}
          <Button variant={user === null ? 'ghost' : 'outline'} size="lg" render={<Link to="#new" />}>
            Browse first
          </Button>
        </div>
        {preview && (
          <div className="prev">
            <PlayButton audios={[preview]} index={0} source="preview" look="round" />
            <div className="grow">
              <small>Preview</small>
              <b className="trunc block">{preview.title}</b>
            </div>
            <div className="d-only w-26">
              <WhisperLine slug={preview.slug} bars={28} height={32} />
            </div>
            <span className="num text-13 text-[#d9cac2]">{formatTime(preview.numberDuration)}</span>
          </div>
        )}
      </div>
    </section>
  );
}
