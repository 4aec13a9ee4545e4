import { href, Link } from 'react-router';
import { pageMeta } from '#web/page-meta.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import type { Route } from './+types/blog';

export { PageError as ErrorBoundary } from '#web/page-error.tsx';

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Blog', description: 'On listening, reading aloud, and the voices who do it.' });
}

export default function Blog() {
  return (
    <div className="wrap">
      <h1 className="t-60 pt-6">Blog</h1>
      <EmptyState
        title="No articles yet"
        text="No articles are published yet. Until then, there is a good deal to listen to."
      >
        <Button variant="primary" render={<Link to={href('/audios')} />}>
          Browse audios
        </Button>
      </EmptyState>
    </div>
  );
}
