import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useId } from 'react';
import { formatPercent } from '#formats/decimals.ts';
import { formatTime } from '#formats/durations.ts';
import { heightInPlot, stepPath } from '../../workshop/charts/chart-paths.ts';
import { DataTable } from '../../workshop/lists/data-table.tsx';
import { PlotTip, PointSlider } from '../../workshop/charts/point-slider.tsx';
import { RecordingWaveform } from '../../workshop/charts/recording-waveform.tsx';

type DropOffProps = {
  /** Share of plays that reach each part, 0 to 1. */
  shares: number[];
  durationMs: number;
  /** `Recording.peaks`, undefined until the file is measured. */
  peaks: string | undefined;
};

const heightOf = (share: number) => (1 - share) * 100;

/** How far people listened, as steps over the measured waveform. */
export function DropOff({ shares, durationMs, peaks }: DropOffProps) {
  const heading = useId();
  const startOf = (part: number) => formatTime((part * durationMs) / shares.length / 1000);
  const percent = (part: number) => formatPercent((shares[part] ?? 0) * 100, 1);
  const half = Math.floor(shares.length / 2);
  const line = stepPath(shares, heightOf);

  function describe(part: number) {
    const lost = ((shares[part] ?? 0) - (shares[part + 1] ?? shares[part] ?? 0)) * 100;
    const figure =
      part === shares.length - 1
        ? t`${{ share: percent(part) }} still listening`
        : t`${{ share: formatPercent(lost, 1) }} stopped here`;
    return { figure, when: t`${{ start: startOf(part) }} to ${{ end: startOf(part + 1) }}` };
  }

  return (
    <figure className="mt-5 mx-0 mb-0 pane" aria-labelledby={heading}>
      <div className="chart__head">
        <h3 className="pane-title" id={heading}>
          <Trans>How far people listened</Trans>
        </h3>
        <span className="key">
          <i />
          <Trans>Share of plays still going</Trans>
        </span>
      </div>
      <div className="plot [--ph:150px]">
        <svg
          viewBox="0 0 1000 100"
          preserveAspectRatio="none"
          role="img"
          aria-label={t`How many still listen, in ${plural({ count: shares.length }, { one: '# part', other: '# parts' })}: ${{ start: percent(0) }} at the start, ${{ half: percent(half) }} at half, ${{ end: percent(shares.length - 1) }} in the last part.`}
        >
          {[0, 50, 100].map((level) => (
            <line
              key={level}
              className="stroke-line stroke-1 [vector-effect:non-scaling-stroke]"
              x1="0"
              x2="1000"
              y1={level}
              y2={level}
            />
          ))}
          <path className="fill-accent opacity-12" d={`${line}L1000,100L0,100Z`} />
          <path className="chart-now" d={line} />
        </svg>
        {[100, 50, 0].map((share) => (
          <span
            key={share}
            className="absolute end-full me-2.5 text-12 text-muted tabular-nums whitespace-nowrap -translate-y-1/2"
            aria-hidden="true"
            style={{ top: heightInPlot(100 - share) }}
          >
            {share}%
          </span>
        ))}
        <PointSlider label={t`How far people listened`} count={shares.length} describe={describe} isSteps>
          {(part) => {
            const across = (part + 0.5) / shares.length;
            const band = { left: `${(part / shares.length) * 100}%`, width: `${100 / shares.length}%` };
            return (
              <>
                <span
                  className="absolute top-0 bottom-0 bg-accent/12 [box-shadow:inset_1px_0_0_var(--accent),inset_-1px_0_0_var(--accent)]"
                  aria-hidden="true"
                  style={band}
                />
                <PlotTip across={across} top={heightInPlot(70)} {...describe(part)} />
              </>
            );
          }}
        </PointSlider>
      </div>
      <div className="mt-2.5 ms-11 max-md:ms-9">
        {peaks !== undefined && (
          <div className="sound-wave sound-wave--small">
            <RecordingWaveform peaks={peaks} label={t`Waveform of the audio, on the same time axis`} />
          </div>
        )}
        <div className="flex justify-between text-12 text-muted tabular-nums mt-1.5" aria-hidden="true">
          {[0, 1, 2, 3, 4].map((quarter) => (
            <span key={quarter}>{formatTime((quarter * durationMs) / 4000)}</span>
          ))}
        </div>
      </div>
      <DataTable
        caption={t`Share of plays by part`}
        heads={[
          t({ message: 'Part', context: 'of a recording' }),
          t({ message: 'From', context: 'time' }),
          t({ message: 'Share', context: 'proportion' }),
        ]}
        rows={shares.map((_share, part) => [String(part + 1), startOf(part), percent(part)])}
      />
    </figure>
  );
}
