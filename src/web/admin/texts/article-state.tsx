import Check from 'lucide-react/icons/check';
import Clock from 'lucide-react/icons/clock';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash-2';
import type { ListedArticle } from '#domain/admin/texts/article-list.ts';
import { LocalTime } from '../../workshop/local-time.tsx';
import { Icon } from '#web/ui/images/icon.tsx';

const looks = {
  published: { icon: Check, className: 'state-mark tone-ok', word: 'Published' },
  scheduled: { icon: Clock, className: 'state-mark tone-accent', word: 'Scheduled' },
  draft: { icon: Pencil, className: 'state-mark', word: 'Draft' },
  deleted: { icon: Trash2, className: 'state-mark tone-bad', word: 'Deleted' },
};

export function ArticleStateMark({ article }: { article: Pick<ListedArticle, 'state' | 'publishedAt'> }) {
  const { state, publishedAt } = article;
  const { icon, className, word } = looks[state];
  return (
    <span className={className}>
      <Icon of={icon} size={16} />
      {word}
      {publishedAt !== null && (
        <>
          {' '}
          <LocalTime at={publishedAt} style="date" />
        </>
      )}
    </span>
  );
}
