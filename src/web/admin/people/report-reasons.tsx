import MicVocal from 'lucide-react/icons/mic-vocal';
import User from 'lucide-react/icons/user';
import type { GivenReason, ReportDetail } from '#domain/admin/people/report-queue.ts';
import { formatAgo } from '#formats/times.ts';
import { countOf } from '#formats/numbers.ts';
import { Cover } from '#web/ui/images/cover.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { reasonWords } from './report-words.ts';

/** Reasons of a report, without the listeners' names: only the outcome of their earlier reports counts. */
export function ReportReasons({ report, now }: { report: ReportDetail; now: number }) {
  const { given, voice, reports } = report;
  const more = reports - given.length;
  return (
    <section className="pane" aria-labelledby="reasons">
      <h2 className="pane-title mb-2" id="reasons">
        Reasons given
      </h2>
      <ul className="todo">
        {given.map((one, index) => (
          <li key={index}>
            {one.ofVoice && voice.imageUrl !== null ? (
              <Cover imageUrl={voice.imageUrl} shape="circle" size={36} />
            ) : (
              <span className="todo__icon">
                <Icon of={one.ofVoice ? MicVocal : User} size={18} />
              </span>
            )}
            <div>
              <b>{reasonWords[one.reason]}</b>
              <small className="wrap-anywhere">
                {one.ofVoice ? `${voice.name}, owner of the audio` : 'A listener'}, {formatAgo(one.at, now)}
                {one.details !== null && `: “${one.details}”`}
              </small>
            </div>
            <span className="text-13 text-muted">{recordOf(one)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="text-13 mt-2 text-muted">And {countOf(more, 'more report')}.</p>}
    </section>
  );
}

function recordOf({ decided, upheld }: GivenReason): string {
  return decided === 0 ? 'First report' : `${countOf(decided, 'report')}, ${upheld} upheld`;
}
