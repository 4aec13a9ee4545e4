import { useState } from 'react';
import { href, Link } from 'react-router';
import { useSession } from '../identity/session-provider.tsx';
import { navigation } from './navigation.ts';

/** @param extent `minimal` keeps the line alone (a standalone page) */
export function Footer({ siteName, extent }: { siteName: string; extent: 'full' | 'minimal' }) {
  const { user } = useSession();
  const [year] = useState(() => new Date().getFullYear());
  return (
    <footer className="ft">
      <div className="wrap">
        <span suppressHydrationWarning>
          © {year} {siteName}. For listeners aged 18 and over.
        </span>
        {extent === 'full' && (
          <nav aria-label="Footer">
            <span className="no-script flex-wrap gap-[inherit]">
              {navigation.map(({ label, to }) => (
                <Link key={to} to={to}>
                  {label}
                </Link>
              ))}
              {user && <Link to={href('/account')}>Account</Link>}
            </span>
            <Link to="/blog">Blog</Link>
            <Link to={href('/gift-card')}>Gift cards</Link>
            <a href="/terms" target="_blank" rel="noopener">
              Terms of Service
            </a>
            <a href="/privacy" target="_blank" rel="noopener">
              Privacy Policy
            </a>
          </nav>
        )}
      </div>
    </footer>
  );
}
