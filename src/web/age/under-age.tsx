import { t } from '@lingui/core/macro';
import Lock from 'lucide-react/icons/lock';
import { Button } from '../ui/button.tsx';
import { Stage } from '../ui/stage.tsx';

/** @param props.to where the question leads, if it is asked again */
export function UnderAge({ to, siteName }: { to: string; siteName: string }) {
  return (
    <Stage
      icon={Lock}
      title={t`${siteName} is for adults`}
      text={t`You said that you are under 18. Sound and transcripts stay off on this device. You can close this page.`}
    >
      <form className="stage__acts" method="post" action="/age/statement">
        <input type="hidden" name="to" value={to} />
        <Button type="submit" name="answer" value="again" variant="outline">
          {t`I answered by mistake`}
        </Button>
      </form>
    </Stage>
  );
}
