import { t } from '@lingui/core/macro';
import BellOff from 'lucide-react/icons/bell-off';
import BellPlus from 'lucide-react/icons/bell-plus';
import { useState } from 'react';
import { answerOf, api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { useToast } from '../ui/layers/toast.tsx';

/** Follows a series for its news. */
export function FollowSeries({ id, isFollowed: start }: { id: string; isFollowed: boolean }) {
  const showToast = useToast();
  const [isFollowed, setIsFollowed] = useState(start);

  async function toggle(): Promise<void> {
    const isOn = !isFollowed;
    setIsFollowed(isOn);
    const answer = await answerOf(api.user['notification-series'][':id'].$put({ param: { id }, json: { isOn } }));
    if (!answer.ok) setIsFollowed(!isOn);
    const done = isOn ? t`You will be notified of new parts` : t`You will no longer be notified of new parts`;
    showToast({ text: answer.ok ? done : answer.message });
  }

  return (
    <Button variant="outline" aria-pressed={isFollowed} onClick={() => void toggle()}>
      <Icon of={isFollowed ? BellOff : BellPlus} size={18} />
      {isFollowed ? t`Unfollow` : t`Follow`}
    </Button>
  );
}
